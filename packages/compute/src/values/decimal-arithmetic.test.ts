import { Decimal as Reference } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal, type RoundingMode } from './decimal.ts'
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  isWholeDecimal,
  multiplyDecimals,
  negateDecimal,
  remainderOfDecimals,
  subtractDecimals,
} from './decimal-arithmetic.ts'
import { decimalToText, parseDecimal } from './decimal-text.ts'
import { howOften } from '../../test/how-often.ts'

const bound = 10n ** 40n
const mantissa = fc.oneof(
  fc.bigInt({ min: -bound, max: bound }),
  fc.maxSafeInteger().map(BigInt),
  fc.integer({ min: -1_000, max: 1_000 }).map(BigInt),
  fc.integer({ min: -2, max: 2 }).map((step) => 2n ** 53n + BigInt(step)),
  fc.integer({ min: -2, max: 2 }).map((step) => -(2n ** 53n) + BigInt(step)),
)
/** A number in the notation `123e-4`, small and large ones and such around the safe integers. */
const number = fc.record({ mantissa, exponent: fc.integer({ min: -30, max: 30 }) })

interface Parts {
  readonly mantissa: bigint
  readonly exponent: number
}
const decimal = ({ mantissa: digits, exponent }: Parts): Decimal =>
  parseDecimal(`${digits}e${exponent}`)
/** The value as a whole number of 10^-60: an exact fraction with one denominator for all. */
const scaled = ({ mantissa: digits, exponent }: Parts, unit = 60): bigint =>
  digits * 10n ** BigInt(exponent + unit)
const scaledDecimal = (value: Decimal, unit = 60): bigint =>
  scaled({ mantissa: BigInt(value.mantissa), exponent: value.exponent }, unit)

/** The invariant of the type: a double is a safe integer and not -0, a bigint is none. */
function expectSettled(value: Decimal): void {
  const { mantissa: digits } = value
  if (typeof digits === 'number') {
    expect(Number.isSafeInteger(digits) && !Object.is(digits, -0)).toBe(true)
  } else {
    expect(Number.isSafeInteger(Number(digits))).toBe(false)
    expect(digits % 10n).not.toBe(0n)
  }
}

