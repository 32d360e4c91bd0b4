import {
  Decimal,
  decimalPlaces,
  fitsDigits,
  powersOfTen,
  settleDecimal,
  tooManyDigits,
} from './decimal.ts'
import { compareDecimals } from './decimal-arithmetic.ts'
import { Fault } from './fault.ts'

/** Skips digits; gives the index after them. */
function skipDigits(text: string, from: number): number {
  let index = from
  while (text.charCodeAt(index) >= 48 && text.charCodeAt(index) <= 57) index++
  return index
}

/**
 * Where the exponent's `e` is in a text of the form `-?digits[.digits][e[+-]digits]`; the text's
 * length if it has none; -1 if the text has another form.
 */
function findExponent(text: string): number {
  const start = text.startsWith('-') ? 1 : 0
  let end = skipDigits(text, start)
  if (end === start) return -1
  if (text[end] === '.') {
    const decimals = end + 1
    end = skipDigits(text, decimals)
    if (end === decimals) return -1
  }
  if (end === text.length) return end
  if (text[end] !== 'e' && text[end] !== 'E') return -1
  const sign = text[end + 1]
  const digits = sign === '+' || sign === '-' ? end + 2 : end + 1
  const last = skipDigits(text, digits)
  return last > digits && last === text.length ? end : -1
}

const notANumber = (): Fault =>
  new Fault('bad_value', 'the string is no number', 'Write digits, such as "12" or "-0.5e3".')

/**
 * The double that a string of digits stands for.
 *
 * @throws {Fault} bad_value, overflow
 */
export function parseNumber(text: string): number {
  if (findExponent(text) < 0) throw notANumber()
  const value = Number(text) + 0
  if (Number.isFinite(value)) return value
  throw new Fault('overflow', 'the number is too large', 'Numbers end at about 1.8e308.')
}

/**
 * The decimal that a string of digits stands for, however long.
 *
 * @throws {Fault} bad_value, overflow
 */
export function parseDecimal(text: string): Decimal {
  const end = findExponent(text)
  if (end < 0) throw notANumber()
  const point = text.indexOf('.')
  const sign = text.startsWith('-') ? '-' : ''
  const digits = text.slice(sign.length, end).replace('.', '')
  // Zeros are free in any number, so they go before the bigint is made.
  let from = 0
  while (digits[from] === '0') from++
  let to = digits.length
  while (to > from && digits[to - 1] === '0') to--
  if (from === to) return new Decimal(0, 0)
  const exponent =
    Number(text.slice(end + 1)) - (point < 0 ? 0 : end - point - 1) + digits.length - to
  if (!fitsDigits(to - from, exponent)) throw tooManyDigits()
  return settleDecimal(BigInt(sign + digits.slice(from, to)), exponent)
}

/** The decimal of a double's shortest text. */
export function decimalOf(value: number): Decimal {
  const places = decimalPlaces(value)
  return places < 0
    ? parseDecimal(String(value))
    : new Decimal(Math.round(value * (powersOfTen[places] ?? 1)) + 0, 0 - places)
}

/** The double nearest to the decimal; infinite where it is too large. */
export function nearestNumber({ mantissa, exponent }: Decimal): number {
  if (typeof mantissa === 'number') {
    const power = powersOfTen[Math.abs(exponent)]
    // One operation on two exact doubles is rounded once.
    if (power !== undefined) return exponent < 0 ? mantissa / power : mantissa * power
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
  const text = String(mantissa)
  const sign = mantissa < 0 ? '-' : ''
  if (!mantissa) return places > 0 ? `0.${'0'.repeat(places)}` : '0'
  const digits = (text.slice(sign.length) + '0'.repeat(exponent + places)).padStart(places + 1, '0')
  const point = digits.length - places
  return sign + digits.slice(0, point) + (places > 0 ? `.${digits.slice(point)}` : '')
}

/** All digits of the number, without an exponent and without zeros at the end. */
export function decimalToText(value: Decimal): string {
  const places = Math.max(0, -value.exponent)
  const text = fixedText(value, places)
  let end = text.length
  if (places > 0) {
    while (text[end - 1] === '0') end--
    if (text[end - 1] === '.') end--
  }
  return text.slice(0, end)
}
