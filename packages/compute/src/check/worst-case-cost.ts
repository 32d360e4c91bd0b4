import type { ComparisonOperator } from '../language/expression.ts'
import type { FunctionName } from '../language/functions.ts'
import { valueTypes } from '../language/value-type.ts'
import { anyShape, noShape, type Shape } from './shape.ts'

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

/** One for each pair of values in two arrays or objects, themselves included. */
function pairUnits(left: Shape | undefined, right: Shape | undefined): number {
  if (left === undefined || right === undefined) return Infinity
  const mask = left.mask & right.mask
  let units = 1
  if (mask & array) {
    units += times(Math.min(left.size, right.size), pairUnits(left.items, right.items))
  }
  if ((mask & object) === 0) return units
  if (left.fields === undefined || right.fields === undefined) return Infinity
  for (const [key, field] of left.fields) {
    units += pairUnits(field, right.fields.get(key) ?? noShape)
  }
  return units
}
