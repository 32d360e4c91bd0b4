import { numberToText } from './number-text.ts'
import { Decimal, type RoundingMode } from './decimal.ts'
import { decimalOf, decimalToText, fixedText } from './decimal-text.ts'
import { roundDecimal } from './round-decimal.ts'
import { checkWhole } from './whole-number.ts'

/** How many decimals a formatted number has, and how it gets them. */
export interface FixedFormat {
  /** Whole, from 0 to 20. */
  readonly digits: number
  readonly rounding: RoundingMode
}

const exactValue = (value: number | Decimal): Decimal =>
  typeof value === 'number' ? decimalOf(value) : value

/**
 * Digits with a fixed number of decimals, never with an exponent, never `-0.00`.
 *
 * @throws {Fault} bad_value, overflow
 */
export function formatFixed(value: number | Decimal, { digits, rounding }: FixedFormat): string {
  checkWhole(digits, 'digits', [0, 20])
  return fixedText(roundDecimal(exactValue(value), digits, rounding), digits)
}

/** Puts the separator between groups of three digits of the whole part, and the symbol after the sign. */
function groupDigits(text: string, separator: string, symbol = ''): string {
  const [whole = '', decimals] = text.split('.')
  const sign = whole.startsWith('-') ? '-' : ''
  const digits = whole.slice(sign.length)
  let end = digits.length % 3 || 3
  let grouped = sign + symbol + digits.slice(0, end)
  for (; end < digits.length; end += 3) grouped += separator + digits.slice(end, end + 3)
  return grouped + (decimals ? `.${decimals}` : '')
}

/**
 * An amount of money: `-$1,234.50`.
 *
 * @throws {Fault} bad_value, overflow
 */
export const formatMoney = (value: number | Decimal, symbol: string, format: FixedFormat): string =>
  groupDigits(formatFixed(value, format), ',', symbol)

/**
 * A share as hundredths: 0.125 with one digit is `12.5%`.
 *
 * @throws {Fault} bad_value, overflow
 */
export function formatPercent(value: number | Decimal, format: FixedFormat): string {
  const { mantissa, exponent } = exactValue(value)
  return `${formatFixed(new Decimal(mantissa, exponent + 2), format)}%`
}

/** Groups the whole part and keeps every decimal that a text of the number has. A double loses its binary noise as in a template, but has no exponent. */
export const formatThousands = (value: number | Decimal, separator: string): string =>
  groupDigits(
    decimalToText(typeof value === 'number' ? decimalOf(Number(numberToText(value))) : value),
    separator,
  )
