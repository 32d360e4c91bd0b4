import { nearestNumber } from './decimal-text.ts'
import type { Decimal } from './decimal.ts'

/** How much work digits are; the least numbers are free, and long ones cost more than in proportion. */
export const digitUnits = (digits: number): number =>
  Math.floor(digits / 16 + (digits * digits) / 8_192)

/** Hexadecimal digits of a mantissa that no double holds, otherwise 0. */
const longDigits = ({ mantissa }: Decimal): number =>
  typeof mantissa === 'number' ? 0 : mantissa.toString(16).length

/** The exponent of the number without zeros at its end, whatever form it has. */
function lastPlace({ mantissa, exponent }: Decimal): number {
  if (typeof mantissa !== 'number' || mantissa === 0) return exponent
  let [rest, place] = [mantissa, exponent]
  for (; rest % 10 === 0; rest /= 10) place++
  return place
}

/** How far a number is written out where zeros may be added before or after its digits. */
export function decimalSize(value: Decimal): number {
  return value.mantissa ? longDigits(value) + Math.abs(lastPlace(value)) : 0
}

/** Units of adding, subtracting, comparing or dividing with a remainder: the digits once both have the same exponent. */
function alignedUnits(left: Decimal, right: Decimal): number {
  const digits = Math.max(longDigits(left), longDigits(right))
  if (left.exponent === right.exponent && digits === 0) return 0
  const isZero = !left.mantissa || !right.mantissa
  return digitUnits(digits + (isZero ? 0 : Math.abs(lastPlace(left) - lastPlace(right))))
}

/** A power that is worked out with all its digits has those of the base so many times. */
function wholeUnits(base: Decimal, power: Decimal): number {
  const { mantissa, exponent } = base
  const digits =
    longDigits(base) || String(mantissa).replace('-', '').length - lastPlace(base) + exponent
  const times = Math.abs(nearestNumber(power))
  // More are not worked out: the result would be too long.
  return Number.isInteger(times) ? digitUnits(Math.min(1_300, digits * times)) : 0
}

/**
 * Units of an operation on decimals. Equal numbers cost the same in whatever form, and everyday ones mostly nothing;
 * a quotient is 10 at least, a power or a root 100.
 */
export function decimalUnits(operation: string, left: Decimal, right: Decimal): number {
  if (operation === '^') {
    const power = longDigits(right) + (right.mantissa ? Math.max(0, lastPlace(right)) : 0)
    return (
      100 +
      digitUnits(decimalSize(left)) +
      Math.floor((power * power) / 28) +
      wholeUnits(left, right)
    )
  }
  if (operation === '*') return digitUnits(longDigits(left) + longDigits(right))
  return operation === '/'
    ? 10 + digitUnits(longDigits(left) + longDigits(right))
    : alignedUnits(left, right)
}

/** Units of rounding to so many places: the digits looked at and those dropped. */
export function roundingUnits(value: Decimal, places: number): number {
  if (!value.mantissa) return 0
  const dropped = 0 - lastPlace(value) - places
  return dropped > 0 ? digitUnits(longDigits(value) + dropped) : 0
}
