import { Decimal as Reference } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoundingMode } from './decimal.ts'
import { roundNumber } from './round-number.ts'

const modes: Record<RoundingMode, Reference.Rounding> = {
  half_up: Reference.ROUND_HALF_UP,
  half_even: Reference.ROUND_HALF_EVEN,
}
/** The same rounding on all digits of the shortest text. */
function byText(value: number, digits: number, rounding: RoundingMode): number {
  const Wide = Reference.clone({ precision: 1_000, rounding: modes[rounding] })
  const scaled = new Wide(String(value)).times(`1e${digits}`).toDecimalPlaces(0)
  return scaled.times(`1e${-digits}`).toNumber() + 0
}

describe('roundNumber', () => {
  test.each([
    [1.005, 2, [1.01, 1]],
    [2.675, 2, [2.68, 2.68]],
    [55.725, 2, [55.73, 55.72]],
    [-55.725, 2, [-55.73, -55.72]],
    [1e-7, 7, [1e-7, 1e-7]],
    [1.5e-7, 7, [2e-7, 2e-7]],
    [5e-324, 20, [0, 0]],
    [-5e-324, 2, [0, 0]],
    [-0, 2, [0, 0]],
    [-0.4, 0, [0, 0]],
    [0.5, 0, [1, 0]],
    [-0.5, 0, [-1, 0]],
    [1.5, 0, [2, 2]],
    [2.5, 0, [3, 2]],
    [0.49999999999999994, 0, [0, 0]],
    [0.1 + 0.2, 16, [0.3, 0.3]],
    [1250, -2, [1300, 1200]],
    [-50, -2, [-100, 0]],
    [1.7976931348623157e308, 20, [1.7976931348623157e308, 1.7976931348623157e308]],
    [1.7976931348623157e308, -20, [1.7976931348623157e308, 1.7976931348623157e308]],
    [9007199254740991, 0, [9007199254740991, 9007199254740991]],
    [9007199254740991, -1, [9007199254740990, 9007199254740990]],
    [2251799813685249.5, 0, [2251799813685250, 2251799813685250]],
    [2251799813685248.5, 0, [2251799813685249, 2251799813685248]],
    [1e21, 0, [1e21, 1e21]],
    [5e20, -20, [5e20, 5e20]],
    [5e19, -20, [1e20, 0]],
  ])('%d to %d digits', (value, digits, [up, even]) => {
    expect(roundNumber(value, digits, 'half_up')).toBe(up)
    expect(roundNumber(value, digits, 'half_even')).toBe(even)
  })

  test.each([-21, 21, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    '%d digits are refused',
    (digits) => {
      expect(() => roundNumber(1, digits, 'half_up')).toThrow(
        expect.objectContaining({ code: 'bad_value' }),
      )
    },
  )

  test('agrees with rounding the text, for any double and for ties', () => {
    const tie = fc
      .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 8 }))
      .map(([whole, places]) => Number(`${whole}5e-${places + 1}`))
    const neighbour = fc
      .tuple(tie, fc.constantFrom(-1, 1))
      .map(([value, step]) => value * (1 + step * 2 ** -52))
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      tie,
      neighbour,
    )
    fc.assert(
      fc.property(
        value,
        fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 0, max: 8 })),
        fc.constantFrom('half_up' as const, 'half_even' as const),
        (number, digits, rounding) => {
          expect(roundNumber(number, digits, rounding)).toBe(byText(number, digits, rounding))
        },
      ),
      { numRuns: 10_000 },
    )
  })

  test('is stable, odd and never passes its neighbours', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.integer({ min: -6, max: 6 }),
        (value, digits) => {
          const rounded = roundNumber(value, digits, 'half_up')
          expect(roundNumber(rounded, digits, 'half_even')).toBe(rounded)
          expect(roundNumber(-value, digits, 'half_up')).toBe(0 - rounded)
        },
      ),
    )
  })
})
