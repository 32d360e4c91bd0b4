import { Decimal } from './decimal.ts'
import { compareDecimals } from './decimal-arithmetic.ts'
import { decimalOf } from './decimal-text.ts'
import { decimalUnits } from './decimal-units.ts'
import { Fault } from './fault.ts'

const maxDepth = 250

/** Counts what {@link equalValues} and {@link compareOrder} looked at, over as many calls as it is handed to. */
export interface ComparisonCount {
  /**
   * Pairs of values in arrays and objects, themselves included; the keys of both of two objects; the length of
   * strings that have the same; digits of long decimals.
   */
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

/** The same, and counts what it takes: both lengths of strings, digits of long decimals. */
export function compareOrder(
  left: unknown,
  right: unknown,
  count: ComparisonCount,
): number | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    count.compared += left.length + right.length
  } else countDigits(left, right, count)
  return orderValues(left, right)
}

function countDigits(left: unknown, right: unknown, count: ComparisonCount): void {
  if (!(left instanceof Decimal || right instanceof Decimal)) return
  if (!isNumber(left) || !isNumber(right)) return
  const units = decimalUnits('-', asDecimal(left), asDecimal(right))
  if (units > 0) count.compared += units
}

const isCompound = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Decimal)

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
  const areCompound = isCompound(left) && isCompound(right)
  if (areCompound || depth > 0) count.compared++
  if (!areCompound) {
    if (typeof left === 'string' && typeof right === 'string' && left.length === right.length) {
      count.compared += left.length
    }
    countDigits(left, right, count)
    return left === right || (isNumber(left) && isNumber(right) && orderValues(left, right) === 0)
  }
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
  const others = Object.keys(right).length
  count.compared += keys.length + others
  return (
    keys.length === others &&
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
