import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readArray, writeArray } from './sql-arrays.ts'
import { encodeParameters } from './sql-params.ts'
import { findValueReader } from './sql-values.ts'

const types = { int8: 20, float8: 701, timestamp: 1114, timestamptz: 1184, json: 114, jsonb: 3802 }

test.for([
  [types.int8, '9007199254740991', 9007199254740991],
  [types.int8, '-9007199254740992', '-9007199254740992'],
  [types.float8, '1e+300', 1e300],
  [types.float8, 'Infinity', 'Infinity'],
  [types.timestamp, '2026-01-02 03:04:05', '2026-01-02T03:04:05'],
  [types.timestamp, '10000-01-02 03:04:05', '10000-01-02 03:04:05'],
  [types.timestamp, 'infinity', 'infinity'],
  [types.timestamptz, '2026-01-02 03:04:05.6+00', '2026-01-02T03:04:05.6Z'],
  [types.timestamptz, '2026-01-02 03:04:05-03', '2026-01-02T03:04:05-03:00'],
  [types.timestamptz, '2026-01-02 03:04:05+05:30', '2026-01-02T03:04:05+05:30'],
  [types.timestamptz, '0044-03-15 00:00:00+00 BC', '0044-03-15 00:00:00+00 BC'],
  [types.json, '{"a":0.30000000000000004}', { a: 0.30000000000000004 }],
  [
    types.json,
    '[9007199254740993, 1e400, 1e-400, 1.00000000000000000001]',
    ['9007199254740993', '1e400', '1e-400', '1.00000000000000000001'],
  ],
  [types.json, '[3.0000000000000003, -1e-7]', ['3.0000000000000003', -1e-7]],
  [types.json, '[1.0000000000000000, 0.00e-10, 12e10]', [1, 0, 12e10]],
  [types.json, '"9007199254740993"', '9007199254740993'],
  [types.jsonb, `${'['.repeat(101)}${']'.repeat(101)}`, `${'['.repeat(101)}${']'.repeat(101)}`],
  [types.jsonb, '{"[": "]"}', { '[': ']' }],
  [999_999, '{a,b}', '{a,b}'],
] as const)('type %i, text %j', ([type, text, value]) => {
  expect(findValueReader(type)(text)).toEqual(value)
})

test('any number that JSON of JavaScript holds comes out of json as it went in', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const value = findValueReader(types.json)(JSON.stringify(number))
      // Whole numbers beyond 2^53 become text, because another writer may have meant more digits.
      expect(Number(value)).toBe(number + 0)
    }),
  )
})

describe('arrays', () => {
  test('any texts come back from the text of an array', () => {
    const texts = fc.array(fc.option(fc.string({ unit: 'grapheme' })), { minLength: 1 })
    fc.assert(
      fc.property(texts, (values) => {
        expect(readArray(writeArray(values), (text) => text)).toEqual(values)
      }),
    )
  })

  test('text that is no array stays as it is', () => {
    for (const text of ['', 'x', '{1', '[0:1]', '{"a']) expect(readArray(text, Number)).toBe(text)
  })
})

test('params that are arrays follow the type of their place', () => {
  expect(encodeParameters([[1, 'a', null, { b: 1 }], [1]], [1009, types.jsonb])).toEqual([
    String.raw`{1,"a",NULL,"{\"b\":1}"}`,
    '[1]',
  ])
})
