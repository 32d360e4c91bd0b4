import type { ComparisonOperator } from '../language/expression.ts'
import type { FunctionName } from '../language/functions.ts'
import { valueTypes } from '../language/value-type.ts'
import { digitUnits } from '../values/decimal-units.ts'
import { anyShape, type Fields, noShape, type Shape } from './shape.ts'

const { number, string, array, object } = valueTypes

/** A product in which nothing of what is unknown costs nothing. */
export const times = (count: number, each: number): number =>
  count === 0 || each === 0 ? 0 : count * each

/** Units of work on the longest decimals: 832 hexadecimal digits and a sign, exponents from -1,000 to 999. */
const longest = {
  aligned: digitUnits(2_832),
  product: digitUnits(1_664),
  rounding: digitUnits(1_852),
  key: digitUnits(1_832),
  power: 100 + digitUnits(1_832) + Math.floor(1_001 ** 2 / 28) + digitUnits(1_300),
}

/** Units of an operation on decimals. */
export function decimalUnits(operator: string): number {
  if (operator === '*') return longest.product
  return operator === '/' ? 10 + longest.product : longest.aligned
}

/** Units of putting so many items in order that are compared as the keys are. */
export function sortUnits(count: number, { mask, size }: Shape, decimal: boolean): number {
  const text = mask & string ? size / 16 : 0
  const digits = mask & number && decimal ? longest.key : 0
  const passes = Math.ceil(Math.log2(count + 1))
  return times(passes, count + Math.floor(times(count, Math.max(text, digits))))
}

/** What a function is called with. */
export interface WorstCall {
  readonly name: FunctionName
  readonly given: readonly Shape[]
  readonly result: Shape
  readonly decimal: boolean
}

/** Units of a call: the strings and arrays it reads, the string it makes, and what the function does besides. */
export function callUnits(call: WorstCall): number {
  const { name, given, result, decimal } = call
  let units = result.mask & string ? result.size : 0
  for (const { size } of given) units += size
  const [{ size, items = anyShape }, part = noShape] = given as readonly [Shape, Shape?]
  switch (name) {
    case 'contains':
    case 'indexOf':
    case 'replace':
    case 'split':
      units += Math.floor(times(size, part.size) / 512)
      break
    case 'sort':
      units += sortUnits(size, items, decimal)
      break
    case 'distinct': {
      const text = Math.max(items.mask & string ? items.size : 0, items.mask & number ? 1_030 : 0)
      // A quote goes before each.
      units += times(size, Math.floor((text + 1) / 16))
      if (items.mask & (array | object)) {
        const pair = times(pairUnits(items, items), decimal ? 1 + longest.aligned : 1)
        units += times(size * size, pair)
      }
      break
    }
    default:
  }
  return decimal ? units + digitUnitsOf(call) : units
}

/** Units of the digits that a function of decimals works on. */
function digitUnitsOf({ name, given }: WorstCall): number {
  const [{ mask, size }] = given as readonly [Shape]
  const count = Math.max(mask & array ? size : 0, given.length)
  switch (name) {
    case 'sqrt':
    case 'pow':
      return longest.power
    case 'floor':
    case 'ceil':
    case 'trunc':
    case 'round':
    case 'fixed':
    case 'money':
    case 'percent':
      return longest.rounding
    case 'abs':
    case 'sum':
    case 'min':
    case 'max':
      return times(count, longest.aligned)
    case 'avg':
      return times(count, longest.aligned) + 10 + longest.product
    default:
      return 0
  }
}

/** Units of a comparison where numbers are decimals: each pair may be one of long numbers. */
export function decimalComparisonUnits(
  operator: ComparisonOperator,
  left: Shape,
  right: Shape,
): number {
  const units = comparisonUnits(operator, left, right)
  const isText = (left.mask & (number | array | object)) === 0
  return isText ? units : times(1 + units, 1 + longest.aligned)
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
  // An array and an object are looked at as well, though they are never equal.
  const compound = array | object
  return left.mask & compound && right.mask & compound ? units + pairUnits(left, right) : units
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
