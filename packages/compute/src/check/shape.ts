import type { InputDeclaration, JsonValue, ValueDeclaration } from '../language/compute-logic.ts'
import { anyType, valueTypes } from '../language/value-type.ts'

const { number, string, boolean, null: nil, array, object } = valueTypes

/** What is known of a value before anything runs. */
export interface Shape {
  /** The types it can have, as bits of `valueTypes`; none for the items of an empty array. */
  readonly mask: number
  /** Most UTF-16 units where it is a string, items of an array, fields of an object; Infinity where that is unknown. */
  readonly size: number
  /** What each item is where it is an array; undefined for anything. */
  readonly items: Shape | undefined
  /** Its fields where it is an object; undefined for any. */
  readonly fields: Fields | undefined
  /** The only strings or the only boolean it can be; undefined for any. */
  readonly values: ReadonlySet<unknown> | undefined
  /** How many shapes and values it is made of. */
  readonly weight: number
}

/** What is known of the fields of an object. Some may be missing. */
export interface Fields {
  readonly shapes: ReadonlyMap<string, Shape>
  /** Whether there may be others: a declaration lets them pass. */
  readonly open: boolean
  readonly weight: number
}

function makeShape({ mask, size, items, fields, values }: Omit<Shape, 'weight'>): Shape {
  const weight = 1 + (items?.weight ?? 0) + (fields?.weight ?? 0) + (values?.size ?? 0)
  return { mask, size, items, fields, values, weight }
}

function makeFields(shapes: ReadonlyMap<string, Shape>, open: boolean): Fields {
  let weight = 0
  for (const shape of shapes.values()) weight += shape.weight
  return { shapes, open, weight }
}

const nothingMore = { items: undefined, fields: undefined, values: undefined }
const plain: readonly Shape[] = Array.from({ length: anyType + 1 }, (_, mask) => {
  const size = (mask & (string | array | object)) === 0 ? 0 : Infinity
  return makeShape({ ...nothingMore, mask, size })
})

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

const literals = [false, true].map((value) => ({ ...booleanShape, values: new Set([value]) }))
const mostValues = 100
/** Heavier shapes are not united, and not more of them in one program: it could do so at every character. */
const mostWeight = 200
const mostUnited = 500_000
let united = 0

/** Begins with another program. */
export function forgetUnions(): void {
  united = 0
}

/** A string, or any of several. */
export function stringShape(size: number, values?: readonly unknown[]): Shape {
  return makeShape({ ...nothingMore, mask: string, size, values: values && new Set(values) })
}

/** An array of so many items at most. */
export function arrayShape(size: number, items: Shape | undefined): Shape {
  return makeShape({ ...nothingMore, mask: array, size, items })
}

/** An object with these fields, and others if it is open. */
export function objectShape(shapes: ReadonlyMap<string, Shape>, open = false): Shape {
  const size = open ? Infinity : shapes.size
  return makeShape({ ...nothingMore, mask: object, size, fields: makeFields(shapes, open) })
}

/** What one of two values can be: the left one itself where it can be all that the right one can. */
export function unionOf(left: Shape, right: Shape): Shape {
  if (left === right || right.mask === 0) return left
  if (left.mask === 0) return right
  const mask = left.mask | right.mask
  const size = Math.max(left.size, right.size)
  const weight = left.weight + right.weight
  const isLight = weight <= mostWeight && (united += weight) <= mostUnited
  let { items, fields } = left
  if ((left.mask & array) === 0) items = right.items
  else if (right.mask & array && items !== right.items) {
    items = isLight && items && right.items ? unionOf(items, right.items) : undefined
  }
  if ((left.mask & object) === 0) fields = right.fields
  else if (right.mask & object && fields !== right.fields) {
    fields = isLight && fields && right.fields ? unionOfFields(fields, right.fields) : undefined
  }
  const values = mask === string ? unionOfValues(left.values, right.values) : undefined
  const isSame = mask === left.mask && size === left.size && values === left.values
  if (isSame && items === left.items && fields === left.fields) return left
  return makeShape({ mask, size, items, fields, values })
}

function unionOfValues(left: Shape['values'], right: Shape['values']): Shape['values'] {
  if (left === right || left === undefined || right === undefined) return left && right
  if (right.size > mostValues) return undefined
  if ([...right].every((value) => left.has(value))) return left
  return left.size + right.size > mostValues ? undefined : new Set([...left, ...right])
}

function unionOfFields(left: Fields, right: Fields): Fields {
  const changed = new Map<string, Shape>()
  for (const [key, shape] of right.shapes) {
    const one = left.shapes.get(key)
    const union = unionOf(one ?? (left.open ? anyShape : noShape), shape)
    if (union !== one) changed.set(key, union)
  }
  for (const key of right.open ? left.shapes.keys() : []) {
    if (!right.shapes.has(key)) changed.set(key, anyShape)
  }
  const open = left.open || right.open
  return changed.size === 0 && open === left.open
    ? left
    : makeFields(new Map([...left.shapes, ...changed]), open)
}

/** What any of several values can be. In halves, so that what grows is not copied for each of them. */
export function unionOfAll(shapes: readonly Shape[]): Shape {
  if (shapes.length < 2) return shapes[0] ?? noShape
  const middle = shapes.length >> 1
  return unionOf(unionOfAll(shapes.slice(0, middle)), unionOfAll(shapes.slice(middle)))
}

/** What remains of a shape when it is one of some types. */
export function narrow(shape: Shape, wanted: number): Shape {
  const mask = shape.mask & wanted
  if (mask === shape.mask) return shape
  return (mask & (string | array | object)) === 0 ? shapeOfMask(mask) : { ...shape, mask }
}

/** The same types at every level, of any size and with any value. */
export function widen({ mask, items, fields, weight }: Shape): Shape {
  const shape = shapeOfMask(mask)
  if (weight > mostWeight) return shape
  return makeShape({
    ...shape,
    items: items && widen(items),
    fields:
      fields &&
      makeFields(
        new Map([...fields.shapes].map(([key, field]) => [key, widen(field)])),
        fields.open,
      ),
  })
}

/** What any item of an array can be. */
export function itemOf({ mask, items }: Shape): Shape {
  return (mask & array) === 0 ? anyShape : (items ?? anyShape)
}

const entries = new WeakMap<Fields, Shape>()

/** What any entry of an array or an object can be. */
export function entryOf(from: Shape): Shape {
  const { mask, fields } = from
  if ((mask & object) === 0) return itemOf(from)
  if (fields === undefined || fields.open) return anyShape
  let entry = entries.get(fields)
  if (entry === undefined) {
    entry = unionOfAll([...fields.shapes.values()])
    entries.set(fields, entry)
  }
  return mask & array ? unionOf(entry, itemOf(from)) : entry
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
    let size = format === 'date' ? 10 : (maxLength ?? Infinity)
    if (values !== undefined) {
      const longest = values.reduce<number>((most, value) => {
        return Math.max(most, String(value).length)
      }, 0)
      size = Math.min(size, longest)
    }
    shape = stringShape(size, values)
  } else if (mask === array) {
    shape = arrayShape(maxItems ?? Infinity, items && shapeOfDeclaration(items))
  } else if (mask === object && fields !== undefined) {
    shape = objectShape(
      new Map(Object.entries(fields).map(([key, field]) => [key, shapeOfDeclaration(field)])),
      true,
    )
  }
  return given === null ? unionOf(shape, shapeOfMask(nil)) : shape
}