describe('against exact fractions of bigints', () => {
  const runs = { numRuns: howOften(2_000) }

  test('sum, difference and negation', () => {
    fc.assert(
      fc.property(number, number, (x, y) => {
        const sum = addDecimals(decimal(x), decimal(y))
        const difference = subtractDecimals(decimal(x), decimal(y))
        expectSettled(sum)
        expectSettled(difference)
        expect(scaledDecimal(sum)).toBe(scaled(x) + scaled(y))
        expect(scaledDecimal(difference)).toBe(scaled(x) - scaled(y))
        expect(scaledDecimal(negateDecimal(decimal(x)))).toBe(-scaled(x))
        expectSettled(negateDecimal(decimal(x)))
      }),
      runs,
    )
  })

  test('product', () => {
    fc.assert(
      fc.property(number, number, (x, y) => {
        const product = multiplyDecimals(decimal(x), decimal(y))
        expectSettled(product)
        expect(scaledDecimal(product, 120)).toBe(scaled(x) * scaled(y))
      }),
      runs,
    )
  })

  test('remainder', () => {
    fc.assert(
      fc.property(number, number, (x, y) => {
        fc.pre(y.mantissa !== 0n)
        const remainder = remainderOfDecimals(decimal(x), decimal(y))
        expectSettled(remainder)
        expect(scaledDecimal(remainder)).toBe(scaled(x) % scaled(y))
      }),
      runs,
    )
  })

  test('comparison, also of equal numbers in different forms', () => {
    fc.assert(
      fc.property(number, number, fc.integer({ min: 0, max: 30 }), (x, y, zeros) => {
        const difference = scaled(x) - scaled(y)
        const sign = difference > 0n ? 1 : difference < 0n ? -1 : 0
        expect(compareDecimals(decimal(x), decimal(y))).toBe(sign)
        const padded = new Decimal(x.mantissa * 10n ** BigInt(zeros), x.exponent - zeros)
        expect(compareDecimals(decimal(x), padded)).toBe(0)
        expect(isWholeDecimal(decimal(x))).toBe(scaled(x) % 10n ** 60n === 0n)
      }),
      runs,
    )
  })

  test('quotient: 34 digits, rounded as asked', () => {
    const modes: Record<RoundingMode, Reference.Rounding> = {
      half_up: Reference.ROUND_HALF_UP,
      half_even: Reference.ROUND_HALF_EVEN,
    }
    fc.assert(
      fc.property(
        fc.oneof(
          number,
          fc.record({
            mantissa: fc.bigInt({ min: 1n, max: 10n ** 35n }),
            exponent: fc.constant(0),
          }),
        ),
        fc.oneof(
          number,
          fc
            .constantFrom(2n, 4n, 8n, 20n, 3n, -7n, 12n)
            .map((digits) => ({ mantissa: digits, exponent: 0 })),
        ),
        fc.constantFrom('half_up' as const, 'half_even' as const),
        (x, y, mode) => {
          fc.pre(y.mantissa !== 0n)
          const quotient = divideDecimals(decimal(x), decimal(y), mode)
          expectSettled(quotient)
          const Kept = Reference.clone({ precision: 34, rounding: modes[mode] })
          const expected = new Kept(`${x.mantissa}e${x.exponent}`).div(
            `${y.mantissa}e${y.exponent}`,
          )
          expect(decimalToText(quotient)).toBe(expected.plus(0).toFixed().replace(/^-0$/, '0'))
        },
      ),
      { numRuns: howOften(5_000) },
    )
  })
})

describe('at the edges', () => {
  const code = (wanted: string): unknown => expect.objectContaining({ code: wanted })
  const [zero, one, large, small] = ['0', '1', '1e999', '1e-1000'].map(parseDecimal) as [
    Decimal,
    Decimal,
    Decimal,
    Decimal,
  ]

  test('a zero divisor is refused', () => {
    expect(() => divideDecimals(one, zero, 'half_up')).toThrow(code('division_by_zero'))
    expect(() => remainderOfDecimals(one, zero)).toThrow(code('division_by_zero'))
    expect(() => divideDecimals(zero, zero, 'half_up')).toThrow(code('division_by_zero'))
  })

  test('results of more than 1,000 digits are refused', () => {
    expect(() => multiplyDecimals(large, parseDecimal('10'))).toThrow(code('overflow'))
    expect(() => multiplyDecimals(small, parseDecimal('0.1'))).toThrow(code('overflow'))
    expect(() => divideDecimals(large, parseDecimal('0.1'), 'half_up')).toThrow(code('overflow'))
    expect(() => addDecimals(parseDecimal('9'.repeat(1_000)), one)).toThrow(code('overflow'))
  })

  test('the farthest numbers can be compared and cancel out', () => {
    expect(compareDecimals(large, small)).toBe(1)
    expect(compareDecimals(negateDecimal(large), small)).toBe(-1)
    expect(decimalToText(subtractDecimals(large, large))).toBe('0')
    expect(decimalToText(multiplyDecimals(large, small))).toBe('0.1')
  })

  test('a long chain of products with zeros at their ends stays a short number', () => {
    let value = one
    for (let count = 0; count < 3_000; count++) {
      value = multiplyDecimals(multiplyDecimals(value, parseDecimal('0.5')), parseDecimal('2'))
    }
    expect(decimalToText(value)).toBe('1')
  })

  test('money: 2 x 37.15 x 0.75 is 55.725', () => {
    const net = multiplyDecimals(
      multiplyDecimals(parseDecimal('2'), parseDecimal('37.15')),
      parseDecimal('0.75'),
    )
    expect(decimalToText(net)).toBe('55.725')
  })
})
