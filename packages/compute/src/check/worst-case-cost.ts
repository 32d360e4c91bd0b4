import type { ComparisonOperator } from '../language/expression.ts'
import type { FunctionName } from '../language/functions.ts'
import { valueTypes } from '../language/value-type.ts'
import { anyShape, type Fields, noShape, type Shape } from './shape.ts'

const { string, array, object } = valueTypes

/** A product in which nothing of what is unknown costs nothing. */
export const times = (count: number, each: number): number =>
  count === 0 || each === 0 ? 0 : count * each

/** Units of putting so many items in order. */
export const sortUnits = (count: number): number => times(count, Math.ceil(Math.log2(count + 1)))

/** Units of a call: the strings and arrays it reads, the string it makes. */
export function callUnits(name: FunctionName, given: readonly Shape[], result: Shape): number {
  let units = result.mask & string ? result.size : 0
  for (const { size } of given) units += size
  const [{ size, items = anyShape }] = given as readonly [Shape]
  if (name === 'sort') units += sortUnits(size)
  if (name === 'distinct' && items.mask & (array | object)) {
    units += times(size * size, pairUnits(items, items))
  }
  return units
}

/** Units of a comparison. */
export function comparisonUnits(operator: ComparisonOperator, left: Shape, right: Shape): number {
  if (operator === 'in') {
    if ((right.mask & array) === 0) return 0
    return times(right.size, 1 + equalityUnits(left, right.items ?? anyShape))
  }
  if (operator === '==' || operator === '!=') return equalityUnits(left, right)
  return (left.mask & right.mask & string) === 0 ? 0 : left.size + right.size
}

function equalityUnits(left: Shape, right: Shape): number {
  const mask = left.mask & right.mask
  const units = mask & string ? Math.min(left.size, right.size) : 0
  return mask & (array | object) ? units + pairUnits(left, right) : units
}

const deepest = 250
const known = new WeakMap<Fields, WeakMap<Fields, number>>()

/** One for each pair of values in two arrays or objects, themselves included; the keys of both; the length of strings. */
function pairUnits(left: Shape = anyShape, right: Shape = anyShape, depth = 0): number {
  const mask = left.mask & right.mask
  const size = Math.min(left.size, right.size)
  // A run goes no deeper.
  if (depth > deepest) return Infinity
  let units = mask & string ? 1 + size : 1
  if (mask & object) units += fieldUnits(left.fields, right.fields, depth + 1)
  if ((mask & array) === 0 || size === 0) return units
  return units + (size === Infinity ? size : size * pairUnits(left.items, right.items, depth + 1))
}

/** Two large tables may be compared at many places: the same fields are gone through once. */
function fieldUnits(left: Fields | undefined, right: Fields | undefined, depth: number): number {
  if (left === undefined || right === undefined || left.open || right.open) return Infinity
  const others = known.get(left) ?? new WeakMap<Fields, number>()
  known.set(left, others)
  let units = others.get(right)
  if (units === undefined) {
    units = left.shapes.size + right.shapes.size
    for (const [key, shape] of left.shapes) {
      units += pairUnits(shape, right.shapes.get(key) ?? noShape, depth)
    }
    others.set(right, units)
  }
  return units
}
