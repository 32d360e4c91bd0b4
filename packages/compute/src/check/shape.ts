import type { InputDeclaration, JsonValue, ValueDeclaration } from '../language/compute-logic.ts'
import { anyType, valueTypes } from '../language/value-type.ts'

const { number, string, boolean, null: nil, array, object } = valueTypes

/** What is known of a value before anything runs. */
export interface Shape {
  /** The types it can have, as bits of `valueTypes`; none for the items of an empty array. */
  readonly mask: number
  /** Most UTF-16 units where it is a string, most items where it is an array; Infinity where that is unknown. */
  readonly size: number
  /** What each item is where it is an array; undefined for anything. */
  readonly items: Shape | undefined
  /** Its only fields where it is an object; undefined for any. Some may be missing. */
  readonly fields: ReadonlyMap<string, Shape> | undefined
  /** The only strings or the only boolean it can be; undefined for any. */
  readonly values: readonly unknown[] | undefined
}

const plain: readonly Shape[] = Array.from({ length: anyType + 1 }, (_, mask) => ({
  mask,
  size: (mask & (string | array)) === 0 ? 0 : Infinity,
  items: undefined,
  fields: undefined,
  values: undefined,
}))

/** A shape of which only the types are known. */
export function shapeOfMask(mask: number): Shape {
  return plain[mask] as Shape
}

/** Nothing is known. */
export const anyShape: Shape = shapeOfMask(anyType)
/** No value at all, such as the items of an empty array. */
export const noShape: Shape = shapeOfMask(0)
/** Any number. */
export const numberShape: Shape = shapeOfMask(number)
/** Any boolean. */
export const booleanShape: Shape = shapeOfMask(boolean)

const literals = [false, true].map((value) => ({ ...booleanShape, values: [value] }))
const mostValues = 100

/** A string, or any of several. */
export function stringShape(size: number, values?: readonly unknown[]): Shape {
  return { mask: string, size, items: undefined, fields: undefined, values }
}

/** An array of so many items at most. */
export function arrayShape(size: number, items: Shape | undefined): Shape {
  return { mask: array, size, items, fields: undefined, values: undefined }
}

/** An object with these fields only. */
export function objectShape(fields: ReadonlyMap<string, Shape>): Shape {
  return { mask: object, size: 0, items: undefined, fields, values: undefined }
}

/** What one of two values can be. */
export function unionOf(left: Shape, right: Shape): Shape {
  if (left === right || right.mask === 0) return left
  if (left.mask === 0) return right
  const mask = left.mask | right.mask
  const size = Math.max(left.size, right.size)
  const { items: leftItems, fields: leftFields, values: leftValues } = left
  const { items: rightItems, fields: rightFields, values: rightValues } = right
  let items: Shape | undefined
  if ((left.mask & array) === 0) items = rightItems
  else if ((right.mask & array) === 0) items = leftItems
  else if (leftItems !== undefined && rightItems !== undefined) {
    items = unionOf(leftItems, rightItems)
  }
  let fields: ReadonlyMap<string, Shape> | undefined
  if ((left.mask & object) === 0) fields = rightFields
  else if ((right.mask & object) === 0) fields = leftFields
  else if (leftFields !== undefined && rightFields !== undefined) {
    fields = unionOfFields(leftFields, rightFields)
  }
  const values =
    mask === string && leftValues !== undefined && rightValues !== undefined
      ? [...leftValues, ...rightValues]
      : undefined
  const isLong = values === undefined || values.length > mostValues
  return { mask, size, items, fields, values: isLong ? undefined : values }
}

function unionOfFields(
  left: ReadonlyMap<string, Shape>,
  right: ReadonlyMap<string, Shape>,
): ReadonlyMap<string, Shape> {
  const fields = new Map(left)
  for (const [key, shape] of right) fields.set(key, unionOf(fields.get(key) ?? noShape, shape))
  return fields
}

/** What remains of a shape when it is one of some types. */
export function narrow(shape: Shape, wanted: number): Shape {
  const mask = shape.mask & wanted
  if (mask === shape.mask) return shape
  return (mask & (string | array | object)) === 0 ? shapeOfMask(mask) : { ...shape, mask }
}

/** What any field of an object can be. */
export function unionOfAll(shapes: Iterable<Shape>): Shape {
  let all = noShape
  for (const shape of shapes) all = unionOf(all, shape)
  return all
}

/** The shape of a constant. */
export function shapeOfValue(value: JsonValue): Shape {
  if (typeof value === 'number') return numberShape
  if (typeof value === 'string') return stringShape(value.length, [value])
  if (typeof value === 'boolean') return literals[Number(value)] as Shape
  if (value === null) return shapeOfMask(nil)
  if (Array.isArray(value)) {
    return arrayShape(value.length, unionOfAll((value as readonly JsonValue[]).map(shapeOfValue)))
  }
  return objectShape(
    new Map(Object.entries(value).map(([key, field]) => [key, shapeOfValue(field)])),
  )
}

/** The types a declaration allows. */
export function maskOfDeclaration({ type }: ValueDeclaration): number {
  if (type === 'any') return anyType
  return type === 'integer' ? number : valueTypes[type]
}

/** What a declaration says. */
export function shapeOfDeclaration(declaration: InputDeclaration): Shape {
  const { enum: values, fields, items, maxItems, maxLength, format, default: given } = declaration
  const mask = maskOfDeclaration(declaration)
  let shape = shapeOfMask(mask)
  if (mask === string) {
    const lengths = values?.map((value) => String(value).length)
    const size = format === 'date' ? 10 : (maxLength ?? Infinity)
    shape = stringShape(lengths === undefined ? size : Math.max(...lengths), values)
  } else if (mask === array) {
    shape = arrayShape(maxItems ?? Infinity, items && shapeOfDeclaration(items))
  } else if (mask === object && fields !== undefined) {
    shape = objectShape(
      new Map(Object.entries(fields).map(([key, field]) => [key, shapeOfDeclaration(field)])),
    )
  }
  return given === null ? unionOf(shape, shapeOfMask(nil)) : shape
}

/** Whether two shapes say the same of a value's structure. Only sizes and single values are not compared. */
export function isSameStructure(left: Shape | undefined, right: Shape | undefined): boolean {
  if (left === right) return true
  if (left === undefined || right === undefined || left.mask !== right.mask) return false
  return isSameStructure(left.items, right.items) && left.fields === right.fields
}
