import {
  Decimal,
  decimalPlaces,
  fitsDigits,
  powersOfTen,
  settleDecimal,
  tooManyDigits,
  trimmedLength,
} from './decimal.ts'
import { compareDecimals } from './decimal-arithmetic.ts'
import { Fault } from './fault.ts'

// `Number` judges what is left. None of these repeats, so no text is slow.
const otherForm = /[^\dEe+.-]|^\+|^$|(?<!\d)\.|\.(?!\d)/

/** A string's number, infinite if it is too large. */
function readNumber(text: string): number {
  const value = otherForm.test(text) ? Number.NaN : Number(text)
  if (Number.isNaN(value))
    throw new Fault('bad_value', 'not a number', 'Write it like "-0.5" or "1e3".')
  return value + 0
}

/**
 * The double that a string of the form `-?digits[.digits][e[+-]digits]` stands for.
 *
 * @throws {Fault} bad_value, overflow
 */
export function parseNumber(text: string): number {
  const value = readNumber(text)
  if (Number.isFinite(value)) return value
  throw new Fault('overflow', 'more than 1.8e308', 'Use a smaller number.')
}

/**
 * The decimal that a string of that form stands for, however long.
 *
 * @throws {Fault} bad_value, overflow
 */
export function parseDecimal(text: string): Decimal {
  readNumber(text)
  return decimalOfDigits(text)
}

function decimalOfDigits(text: string): Decimal {
  const [coefficient = '', power = 0] = text.toLowerCase().split('e')
  const [whole = '', decimals = ''] = coefficient.split('.')
  const digits = whole.replace('-', '') + decimals
  // Zeros are free in any number, so they go before a bigint is made.
  const start = digits.search(/[1-9]/)
  if (start < 0) return new Decimal(0, 0)
  const end = trimmedLength(digits)
  const exponent = Number(power) + whole.length - (text < '0' ? 1 : 0) - end
  if (!fitsDigits(end - start, exponent)) throw tooManyDigits()
  const mantissa = BigInt(digits.slice(start, end))
  return settleDecimal(text < '0' ? -mantissa : mantissa, exponent)
}

/** The decimal of a double's shortest text. */
export function decimalOf(value: number): Decimal {
  const places = decimalPlaces(value)
  return places < 0
    ? decimalOfDigits(String(value))
    : new Decimal(Math.round(value * (powersOfTen[places] as number)) + 0, 0 - places)
}

/** The double nearest to the decimal; infinite where it is too large. */
export function nearestNumber({ mantissa, exponent }: Decimal): number {
  if (typeof mantissa === 'number') {
    const power = powersOfTen[Math.abs(exponent)]
    // One operation on two exact doubles is rounded once.
    if (power) return exponent < 0 ? mantissa / power : mantissa * power
  }
  return Number(`${mantissa}e${exponent}`) + 0
}

/** The double whose shortest text is this decimal; undefined if there is none. */
export function exactNumber(value: Decimal): number | undefined {
  const number = nearestNumber(value)
  const { mantissa, exponent } = value
  // Up to 15 digits every decimal is the shortest text of its nearest double.
  if (typeof mantissa === 'number' && Math.abs(mantissa) < 1e15 && Math.abs(exponent) <= 22) {
    return number
  }
  return Number.isFinite(number) && compareDecimals(decimalOf(number), value) === 0
    ? number
    : undefined
}

/** Digits with so many decimal places, of a number that has no more. */
export function fixedText({ mantissa, exponent }: Decimal, places: number): string {
  const sign = mantissa < 0 ? '-' : ''
  const digits = mantissa ? String(mantissa).slice(sign.length) + '0'.repeat(exponent + places) : ''
  const padded = digits.padStart(places + 1, '0')
  const point = padded.length - places
  return sign + padded.slice(0, point) + (places ? `.${padded.slice(point)}` : '')
}

/** All digits of the number, without an exponent and without zeros at the end. */
export function decimalToText(value: Decimal): string {
  const places = Math.max(0, -value.exponent)
  const text = fixedText(value, places)
  return places ? text.slice(0, trimmedLength(text)).replace(/\.$/, '') : text
}
