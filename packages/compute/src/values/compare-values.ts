import { Decimal } from './decimal.ts'
import { compareDecimals } from './decimal-arithmetic.ts'
import { decimalOf } from './decimal-text.ts'
import { Fault } from './fault.ts'

const maxDepth = 250

/** Counts what {@link equalValues} looked at, over as many calls as it is handed to. */
export interface ComparisonCount {
  /** Pairs of values compared, nested ones included. */
  compared: number
}

const asDecimal = (value: number | Decimal): Decimal =>
  typeof value === 'number' ? decimalOf(value) : value

const isNumber = (value: unknown): value is number | Decimal =>
  typeof value === 'number' || value instanceof Decimal

/**
 * -1, 0 or 1 for less, equal or greater: two numbers by size, two strings by UTF-16 units. Undefined
 * for anything else, which has no order.
 */
export function orderValues(left: unknown, right: unknown): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return Math.sign(left - right)
  if (typeof left === 'string' && typeof right === 'string') {
    return left < right ? -1 : left > right ? 1 : 0
  }
  return isNumber(left) && isNumber(right)
    ? compareDecimals(asDecimal(left), asDecimal(right))
    : undefined
}

/**
 * Equality of JSON values at every level, by own keys, whose order does not matter. Values of
 * different types are unequal; a number equals the decimal of its shortest text.
 *
 * @throws {Fault} limit for values nested deeper than 250 levels, which those are that contain themselves
 */
export function equalValues(left: unknown, right: unknown, count: ComparisonCount): boolean {
  return equalAt(left, right, { count, depth: 0 })
}

function equalAt(
  left: unknown,
  right: unknown,
  { count, depth }: { readonly count: ComparisonCount; readonly depth: number },
): boolean {
  count.compared++
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left === right || (isNumber(left) && isNumber(right) && orderValues(left, right) === 0)
  }
  if (left instanceof Decimal || right instanceof Decimal) return orderValues(left, right) === 0
  if (depth >= maxDepth) {
    throw new Fault(
      'limit',
      `values nested deeper than ${maxDepth} levels`,
      'Compare parts of them.',
    )
  }
  const next = { count, depth: depth + 1 }
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    // Holes count as well: a loop that skips them would go through billions of them for nothing.
    for (let index = 0; index < left.length; index++) {
      if (!equalAt(left[index], right[index], next)) return false
    }
    return true
  }
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        equalAt(
          (left as Readonly<Record<string, unknown>>)[key],
          (right as Readonly<Record<string, unknown>>)[key],
          next,
        ),
    )
  )
}
