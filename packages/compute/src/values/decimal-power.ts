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
import { roundSignificant } from './round-decimal.ts'

const one = new Decimal(1, 0)

/**
 * The square root to 34 digits.
 *
 * @throws {Fault} bad_value, overflow
 */
export function squareRootOfDecimal(
  { mantissa, exponent }: Decimal,
  rounding: RoundingMode,
): Decimal {
  if (mantissa < 0) {
    throw new Fault('bad_value', 'square root of a negative number', 'Check the sign first.')
  }
  if (!mantissa) return new Decimal(0, 0)
  let shift = Math.max(0, 74 - String(mantissa).length)
  if ((exponent - shift) % 2 !== 0) shift++
  const square = BigInt(mantissa) * bigPowerOfTen(shift)
  // Newton's method from above: it falls until it stands at the whole root.
  let root = square + 1n
  let next = 1n << BigInt(square.toString(16).length * 2)
  while (next < root) {
    root = next
    next = (root + square / root) >> 1n
  }
  // One more digit keeps that something follows, so that an inexact root is no tie.
  const rest = root * root === square ? 0n : 1n
  return roundSignificant(
    { mantissa: root * 10n + rest, exponent: (exponent - shift) / 2 - 1 },
    rounding,
  )
}

/** e to the power of x, both fixed-point numbers of so many binary places. */
function exponential(x: bigint, bits: bigint): bigint {
  const small = x >> 16n
  let term = 1n << bits
  let sum = term
  for (let count = 1n; term !== 0n; count++) {
    term = ((term * small) >> bits) / count
    sum += term
  }
  for (let count = 0; count < 16; count++) sum = (sum * sum) >> bits
  return sum
}

/** The natural logarithm of x >= 1, both fixed-point: a double, made exact by Halley's method. */
function logarithm(x: bigint, bits: bigint): bigint {
  const text = x.toString(16)
  const double =
    Math.log(Number(`0x${text.slice(0, 13)}`)) +
    Math.LN2 * ((text.length - Math.min(13, text.length)) * 4 - Number(bits))
  let result = BigInt(Math.round(double * 2 ** 48)) << (bits - 48n)
  for (;;) {
    const power = exponential(result, bits)
    const step = ((x - power) << (bits + 1n)) / (x + power)
    result += step
    // The error left is the third power of the step.
    if ((step < 0n ? -step : step) >> ((bits * 2n) / 3n) === 0n) return result
  }
}

/** base^power to 34 digits for a positive base, in binary fixed-point numbers with room for the rounding. */
function approximatePower(base: Decimal, power: Decimal, rounding: RoundingMode): Decimal {
  const whole = String(power.mantissa).length + Math.max(0, power.exponent)
  const bits = 256n + 4n * BigInt(whole)
  const fixed = ({ mantissa, exponent }: Decimal): bigint =>
    exponent < 0
      ? (BigInt(mantissa) << bits) / bigPowerOfTen(-exponent)
      : (BigInt(mantissa) << bits) * bigPowerOfTen(exponent)
  let x = fixed(base)
  let y = fixed(power)
  if (x < 1n << bits) {
    // The logarithm wants a base of at least one: (1/x)^-y.
    x = (bigPowerOfTen(-base.exponent) << bits) / BigInt(base.mantissa)
    y = -y
  }
  const product = (logarithm(x, bits) * (y < 0n ? -y : y)) >> bits
  // e^2400 has more than 1,000 digits.
  if (product >> bits > 2_400n) throw tooManyDigits()
  const value = exponential(product, bits)
  const places = 60 + String(value >> bits).length
  const scale = bigPowerOfTen(places)
  const mantissa = y < 0n ? (scale << bits) / value : (value * scale) >> bits
  // Rounded to 60 digits first, which gives a result that has an end its end.
  const { mantissa: close, exponent } = roundSignificant(
    { mantissa, exponent: -places },
    'half_even',
    60,
  )
  return roundSignificant({ mantissa: BigInt(close), exponent }, rounding)
}

/** A whole power by multiplying; undefined where that may have too many digits to be worth it. */
function exactPower(base: Decimal, power: number): Decimal | undefined {
  const { mantissa, exponent } = base
  const length = String(mantissa).length
  return (length - 0.7) * power > 1_300
    ? undefined
    : new Decimal(BigInt(mantissa) ** BigInt(power), exponent * power)
}

/**
 * The power. A whole exponent from 0 on gives all digits while they are at most 1,000; everything
 * else is rounded to 34 digits.
 *
 * @throws {Fault} division_by_zero, bad_value, overflow
 */
export function raiseDecimal(base: Decimal, power: Decimal, rounding: RoundingMode): Decimal {
  if (!power.mantissa) return one
  if (!base.mantissa) {
    if (power.mantissa < 0) throw divisionByZero()
    return base
  }
  const whole = isWholeDecimal(power)
  if (base.mantissa < 0) {
    if (!whole) {
      throw new Fault(
        'bad_value',
        'a fractional power of a negative number',
        'Check the sign first.',
      )
    }
    const half = new Decimal(BigInt(power.mantissa) * 5n, power.exponent - 1)
    const result = raiseDecimal(negateDecimal(base), power, rounding)
    return isWholeDecimal(half) ? result : negateDecimal(result)
  }
  const { mantissa, exponent } = reduceDecimal(BigInt(base.mantissa), base.exponent)
  const reduced = new Decimal(mantissa, exponent)
  if (mantissa === 1 && exponent === 0) return one
  const times = nearestNumber(power)
  const exact = whole ? exactPower(reduced, Math.abs(times)) : undefined
  if (exact === undefined) return approximatePower(reduced, power, rounding)
  if (times < 0) return divideDecimals(one, exact, rounding)
  const raised = { mantissa: BigInt(exact.mantissa), exponent: exact.exponent }
  return fitsDigits(String(raised.mantissa).length, raised.exponent)
    ? reduceDecimal(raised.mantissa, raised.exponent)
    : roundSignificant(raised, rounding)
}
