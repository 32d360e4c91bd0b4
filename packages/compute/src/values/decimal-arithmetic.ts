import {
  bigPowerOfTen,
  Decimal,
  isSafe,
  powersOfTen,
  type RoundingMode,
  settleDecimal,
} from './decimal.ts'
import { Fault } from './fault.ts'
import { roundSignificant } from './round-decimal.ts'

/** The mantissa at a lower exponent, as a double; unsafe or NaN where only a bigint holds it. */
const mantissaAt = ({ mantissa, exponent }: Decimal, low: number): number =>
  typeof mantissa === 'number' ? mantissa * (powersOfTen[exponent - low] as number) : Number.NaN

const bigMantissaAt = ({ mantissa, exponent }: Decimal, low: number): bigint =>
  BigInt(mantissa) * bigPowerOfTen(exponent - low)

/** The refusal of a zero divisor. */
export const divisionByZero = (): Fault =>
  new Fault('division_by_zero', 'division by zero', 'Check the divisor.')

/** The number with the other sign. */
export function negateDecimal({ mantissa, exponent }: Decimal): Decimal {
  // Not `-mantissa`, which makes -0 of 0.
  return new Decimal(typeof mantissa === 'number' ? 0 - mantissa : -mantissa, exponent)
}

/**
 * The exact sum.
 *
 * @throws {Fault} overflow
 */
export function addDecimals(left: Decimal, right: Decimal): Decimal {
  // However far the exponent of a zero is away, it need not be reached.
  if (!right.mantissa) return left
  if (!left.mantissa) return right
  const low = Math.min(left.exponent, right.exponent)
  const x = mantissaAt(left, low)
  const y = mantissaAt(right, low)
  const sum = x + y
  return isSafe(x) && isSafe(y) && isSafe(sum)
    ? new Decimal(sum, low)
    : settleDecimal(bigMantissaAt(left, low) + bigMantissaAt(right, low), low)
}

/**
 * The exact difference.
 *
 * @throws {Fault} overflow
 */
export const subtractDecimals = (left: Decimal, right: Decimal): Decimal =>
  addDecimals(left, negateDecimal(right))

/**
 * The exact product.
 *
 * @throws {Fault} overflow
 */
export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  const { mantissa: x, exponent: a } = left
  const { mantissa: y, exponent: b } = right
  if (typeof x === 'number' && typeof y === 'number') {
    const product = x * y
    if (isSafe(product) && Math.abs(a + b) <= 300) return new Decimal(product + 0, a + b)
  }
  return settleDecimal(BigInt(x) * BigInt(y), a + b)
}

/** -1, 0 or 1 for less, equal or greater. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  if (!left.mantissa || !right.mantissa) {
    return Math.sign(Number(left.mantissa) - Number(right.mantissa))
  }
  const low = Math.min(left.exponent, right.exponent)
  const x = mantissaAt(left, low)
  const y = mantissaAt(right, low)
  if (isSafe(x) && isSafe(y)) return Math.sign(x - y)
  const difference = bigMantissaAt(left, low) - bigMantissaAt(right, low)
  return Number(difference > 0) - Number(difference < 0)
}

/** Whether the number has no decimals. */
export const isWholeDecimal = ({ mantissa, exponent }: Decimal): boolean =>
  exponent >= 0 || BigInt(mantissa) % bigPowerOfTen(-exponent) === 0n

/**
 * The quotient: exact where it has at most 34 digits, else rounded to 34.
 *
 * @throws {Fault} division_by_zero, overflow
 */
export function divideDecimals(left: Decimal, right: Decimal, rounding: RoundingMode): Decimal {
  const { mantissa: x, exponent: a } = left
  const { mantissa: y, exponent: b } = right
  if (!y) throw divisionByZero()
  if (typeof x === 'number' && typeof y === 'number') {
    // Most quotients of amounts end soon; those need no bigint.
    for (let places = 0; places < 7; places++) {
      const scaled = x * (powersOfTen[places] as number)
      const quotient = scaled / y
      if (!isSafe(scaled) || Math.abs(a - b) > 300) break
      if (Number.isInteger(quotient)) return new Decimal(quotient + 0, a - b - places)
    }
  }
  const dividend = BigInt(x)
  const divisor = BigInt(y)
  const shift = Math.max(0, 36 + String(y).length - String(x).length)
  const scaled = dividend * bigPowerOfTen(shift)
  const quotient = scaled / divisor
  // One more digit keeps that something follows, so that an inexact quotient is no tie.
  const rest = quotient * divisor === scaled ? 0n : dividend < 0 === divisor < 0 ? 1n : -1n
  return roundSignificant(
    { mantissa: quotient * 10n + rest, exponent: a - b - shift - 1 },
    rounding,
  )
}

/**
 * What is left of a whole-number division; it has the dividend's sign.
 *
 * @throws {Fault} division_by_zero
 */
export function remainderOfDecimals(left: Decimal, right: Decimal): Decimal {
  if (!right.mantissa) throw divisionByZero()
  if (!left.mantissa) return left
  const low = Math.min(left.exponent, right.exponent)
  const x = mantissaAt(left, low)
  const y = mantissaAt(right, low)
  return isSafe(x) && isSafe(y)
    ? new Decimal((x % y) + 0, low)
    : settleDecimal(bigMantissaAt(left, low) % bigMantissaAt(right, low), low)
}
