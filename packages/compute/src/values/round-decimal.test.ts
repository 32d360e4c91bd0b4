import { Decimal as Reference } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalToText, parseDecimal } from './decimal-text.ts'
import {
  type DecimalRounding,
  roundDecimal,
  roundMantissa,
  roundSignificant,
} from './round-decimal.ts'

const Wide = Reference.clone({ precision: 3_000, toExpNeg: -9e15, toExpPos: 9e15 })
const modes: Record<DecimalRounding, Reference.Rounding> = {
  half_up: Reference.ROUND_HALF_UP,
  half_even: Reference.ROUND_HALF_EVEN,
  floor: Reference.ROUND_FLOOR,
  ceil: Reference.ROUND_CEIL,
  trunc: Reference.ROUND_DOWN,
}
const rounding = fc.constantFrom(...(Object.keys(modes) as DecimalRounding[]))

/** Whole numbers with many ties and near-ties among them. */
const nearTie = fc
  .tuple(
    fc.integer({ min: -99_999, max: 99_999 }),
    fc.integer({ min: 1, max: 10 }),
    fc.constantFrom(-1, 0, 1),
  )
  .map(([head, power, step]) => head * 10 ** power + Math.sign(head) * 5 * 10 ** (power - 1) + step)

describe('roundMantissa', () => {
  test.each([
    [25, 'half_up', 3],
    [25, 'half_even', 2],
    [35, 'half_even', 4],
    [-25, 'half_up', -3],
    [-25, 'half_even', -2],
    [-35, 'half_even', -4],
    [5, 'half_up', 1],
    [5, 'half_even', 0],
    [-5, 'half_up', -1],
    [-5, 'half_even', 0],
    [-4, 'half_up', 0],
  ] as const)('%d tenths, %s: %d', (mantissa, mode, expected) => {
    expect(roundMantissa(mantissa, 10, mode)).toBe(expected)
  })

  test('is exact for every safe integer and power of ten', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.maxSafeInteger(),
          nearTie,
          fc.integer({ min: -3, max: 0 }).map((x) => Number.MAX_SAFE_INTEGER + x),
        ),
        fc.integer({ min: 1, max: 22 }),
        fc.constantFrom('half_up' as const, 'half_even' as const),
        (mantissa, power, mode) => {
          const expected = new Wide(mantissa).div(`1e${power}`).toDecimalPlaces(0, modes[mode])
          expect(roundMantissa(mantissa, 10 ** power, mode)).toBe(expected.toNumber() + 0)
        },
      ),
      { numRuns: 5_000 },
    )
  })
})

const decimalText = fc
  .tuple(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), fc.integer({ min: -60, max: 20 }))
  .map(([mantissa, exponent]) => `${mantissa}e${exponent}`)

describe('roundDecimal', () => {
  test('agrees with decimal.js, for digits before and after the point', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          decimalText,
          nearTie.map((mantissa) => `${mantissa}e-12`),
        ),
        fc.integer({ min: -40, max: 40 }),
        rounding,
        (text, digits, mode) => {
          const scaled = new Wide(text).times(`1e${digits}`)
          const expected = scaled.toDecimalPlaces(0, modes[mode]).times(`1e${-digits}`)
          const actual = roundDecimal(parseDecimal(text), digits, mode)
          expect(decimalToText(actual)).toBe(expected.plus(0).toFixed().replace(/^-0$/, '0'))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('roundSignificant', () => {
  test('agrees with decimal.js', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.bigInt({ min: -(10n ** 90n), max: 10n ** 90n }),
          // Ties at 34 digits.
          fc.bigInt({ min: 10n ** 33n, max: 10n ** 34n - 1n }).map((head) => head * 10n + 5n),
        ),
        fc.constantFrom('half_up' as const, 'half_even' as const),
        (mantissa, mode) => {
          const expected = new Wide(String(mantissa))
            .toSignificantDigits(34, modes[mode])
            .times('1e-50')
          expect(decimalToText(roundSignificant({ mantissa, exponent: -50 }, mode))).toBe(
            expected.toFixed(),
          )
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
