import { Decimal as Reference } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoundingMode } from './decimal.ts'
import { decimalToText, parseDecimal } from './decimal-text.ts'
import { raiseDecimal } from './decimal-power.ts'

const modes: Record<RoundingMode, Reference.Rounding> = {
  half_up: Reference.ROUND_HALF_UP,
  half_even: Reference.ROUND_HALF_EVEN,
}
const mode = fc.constantFrom('half_up' as const, 'half_even' as const)
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted })
const Wide = Reference.clone({ precision: 2_000 })
const power = (base: string, exponent: string, rounding: RoundingMode = 'half_up'): string =>
  decimalToText(raiseDecimal(parseDecimal(base), parseDecimal(exponent), rounding))
const root = (text: string, rounding: RoundingMode = 'half_up'): string =>
  decimalToText(raiseDecimal(parseDecimal(text), parseDecimal('0.5'), rounding))

describe('the square root, a power of 0.5', () => {
  test('whole and decimal roots end where they end', () => {
    expect(root('0')).toBe('0')
    expect(root('144')).toBe('12')
    expect(root('2.25')).toBe('1.5')
    expect(root('1e-1000')).toBe(`0.${'0'.repeat(499)}1`)
    expect(root('1e998')).toBe(`1${'0'.repeat(499)}`)
    expect(() => root('-1')).toThrow(code('bad_value'))
  })

  test('breaks a tie at the 35th digit as asked', () => {
    const tie = `1${'0'.repeat(33)}5`
    const square = decimalToText(parseDecimal(String(BigInt(tie) ** 2n)))
    expect(root(square, 'half_up')).toBe(`1${'0'.repeat(32)}10`)
    expect(root(square, 'half_even')).toBe(`1${'0'.repeat(34)}`)
  })

  test('agrees with decimal.js', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 80n }),
        fc.integer({ min: -90, max: 90 }),
        mode,
        (mantissa, exponent, rounding) => {
          const text = `${mantissa}e${exponent}`
          const Kept = Reference.clone({ precision: 34, rounding: modes[rounding] })
          expect(root(text, rounding)).toBe(new Kept(text).sqrt().toFixed())
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('raiseDecimal', () => {
  test.each([
    ['0', '0', '1'],
    ['0', '2.5', '0'],
    ['-1', '99999999999999999999999999', '-1'],
    ['-1', '1e100', '1'],
    ['1.00', '1e900', '1'],
    ['-2', '3', '-8'],
    ['-2', '-3', '-0.125'],
    ['2', '-2', '0.25'],
    ['4', '0.5', '2'],
    ['0.25', '-0.5', '2'],
    ['1e-3', '2', '0.000001'],
    ['10', '999', `1${'0'.repeat(999)}`],
    ['10', '-1000', `0.${'0'.repeat(999)}1`],
    ['1.5', '1', '1.5'],
    ['2', '3321', String(2n ** 3_321n)],
  ])('%s to the power of %s', (base, exponent, expected) => {
    expect(power(base, exponent)).toBe(expected)
  })

  test('a whole power keeps every digit while 1,000 hold them', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -99_999, max: 99_999 }),
        fc.integer({ min: -6, max: 3 }),
        fc.integer({ min: 0, max: 120 }),
        (mantissa, exponent, times) => {
          const expected = new Wide(`${mantissa}e${exponent}`).pow(times)
          fc.pre(expected.abs().toFixed().length < 990)
          expect(power(`${mantissa}e${exponent}`, String(times))).toBe(
            expected.toFixed().replace(/^-0$/, '0'),
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  test('a longer whole power is rounded to 34 digits', () => {
    const Kept = Wide.clone({ precision: 34 })
    for (const [base, exponent] of [
      ['1.004166666666666666666666666666667', '360'],
      ['1.004166666666666666666666666666667', '-360'],
      ['0.9975', '300'],
      ['1.000000001', '100000000'],
      ['-1.05', '701'],
    ] as const) {
      const expected = new (Wide.clone({ precision: 120 }))(base).pow(exponent)
      expect(power(base, exponent)).toBe(new Kept(expected).plus(0).toFixed())
    }
  })

  test('any power that is no whole one has the 34 digits of decimal.js', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 25n }),
        fc.integer({ min: -30, max: 10 }),
        fc.tuple(fc.integer({ min: -9_999, max: 9_999 }), fc.integer({ min: -5, max: -2 }), mode),
        (mantissa, exponent, [times, places, rounding]) => {
          fc.pre(times % 10 ** -places !== 0)
          const base = `${mantissa}e${exponent}`
          const expected = new (Reference.clone({ precision: 80 }))(base).pow(`${times}e${places}`)
          fc.pre(Math.abs(expected.e) < 900)
          const Kept = Reference.clone({ precision: 34, rounding: modes[rounding] })
          const short = new Kept(expected.toSignificantDigits(60)).plus(0)
          expect(power(base, `${times}e${places}`, rounding)).toBe(short.toFixed())
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a base next to one and an enormous exponent', () => {
    // (1 + 1e-40)^1e40 is e, short by about e / 2e40.
    const euler = new (Reference.clone({ precision: 34 }))(1).exp().toFixed()
    expect(power('1.0000000000000000000000000000000000000001', '1e40')).toBe(euler)
  })

  test('a negative quotient that ends at the 35th digit is a tie', () => {
    const exact = new Wide(2).pow(-50)
    for (const rounding of ['half_up', 'half_even'] as const) {
      expect(power('2', '-50', rounding)).toBe(
        exact.toSignificantDigits(34, modes[rounding]).toFixed(),
      )
    }
  })

  test('what has no value is refused', () => {
    expect(() => power('0', '-1')).toThrow(code('division_by_zero'))
    expect(() => power('-8', '0.5')).toThrow(code('bad_value'))
    for (const [base, exponent] of [
      ['10', '1000'],
      ['0.1', '1001'],
      ['9', '1e15'],
      ['9', '1e900'],
      ['9', '-1e900'],
      ['0.5', '1e300'],
      ['1.1', '1e9'],
      ['1e999', '1.1'],
    ] as const) {
      expect(() => power(base, exponent)).toThrow(code('overflow'))
    }
  })
})
