import {
  bigPowerOfTen,
  Decimal,
  fitsDigits,
  reduceDecimal,
  type RoundingMode,
  tooManyDigits,
} from './decimal.ts'
import {
  divideDecimals,
  divisionByZero,
  isWholeDecimal,
  negateDecimal,
} from './decimal-arithmetic.ts'
import { nearestNumber } from './decimal-text.ts'
import { Fault } from './fault.ts'
import { keptDigits, roundSignificant } from './round-decimal.ts'

/** e to the power of x, both fixed-point numbers of so many binary places. */
function exponential(x: bigint, bits: bigint): bigint {
  const small = x >> 16n
  let term = 1n << bits
  let sum = term
  for (let count = 1n; term; count++) {
    term = ((term * small) >> bits) / count
    sum += term
  }
  for (let count = 0; count < 16; count++) sum = (sum * sum) >> bits
  return sum
}

/** The natural logarithm of x >= 1, both fixed-point: a double, made exact by Halley's method. */
function logarithm(x: bigint, bits: bigint): bigint {
  const text = x.toString(16)
  const head = text.slice(0, 13)
  const double =
    Math.log(Number(`0x${head}`)) + Math.LN2 * ((text.length - head.length) * 4 - Number(bits))
  let result = BigInt(Math.round(double * 2 ** 48)) << (bits - 48n)
  for (;;) {
    const power = exponential(result, bits)
    const step = ((x - power) << (bits + 1n)) / (x + power)
    result += step
    // The error left is the third power of the step.
    if ((step ** 3n) >> (bits * 2n) < 1n && -(step ** 3n) >> (bits * 2n) < 1n) return result
  }
}

/** A power of a positive base to 34 digits, in binary fixed-point numbers with room for the rounding. */
function approximatePower(base: Decimal, power: Decimal, rounding: RoundingMode): Decimal {
  const bits = 256n + 4n * BigInt(String(power.mantissa).length + Math.max(0, power.exponent))
  const fixed = ({ mantissa, exponent }: Decimal): bigint =>
    ((BigInt(mantissa) << bits) * bigPowerOfTen(Math.max(0, exponent))) /
    bigPowerOfTen(Math.max(0, -exponent))
  let x = fixed(base)
  let y = fixed(power)
  if (!(x >> bits)) {
    // The logarithm wants a base of at least one: (1/x)^-y.
    x = (bigPowerOfTen(-base.exponent) << bits) / BigInt(base.mantissa)
    y = -y
  }
  const product = (logarithm(x, bits) * (y < 0 ? -y : y)) >> bits
  // e^2400 has more than 1,000 digits.
  if (product >> bits > 2_400) throw tooManyDigits()
  const value = exponential(product, bits)
  const places = 60 + String(value >> bits).length
  const scale = bigPowerOfTen(places)
  const raw = y < 0 ? (scale << bits) / value : (value * scale) >> bits
  // Rounded to 60 digits first, which gives a result that has an end its end.
  const { mantissa, exponent } = roundSignificant(
    { mantissa: raw, exponent: -places },
    'half_even',
    60,
  )
  return roundSignificant({ mantissa: BigInt(mantissa), exponent }, rounding)
}

/**
 * The power. A whole exponent from 0 on gives all digits while they are at most 1,000; everything
 * else is rounded to 34 digits, so that interest over 360 months has a value.
 *
 * @throws {Fault} division_by_zero, bad_value, overflow
 */
export function raiseDecimal(base: Decimal, power: Decimal, rounding: RoundingMode): Decimal {
  if (!power.mantissa) return new Decimal(1, 0)
  if (!base.mantissa) {
    if (power.mantissa < 0) throw divisionByZero()
    return base
  }
  const isWhole = isWholeDecimal(power)
  if (base.mantissa < 0) {
    if (!isWhole) throw new Fault('bad_value', 'root of a negative number', 'Check the sign.')
    const result = raiseDecimal(negateDecimal(base), power, rounding)
    const half = new Decimal(BigInt(power.mantissa) * 5n, power.exponent - 1)
    return isWholeDecimal(half) ? result : negateDecimal(result)
  }
  const reduced = reduceDecimal(BigInt(base.mantissa), base.exponent)
  const times = Math.abs(nearestNumber(power))
  // Beyond this bound a power has more than 1,000 digits for sure; below, it is quickly worked out.
  if (!isWhole || (String(reduced.mantissa).length - 0.7) * times > 1_300) {
    return approximatePower(reduced, power, rounding)
  }
  const mantissa = BigInt(reduced.mantissa) ** BigInt(times)
  const exponent = reduced.exponent * times
  if (power.mantissa < 0) {
    return divideDecimals(new Decimal(1, 0), new Decimal(mantissa, exponent), rounding)
  }
  const keepsAll = fitsDigits(String(mantissa).length, exponent)
  return roundSignificant({ mantissa, exponent }, rounding, keepsAll ? 1e3 : keptDigits)
}
