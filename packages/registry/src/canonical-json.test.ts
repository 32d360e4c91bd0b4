import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonValue, canonicalJson, contentHash } from './index.ts'

const wellFormed = fc.string({ unit: 'grapheme' })
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    wellFormed,
    fc.array(tie('value')),
    fc.dictionary(wellFormed, tie('value')),
  ),
})).value as fc.Arbitrary<JsonValue>

function shuffled(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, entry]) => [key, shuffled(entry)]),
  )
}

test('canonical JSON agrees with an independent implementation of RFC 8785', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value))
    }),
  )
})

test('the order of keys never matters', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value))
    }),
  )
})

test('canonical JSON parses back to the value', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = canonicalJson(value)
      expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text)
    }),
  )
})

test('keys are sorted by UTF-16 code units, as RFC 8785 shows', () => {
  const value = {
    '\u20ac': 1,
    '\r': 2,
    '\ufb33': 3,
    '1': 4,
    '\ud83d\ude00': 5,
    '\u0080': 6,
    '\u00f6': 7,
  }
  expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toEqual([4, 2, 6, 7, 1, 5, 3])
  expect(canonicalJson(value).indexOf('\r')).toBe(-1)
})

const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

test.for([
  ['undefined', undefined],
  ['a field that is undefined', { a: undefined }],
  ['a hole in a list', [1, , 3]],
  ['NaN', Number.NaN],
  ['Infinity', { a: Number.POSITIVE_INFINITY }],
  ['a BigInt', 5n],
  ['a function', { a: () => 1 }],
  ['a symbol', Symbol('a')],
  ['a symbol key', { [Symbol('a')]: 1 }],
  ['a date', new Date(0)],
  ['a Map', new Map()],
  ['a class instance', new (class Point {})()],
  ['a lone surrogate', '\ud800'],
  ['a lone surrogate in a key', { '\udc00': 1 }],
  ['a cycle', cyclic],
  ['a list with a property', Object.assign([1], { extra: 2 })],
  [
    'a list that writes itself as something else',
    new (class extends Array<number> {
      toJSON(): number {
        return 1
      }
    })(),
  ],
  ['a hidden property', Object.defineProperty({ a: 1 }, 'toJSON', { value: () => ({ b: 2 }) })],
] as const)('%s is refused, because a hash must cover everything', ([, value]) => {
  expect(() => canonicalJson(value as never)).toThrowError(
    expect.objectContaining({ code: 'VALUE_NOT_JSON' }),
  )
})

test('the refusal names the place', () => {
  expect(() => canonicalJson({ steps: [{ value: undefined as never }] })).toThrowError(
    /\$\.steps\[0\]\.value/,
  )
})

test('the refusal stays short', () => {
  expect(() => canonicalJson({ ['k'.repeat(100_000)]: undefined as never })).toThrowError(
    /^.{0,400}$/,
  )
})

test('nesting is accepted up to 200 and refused beyond', () => {
  const nested = (depth: number): JsonValue => {
    let value: JsonValue = 0
    for (let level = 0; level < depth; level += 1) value = [value]
    return value
  }
  expect(canonicalJson(nested(200))).toHaveLength(401)
  expect(() => canonicalJson(nested(201))).toThrowError(
    expect.objectContaining({ code: 'VALUE_NOT_JSON' }),
  )
})

test('an own key called __proto__ is covered like any other', () => {
  expect(canonicalJson(JSON.parse('{"__proto__":1}') as JsonValue)).toBe('{"__proto__":1}')
})

test('the content hash is SHA-256 of the canonical text', async () => {
  expect(await contentHash({})).toBe(
    '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  )
  expect(await contentHash({ b: 1, a: 2 })).toBe(await contentHash({ a: 2, b: 1 }))
  expect(await contentHash({ a: 2 })).not.toBe(await contentHash({ a: 3 }))
})
