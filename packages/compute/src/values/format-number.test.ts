import { Decimal as Reference } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoundingMode } from './decimal.ts'
import { decimalOf, parseDecimal } from './decimal-text.ts'
import { formatFixed, formatMoney, formatPercent, formatThousands } from './format-number.ts'

const up = (digits: number): { digits: number; rounding: RoundingMode } => ({
  digits,
  rounding: 'half_up',
})
const even = (digits: number): { digits: number; rounding: RoundingMode } => ({
  digits,
  rounding: 'half_even',
})
const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted })

describe('formatFixed', () => {
  test.each([
    [1.005, 2, ['1.01', '1.00']],
    [2.675, 2, ['2.68', '2.68']],
    [12, 2, ['12.00', '12.00']],
    [0.5, 0, ['1', '0']],
    [-0.004, 2, ['0.00', '0.00']],
    [-0.005, 2, ['-0.01', '0.00']],
    [-0, 2, ['0.00', '0.00']],
    [1e-7, 2, ['0.00', '0.00']],
    [1e-7, 8, ['0.00000010', '0.00000010']],
    [1e21, 1, ['1000000000000000000000.0', '1000000000000000000000.0']],
    [9007199254740992, 0, ['9007199254740992', '9007199254740992']],
    [0.1 + 0.2, 17, ['0.30000000000000004', '0.30000000000000004']],
  ])('%d with %d digits', (value, digits, [halfUp, halfEven]) => {
    expect(formatFixed(value, up(digits))).toBe(halfUp)
    expect(formatFixed(value, even(digits))).toBe(halfEven)
    expect(formatFixed(decimalOf(value), up(digits))).toBe(halfUp)
  })

  test('keeps the digits of a decimal that no double has', () => {
    expect(formatFixed(parseDecimal('12345678901234567890.125'), up(2))).toBe(
      '12345678901234567890.13',
    )
    expect(formatFixed(parseDecimal('-0.0000000000000000000001'), up(20))).toBe(
      `0.${'0'.repeat(20)}`,
    )
  })

  test.each([-1, 21, 0.5, Number.NaN])('%d digits are refused', (digits) => {
    expect(() => formatFixed(1, up(digits))).toThrow(code('bad_value'))
  })

  test('agrees with decimal.js and never has a negative zero', () => {
    fc.assert(
      fc.property(double, fc.integer({ min: 0, max: 20 }), (value, digits) => {
        const text = formatFixed(value, up(digits))
        const expected = new Reference(String(value)).toFixed(digits, Reference.ROUND_HALF_UP)
        expect(text).toBe(/[1-9]/.test(expected) ? expected : expected.replace('-', ''))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('formatMoney', () => {
  test.each([
    [-1234.5, '$', '-$1,234.50'],
    [0, '$', '$0.00'],
    [-0.001, '€', '€0.00'],
    [999.995, '', '1,000.00'],
    [1e15, 'CHF ', 'CHF 1,000,000,000,000,000.00'],
    [123, '$&', '$&123.00'],
  ])('%d in %j', (value, symbol, expected) => {
    expect(formatMoney(value, symbol, up(2))).toBe(expected)
  })

  test('takes other digits', () => {
    expect(formatMoney(-1234567, '¥', up(0))).toBe('-¥1,234,567')
  })

  test('is the fixed text once symbol and separators are gone', () => {
    fc.assert(
      fc.property(double, (value) => {
        const text = formatMoney(value, '$', even(2))
        expect(text).toMatch(/^-?\$\d{1,3}(,\d{3})*\.\d\d$/)
        expect(text.replace('$', '').replaceAll(',', '')).toBe(formatFixed(value, even(2)))
      }),
    )
  })
})

describe('formatPercent', () => {
  test.each([
    [0.125, 0, ['13%', '12%']],
    [0.125, 1, ['12.5%', '12.5%']],
    [-0.001, 0, ['0%', '0%']],
    [1.1, 0, ['110%', '110%']],
    [0.285, 0, ['29%', '28%']],
    [0.07, 12, ['7.000000000000%', '7.000000000000%']],
  ])('%d with %d digits', (value, digits, [halfUp, halfEven]) => {
    expect(formatPercent(value, up(digits))).toBe(halfUp)
    expect(formatPercent(value, even(digits))).toBe(halfEven)
  })
})

describe('formatThousands', () => {
  test.each([
    [1, '1'],
    [-123, '-123'],
    [-1234, '-1,234'],
    [1234567.891, '1,234,567.891'],
    [0.1 + 0.2, '0.3'],
    [1e-7, '0.0000001'],
    [1e21, '1,000,000,000,000,000,000,000'],
    [-0, '0'],
    [9007199254740991, '9,007,199,254,740,991'],
  ])('%d', (value, expected) => {
    expect(formatThousands(value, ',')).toBe(expected)
  })

  test('any separator, every digit of a decimal', () => {
    expect(formatThousands(1234567, '$&')).toBe('1$&234$&567')
    expect(formatThousands(parseDecimal('1234.0000000000000000000001'), '.')).toBe(
      '1.234.0000000000000000000001',
    )
  })
})
