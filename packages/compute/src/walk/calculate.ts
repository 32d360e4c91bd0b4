import {
  addDecimals,
  divideDecimals,
  divisionByZero,
  multiplyDecimals,
  remainderOfDecimals,
  subtractDecimals,
} from '../values/decimal-arithmetic.ts'
import { raiseDecimal } from '../values/decimal-power.ts'
import { decimalOf, decimalToText, exactNumber } from '../values/decimal-text.ts'
import { decimalUnits } from '../values/decimal-units.ts'
import { Decimal, type RoundingMode } from '../values/decimal.ts'
import { Fault } from '../values/fault.ts'
import { numberToText } from '../values/number-text.ts'
import type { Numeric, Run } from './run.ts'

/** The operators, and `^` for pow. */
type Calculation = '+' | '-' | '*' | '/' | '%' | '^'

const floats: Readonly<Record<Calculation, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
  '^': (left, right) => left ** right,
}

const decimals: Readonly<
  Record<Calculation, (left: Decimal, right: Decimal, rounding: RoundingMode) => Decimal>
> = {
  '+': addDecimals,
  '-': subtractDecimals,
  '*': multiplyDecimals,
  '/': divideDecimals,
  '%': remainderOfDecimals,
  '^': raiseDecimal,
}

const oneHalf = new Decimal(5, -1)

/** A number as a decimal: that of its shortest text. */
export const toDecimal = (value: Numeric): Decimal =>
  typeof value === 'number' ? decimalOf(value) : value

/** A number where a plain one is needed: a position, a number of digits, a year. */
export function toPlain(value: Numeric): number {
  const number = typeof value === 'number' ? value : exactNumber(value)
  if (number !== undefined) return number
  throw new Fault('bad_value', 'the number has too many digits for this', 'Round it first.')
}

/**
 * Lets nothing out that is not finite, nor negative zero.
 *
 * @throws {Fault} bad_value, overflow
 */
export function settle(value: Numeric): Numeric {
  if (typeof value !== 'number') return value
  if (Number.isFinite(value)) return value + 0
  throw Number.isNaN(value)
    ? new Fault('bad_value', 'there is no such number', 'Check the sign first.')
    : new Fault('overflow', 'the result is too large for a number', 'The largest is about 1.8e308.')
}

/**
 * One operation on two numbers, as the program wants them calculated. The digits of decimals are work.
 *
 * @throws {Fault} division_by_zero, bad_value, overflow, limit
 */
export function calculate(
  operation: Calculation,
  [left, right]: readonly [Numeric, Numeric],
  { program: { decimal, rounding }, budget }: Pick<Run, 'program' | 'budget'>,
): Numeric {
  if (decimal) {
    const [x, y] = [toDecimal(left), toDecimal(right)]
    budget.charge(decimalUnits(operation, x, y))
    return decimals[operation](x, y, rounding)
  }
  const [first, second] = [left as number, right as number]
  const divides = operation === '/' || operation === '%'
  if ((divides && second === 0) || (operation === '^' && first === 0 && second < 0)) {
    throw divisionByZero()
  }
  return settle(floats[operation](first, second))
}

/**
 * The square root.
 *
 * @throws {Fault} bad_value, limit
 */
export const squareRoot = (value: Numeric, run: Pick<Run, 'program' | 'budget'>): Numeric =>
  run.program.decimal ? calculate('^', [value, oneHalf], run) : settle(Math.sqrt(value as number))

/** The text of a value; undefined for null, arrays and objects. */
export function textOf(value: unknown, decimal: boolean): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Decimal) return decimalToText(value)
  if (typeof value !== 'number') return undefined
  return decimal ? decimalToText(decimalOf(value)) : numberToText(value)
}
