import { Decimal as Reference } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal } from './decimal.ts'
import { compareDecimals } from './decimal-arithmetic.ts'
import {
  decimalOf,
  decimalToText,
  exactNumber,
  fixedText,
  nearestNumber,
  parseDecimal,
  parseNumber,
} from './decimal-text.ts'

const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const edges = [
  0,
  0.5,
  1.005,
  2.675,
  55.725,
  1e-7,
  5e-324,
  2.2250738585072014e-308,
  1.7976931348623157e308,
  9007199254740991,
  9007199254740992,
  9007199254740994,
  1e15,
  1e21,
  1e22,
  1e23,
  123456789012345.6,
  0.1 + 0.2,
  2251799813685248.5,
  1e-22,
  1e-23,
]
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted })
/** Every digit of a double's shortest text. */
const digitsOf = (value: number): string => new Reference(String(value)).toFixed()

describe('decimals of doubles', () => {
  test.each([...edges, ...edges.map((edge) => -edge)])(
    '%d is its shortest text and comes back',
    (value) => {
      expect(decimalToText(decimalOf(value))).toBe(digitsOf(value + 0).replace(/^-0$/, '0'))
      expect(exactNumber(decimalOf(value))).toBe(value + 0)
    },
  )

  test('any double is its shortest text and comes back', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          double,
          fc.maxSafeInteger(),
          fc.integer().map((cents) => cents / 100),
        ),
        (value) => {
          expect(decimalToText(decimalOf(value))).toBe(digitsOf(value + 0))
          expect(exactNumber(decimalOf(value))).toBe(value + 0)
        },
      ),
      { numRuns: 5_000 },
    )
  })

  test('a decimal that is no double stays where it is', () => {
    for (const text of [
      '9007199254740993',
      '0.1000000000000000055511151231257827',
      '1e400',
      '1e-400',
      '-2e308',
    ]) {
      expect(exactNumber(parseDecimal(text))).toBeUndefined()
    }
    expect(exactNumber(parseDecimal('9007199254740992.0'))).toBe(9007199254740992)
    expect(exactNumber(parseDecimal('1e308'))).toBe(1e308)
  })

  test('the nearest double is the one that the text reads as', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
        fc.integer({ min: -340, max: 300 }),
        (mantissa, exponent) => {
          const text = `${mantissa}e${exponent}`
          const value = parseDecimal(text)
          expect(nearestNumber(value)).toBe(Number(text) + 0)
          const exact = exactNumber(value)
          if (exact === undefined) return
          expect(new Reference(String(exact)).eq(text)).toBe(true)
        },
      ),
      { numRuns: 5_000 },
    )
  })
})

describe('texts', () => {
  test.each([
    ['1', '1'],
    ['003.200', '3.2'],
    ['-0', '0'],
    ['-0.00e5', '0'],
    ['1e3', '1000'],
    ['1E+3', '1000'],
    ['1.5e-3', '0.0015'],
    ['-120e-1', '-12'],
    ['0e99999999999999999999', '0'],
    ['9007199254740993', '9007199254740993'],
    [`${'0'.repeat(50_000)}7.${'0'.repeat(40_000)}`, '7'],
    ['1'.repeat(1_000), '1'.repeat(1_000)],
  ])('%s is read', (text, expected) => {
    expect(decimalToText(parseDecimal(text))).toBe(expected)
  })

  test.each([
    '',
    '-',
    '+1',
    '.5',
    '1.',
    '1e',
    '1e+',
    '--1',
    ' 1',
    '1 ',
    '0x10',
    '1_000',
    '1,5',
    '1.2.3',
    '1e5.5',
    'Infinity',
    'NaN',
    '١',
    '1e--2',
    '1n',
    '1\n',
  ])('the string %j is no number', (text) => {
    expect(() => parseDecimal(text)).toThrow(code('bad_value'))
    expect(() => parseNumber(text)).toThrow(code('bad_value'))
  })

  test('numbers of more than 1,000 digits are refused without being worked out', () => {
    for (const text of [
      '1'.repeat(1_001),
      '1e1000',
      '1e-1001',
      '1e999999999',
      '1e-99999999999999999999',
      '1'.repeat(100_000),
    ]) {
      expect(() => parseDecimal(text)).toThrow(code('overflow'))
    }
  })

  test('a string is read as the nearest double', () => {
    expect(parseNumber('003.20')).toBe(3.2)
    expect(parseNumber('-0')).toBe(0)
    expect(parseNumber('1e-400')).toBe(0)
    expect(() => parseNumber('1e309')).toThrow(code('overflow'))
    expect(() => parseNumber(`1${'0'.repeat(400)}`)).toThrow(code('overflow'))
  })

  test('text of a decimal reads as the same decimal, like that of decimal.js', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
        fc.integer({ min: -80, max: 40 }),
        (mantissa, exponent) => {
          const value = parseDecimal(`${mantissa}e${exponent}`)
          const text = decimalToText(value)
          expect(text).toBe(new Reference(`${mantissa}e${exponent}`).toFixed())
          expect(compareDecimals(parseDecimal(text), value)).toBe(0)
          const unreduced = new Decimal(mantissa * 1_000n, exponent - 3)
          expect(decimalToText(unreduced)).toBe(text)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('fixed places are filled with zeros', () => {
    expect(fixedText(parseDecimal('12'), 2)).toBe('12.00')
    expect(fixedText(parseDecimal('-1e3'), 1)).toBe('-1000.0')
    expect(fixedText(parseDecimal('0.05'), 2)).toBe('0.05')
    expect(fixedText(new Decimal(0, 5), 0)).toBe('0')
    expect(fixedText(new Decimal(0, -5), 2)).toBe('0.00')
  })
})
