import { Fault } from './fault.ts'

/** How a tie is broken: away from zero, or to the even neighbour. */
export type RoundingMode = 'half_up' | 'half_even'

/**
 * An exact decimal number: `mantissa` times ten to the power of `exponent`. The mantissa is a double
 * while it is a safe integer and a bigint only beyond, so that everyday amounts stay as fast as
 * doubles. It may end in zeros (1.50 is 150e-2), is never -0, and values are compared with
 * `compareDecimals`, not field by field.
 */
export class Decimal {
  readonly mantissa: number | bigint
  readonly exponent: number

  constructor(mantissa: number | bigint, exponent: number) {
    this.mantissa = mantissa
    this.exponent = exponent
  }
}

/** 10^0 to 10^22: the powers of ten that a double holds exactly. */
export const powersOfTen: readonly number[] = [
  1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]

/** Whether a product or sum of safe integers came out exact. NaN is not. */
export const isSafe = (value: number): boolean =>
  value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER

/** Ten to a power that is not negative, as a bigint. */
export const bigPowerOfTen = (power: number): bigint => 10n ** BigInt(power)

/** What a number with more than 1,000 digits is refused with. */
export const tooManyDigits = (): Fault =>
  new Fault('overflow', 'more than 1000 digits', 'Round earlier.')

/** Whether a number of so many significant digits has at most 1,000 when written without an exponent. */
export const fitsDigits = (significant: number, exponent: number): boolean =>
  significant + Math.max(exponent, 0) <= 1e3 && exponent >= -1e3

/** How long a text of digits is without the zeros at its end. */
export function trimmedLength(digits: string): number {
  let { length } = digits
  while (digits[length - 1] === '0') length--
  return length
}

/**
 * The decimal of a bigint and an exponent, without zeros at its end.
 *
 * @throws {Fault} overflow
 */
export function reduceDecimal(mantissa: bigint, exponent: number): Decimal {
  if (!mantissa) return new Decimal(0, 0)
  const text = String(mantissa)
  const length = trimmedLength(text)
  const reduced = text.slice(0, length)
  const power = exponent + text.length - length
  if (!fitsDigits(mantissa < 0 ? length - 1 : length, power)) throw tooManyDigits()
  const short = Number(reduced)
  // Reading a text is the dearest part; most long mantissas end in no zero.
  const long = power === exponent ? mantissa : BigInt(reduced)
  return new Decimal(isSafe(short) ? short : long, power)
}

/**
 * The decimal of a bigint and an exponent. Zeros at its end are taken away only where that may make
 * the mantissa a double again, or where the number may be too long.
 *
 * @throws {Fault} overflow
 */
export function settleDecimal(mantissa: bigint, exponent: number): Decimal {
  const short = Number(mantissa)
  return isSafe(short) && Math.abs(exponent) <= 300
    ? new Decimal(short, exponent)
    : reduceDecimal(mantissa, exponent)
}

/**
 * How many decimal places the shortest text of a double has, for 0 to 9 places and at most 15 digits;
 * otherwise -1. With the answer `k`, the double is the decimal `Math.round(value * 10 ** k)` times
 * `10 ** -k`, found without making a text.
 *
 * Why it is right: if `m / 10^k` rounds to the double and `m` has at most 15 digits, no other
 * decimal of at most 15 digits rounds to it, so the shortest text is that decimal.
 *
 * @param value - any double
 * @param from - the smallest answer wanted; a column of amounts keeps one scale by passing its last answer
 */
export function decimalPlaces(value: number, from = 0): number {
  for (let places = from; places < 10; places++) {
    const power = powersOfTen[places] as number
    const mantissa = Math.round(value * power)
    if (mantissa / power === value) {
      return Math.abs(mantissa) < 1e15 || (places === 0 && isSafe(mantissa)) ? places : -1
    }
  }
  return -1
}

/**
 * Splits a column of doubles into whole mantissas of one scale: each value is its mantissa divided by
 * ten to the power of the answer. Mantissas have at most 15 digits.
 *
 * @param mantissas - where they are written; holds anything when the answer is -1
 * @returns the decimal places that all values share, or -1 if some value needs more than 9 or is too large for that scale
 */
export function splitColumn(values: Float64Array, count: number, mantissas: Float64Array): number {
  let places = 0
  for (let index = 0; index < count;) {
    const power = powersOfTen[places] as number
    for (; index < count; index++) {
      const value = values[index] as number
      const mantissa = Math.round(value * power)
      if (mantissa / power !== value || !(Math.abs(mantissa) < 1e15)) break
      mantissas[index] = mantissa + 0
    }
    if (index === count) return places
    const needed = decimalPlaces(values[index] as number, places)
    // A value that fits the scale, but is too long for it.
    if (needed <= places) return -1
    places = needed
    index = 0
  }
  return places
}
