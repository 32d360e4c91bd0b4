import { powersOfTen, type RoundingMode } from './decimal.ts'
import { decimalOf, nearestNumber } from './decimal-text.ts'
import { roundDecimal } from './round-decimal.ts'
import { checkWhole } from './whole-number.ts'

/**
 * Rounds a double as the decimal of its shortest text: 1.005 is a tie at two places and becomes 1.01.
 *
 * @param digits - decimal places, whole, from -20 to 20; a negative one rounds to tens and so on
 * @throws {Fault} bad_value
 */
export function roundNumber(value: number, digits: number, rounding: RoundingMode): number {
  checkWhole(digits, 'digits', [-20, 20])
  const power = powersOfTen[Math.abs(digits)] ?? 1
  const scaled = digits < 0 ? value / power : value * power
  // Scaling and the shortest text err by less than 1e-15 of the value. Further than that from a tie,
  // both round alike; the last operation is rounded once, because both its sides are exact.
  if (Math.abs(scaled - Math.floor(scaled) - 0.5) > Math.abs(scaled) * 1e-15) {
    const whole = Math.round(scaled) + 0
    return digits < 0 ? whole * power : whole / power
  }
  return nearestNumber(roundDecimal(decimalOf(value), digits, rounding))
}
