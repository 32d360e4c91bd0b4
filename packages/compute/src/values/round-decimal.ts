import { bigPowerOfTen, Decimal, powersOfTen, type RoundingMode, settleDecimal } from './decimal.ts'

/** Every way to make a number shorter. */
export type DecimalRounding = RoundingMode | 'floor' | 'ceil' | 'trunc'

/** How many digits a quotient, a root or a power keeps that has no end. */
export const keptDigits = 34

/**
 * Rounds `mantissa / power` to a whole number, exactly, in doubles.
 *
 * The quotient may itself be rounded to the wrong side of a tie; the remainder, which is exact,
 * tells.
 *
 * @param mantissa - a safe integer
 * @param power - a power of ten up to 10^22
 */
export function roundMantissa(mantissa: number, power: number, rounding: RoundingMode): number {
  const nearest = Math.round(mantissa / power) + 0
  const rest = mantissa - nearest * power
  const beyondTie = Math.abs(rest) * 2 - power
  if (beyondTie < 0) return nearest
  const moves = beyondTie > 0 || (rounding === 'half_up' ? rest > 0 === mantissa > 0 : nearest % 2)
  return moves ? nearest + Math.sign(rest) + 0 : nearest
}

const isHalf = (rounding: DecimalRounding): rounding is RoundingMode => rounding.startsWith('half')

function roundBig(mantissa: bigint, power: bigint, rounding: DecimalRounding): bigint {
  const whole = mantissa / power
  const rest = mantissa - whole * power
  if (!rest) return whole
  const step = rest > 0 ? 1n : -1n
  const beyondTie = rest * step * 2n - power
  const moves = isHalf(rounding)
    ? beyondTie > 0 || (!beyondTie && (rounding === 'half_up' || whole % 2n))
    : rounding === (rest > 0 ? 'ceil' : 'floor')
  return moves ? whole + step : whole
}

/**
 * Rounds to a number of decimal places; with a negative one to tens, hundreds and so on.
 *
 * @throws {Fault} overflow
 */
export function roundDecimal(value: Decimal, digits: number, rounding: DecimalRounding): Decimal {
  const { mantissa, exponent } = value
  const drop = 0 - exponent - digits
  if (drop <= 0) return value
  const power = powersOfTen[drop]
  return typeof mantissa === 'number' && power && isHalf(rounding)
    ? new Decimal(roundMantissa(mantissa, power, rounding), 0 - digits)
    : settleDecimal(roundBig(BigInt(mantissa), bigPowerOfTen(drop), rounding), 0 - digits)
}

/**
 * Rounds to so many significant digits.
 *
 * @throws {Fault} overflow
 */
export function roundSignificant(
  { mantissa, exponent }: { readonly mantissa: bigint; readonly exponent: number },
  rounding: RoundingMode,
  significant: number = keptDigits,
): Decimal {
  const drop = String(mantissa).replace('-', '').length - significant
  if (drop <= 0) return settleDecimal(mantissa, exponent)
  return settleDecimal(roundBig(mantissa, bigPowerOfTen(drop), rounding), exponent + drop)
}
