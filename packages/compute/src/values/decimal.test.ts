import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalPlaces, powersOfTen, reduceDecimal, settleDecimal, splitColumn } from './decimal.ts'
import { decimalToText } from './decimal-text.ts'

/** Decimal places of the shortest text, told without arithmetic. */
function placesOfText(value: number): number {
  const [coefficient = '', exponent = '0'] = String(value).split('e')
  return Math.max(0, (coefficient.split('.')[1]?.length ?? 0) - Number(exponent))
}

describe('decimalPlaces', () => {
  test.each([
    [0, 0],
    [-0, 0],
    [12, 0],
    [1.5, 1],
    [1.005, 3],
    [-55.725, 3],
    [1e-7, 7],
    [9007199254740991, 0],
    [-9007199254740991, 0],
    [9007199254740992, -1],
    [1e-10, -1],
    [0.1 + 0.2, -1],
    [5e-324, -1],
    [1.7976931348623157e308, -1],
    [Number.NaN, -1],
    [Number.POSITIVE_INFINITY, -1],
  ])('%d has %d places', (value, places) => {
    expect(decimalPlaces(value)).toBe(places)
  })

  test('starts where it is told to, for a scale that a column shares', () => {
    expect(decimalPlaces(1.5, 2)).toBe(2)
    expect(decimalPlaces(12, 9)).toBe(9)
    expect(decimalPlaces(1e14, 2)).toBe(-1)
  })

  test('agrees with the shortest text of any amount', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 9 }), (whole, places) => {
        const value = whole / 10 ** places
        expect(decimalPlaces(value)).toBe(placesOfText(value))
      }),
    )
  })

  test('never gives a wrong answer for any double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const places = decimalPlaces(value)
        if (places < 0) return
        const mantissa = Math.round(value * (powersOfTen[places] ?? 0))
        expect(placesOfText(value)).toBe(places)
        expect(Number(`${mantissa}e-${places}`)).toBe(value + 0)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('splitColumn', () => {
  const split = (values: readonly number[]): [number, number[]] => {
    const mantissas = new Float64Array(values.length)
    const places = splitColumn(Float64Array.from(values), values.length, mantissas)
    return [places, Array.from(mantissas)]
  }

  test('finds the one scale that all values need', () => {
    expect(split([])).toEqual([0, []])
    expect(split([1, 2, -0])).toEqual([0, [1, 2, 0]])
    expect(split([1, 1.5, 2.25, 3.1])).toEqual([2, [100, 150, 225, 310]])
    expect(split([1e-9, 12])).toEqual([9, [1, 12_000_000_000]])
  })

  test('gives up where a value does not fit', () => {
    for (const values of [
      [1e15],
      [0.5, 1e14 * 5],
      [1e-10],
      [0.1 + 0.2],
      [1, Number.NaN],
      [1 / 3],
    ]) {
      expect(split(values)[0]).toBe(-1)
    }
  })

  test('every mantissa at the scale reads as its value', () => {
    const amount = fc
      .tuple(fc.integer(), fc.integer({ min: 0, max: 4 }))
      .map(([a, b]) => a / 10 ** b)
    fc.assert(
      fc.property(fc.array(amount), (values) => {
        const [places, mantissas] = split(values)
        expect(places).toBe(Math.max(0, ...values.map(placesOfText)))
        expect(mantissas.map((mantissa) => Number(`${mantissa}e-${places}`))).toEqual(
          values.map((value) => value + 0),
        )
      }),
    )
  })
})

describe('settleDecimal', () => {
  test('keeps a safe mantissa in a double and a larger one in a bigint', () => {
    expect(settleDecimal(9007199254740991n, -2).mantissa).toBe(9007199254740991)
    expect(settleDecimal(-9007199254740993n, -2).mantissa).toBe(-9007199254740993n)
    expect(settleDecimal(90071992547409920n, -2)).toEqual(reduceDecimal(90071992547409920n, -2))
  })

  test('takes zeros away before it refuses a number as too long', () => {
    expect(decimalToText(settleDecimal(10n ** 1_500n, -1_500))).toBe('1')
    expect(decimalToText(settleDecimal(0n, -5_000))).toBe('0')
  })

  test('allows 1,000 digits on either side of the point and no more', () => {
    const allowed = [
      [1n, 999],
      [1n, -1_000],
      [10n ** 999n + 1n, 0],
      [10n ** 999n + 1n, -1_000],
    ] as const
    for (const [mantissa, exponent] of allowed) settleDecimal(mantissa, exponent)
    const refused = [
      [1n, 1_000],
      [1n, -1_001],
      [10n ** 1_000n + 1n, 0],
      [-(10n ** 1_000n) - 1n, -3],
    ] as const
    for (const [mantissa, exponent] of refused) {
      expect(() => settleDecimal(mantissa, exponent)).toThrow(
        expect.objectContaining({ code: 'overflow' }),
      )
    }
  })
})
