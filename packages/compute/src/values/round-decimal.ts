import { bigPowerOfTen, Decimal, powersOfTen, type RoundingMode, settleDecimal } from './decimal.ts'

/** Every way to make a number shorter. */
export type DecimalRounding = RoundingMode | 'floor' | 'ceil' | 'trunc'

/** How many digits a quotient, a root or a power keeps that has no end. */
const keptDigits = 34

/**
 * Rounds `mantissa / power` to a whole number, exactly, in doubles.
 *
 * The quotient may itself be rounded to the wrong side, but by less than one; the remainder, which
 * is exact, tells.
 *
 * @param mantissa - a safe integer
 * @param power - a power of ten up to 10^22
 */
export function roundMantissa(mantissa: number, power: number, rounding: DecimalRounding): number {
  const nearest = Math.round(mantissa / power)
  const rest = mantissa - nearest * power
  if (rest === 0) return nearest + 0
  const away = rest > 0 === mantissa > 0
  const other = rest > 0 ? nearest + 1 : nearest - 1
  let moves: boolean
  if (rounding === 'half_up' || rounding === 'half_even') {
    const beyondTie = Math.abs(rest) * 2 - power
    moves =
      beyondTie > 0 || (beyondTie === 0 && (rounding === 'half_up' ? away : nearest % 2 !== 0))
  } else if (rounding === 'trunc') moves = !away
  else moves = rest > 0 === (rounding === 'ceil')
  return (moves ? other : nearest) + 0
}

function roundBig(mantissa: bigint, power: bigint, rounding: DecimalRounding): bigint {
  const whole = mantissa / power
  const rest = mantissa - whole * power
  if (rest === 0n) return whole
  const positive = rest > 0n
  let away = rounding === (positive ? 'ceil' : 'floor')
  if (rounding === 'half_up' || rounding === 'half_even') {
    const beyondTie = (positive ? rest : -rest) * 2n - power
    away = beyondTie > 0n || (beyondTie === 0n && (rounding === 'half_up' || whole % 2n !== 0n))
  }
  if (!away) return whole
  return positive ? whole + 1n : whole - 1n
}

/**
 * Rounds to a number of decimal places; with a negative one to tens, hundreds and so on.
 *
 * @throws {Fault} overflow
 */
export function roundDecimal(value: Decimal, digits: number, rounding: DecimalRounding): Decimal {
  const { mantissa, exponent } = value
  const drop = -exponent - digits
  if (drop <= 0) return value
  const power = powersOfTen[drop]
  return typeof mantissa === 'number' && power !== undefined
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
  const drop = String(mantissa < 0n ? -mantissa : mantissa).length - significant
  if (drop <= 0) return settleDecimal(mantissa, exponent)
  return settleDecimal(roundBig(mantissa, bigPowerOfTen(drop), rounding), exponent + drop)
}
