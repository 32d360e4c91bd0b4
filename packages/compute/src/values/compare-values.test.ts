import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareOrder, equalValues, orderValues } from './compare-values.ts'
import { decimalOf, parseDecimal } from './decimal-text.ts'

const equal = (left: unknown, right: unknown): boolean => equalValues(left, right, { compared: 0 })
const json = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

/** Text that equal values share. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`
}

function nested(depth: number): unknown {
  let value: unknown = []
  for (let level = 1; level < depth; level++) value = [value]
  return value
}

describe('equalValues', () => {
  test.each([
    [1, 1, true],
    [0, -0, true],
    [1, '1', false],
    [0, false, false],
    [null, 0, false],
    ['', null, false],
    [[], {}, false],
    [{}, [], false],
    [null, {}, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: { b: [1, { c: null }] } }, { a: { b: [1, { c: null }] } }, true],
    [{ '0': 1 }, [1], false],
  ])('%j and %j: %j', (left, right, expected) => {
    expect(equal(left, right)).toBe(expected)
    expect(equal(right, left)).toBe(expected)
  })

  test('inherited keys count for nothing', () => {
    expect(equal({ toString: 1 }, { valueOf: 1 })).toBe(false)
    expect(equal({}, Object.create({ a: 1 }))).toBe(true)
    expect(equal(JSON.parse('{"__proto__":{}}'), { a: {} })).toBe(false)
    expect(equal(JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}'))).toBe(true)
    expect(equal(JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":2}'))).toBe(false)
  })

  test('a number equals the decimal of its text, at any depth', () => {
    expect(equal(0.1, parseDecimal('0.10'))).toBe(true)
    expect(equal(parseDecimal('9007199254740993'), 9007199254740992)).toBe(false)
    expect(equal([{ a: parseDecimal('1.50') }], [{ a: 1.5 }])).toBe(true)
    expect(equal(parseDecimal('1'), '1')).toBe(false)
    expect(equal(parseDecimal('1'), { mantissa: 1, exponent: 0 })).toBe(false)
    expect(equal({ mantissa: 1, exponent: 0 }, parseDecimal('1'))).toBe(false)
    expect(equal(null, parseDecimal('0'))).toBe(false)
  })

  test('any JSON value equals its copy, and others only what has the same text', () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        const copy: unknown = JSON.parse(JSON.stringify(left))
        expect(equal(left, copy)).toBe(true)
        expect(equal(left, right)).toBe(canonical(left) === canonical(right))
      }),
      { numRuns: 1_000 },
    )
  })

  test('counts the pairs it compared and adds them up', () => {
    const count = { compared: 0 }
    equalValues(1, 2, count)
    expect(count.compared).toBe(0)
    equalValues([1, [2, 3], { a: 4 }], [1, [2, 3], { a: 4 }], count)
    expect(count.compared).toBe(7 + 2)
    equalValues([1, 2, 3], [9, 2, 3], count)
    expect(count.compared).toBe(9 + 2)
    equalValues([1, 2, 3], [1, 2], count)
    expect(count.compared).toBe(11 + 1)
  })

  test.each<[string, unknown, unknown, number]>([
    ['strings of one length', 'abc', 'abd', 3],
    ['strings of two lengths', 'abc', 'ab', 0],
    ['strings inside arrays', ['abc', 'x'], ['abc', 'yz'], 1 + 1 + 3 + 1],
    ['keys of both objects', { a: 1, b: 2, c: 3 }, { a: 1 }, 1 + 4],
    ['keys that differ', { a: 1, b: 2 }, { c: 1, d: 2 }, 1 + 4],
    ['long decimals', parseDecimal('7'.repeat(100)), parseDecimal('7'.repeat(99)), 6],
    ['a long decimal inside an array', [parseDecimal('7'.repeat(100))], [1], 1 + 1 + 6],
    ['short decimals', parseDecimal('1.5'), 1.5, 0],
  ])('counts %s', (...[, left, right, expected]) => {
    const count = { compared: 0 }
    equalValues(left, right, count)
    expect(count.compared).toBe(expected)
  })

  test('an order counts both lengths of strings, and the digits of long decimals', () => {
    const count = { compared: 0 }
    expect(compareOrder('abc', 'b', count)).toBe(-1)
    expect(count.compared).toBe(4)
    expect(compareOrder(parseDecimal('1e99'), parseDecimal('1e-99'), count)).toBe(1)
    expect(count.compared).toBe(4 + 17)
    expect(compareOrder(1, true, count)).toBe(undefined)
    expect(count.compared).toBe(4 + 17)
  })

  test('250 levels are compared, deeper and cyclic values are refused', () => {
    expect(equal(nested(250), nested(250))).toBe(true)
    const limit = expect.objectContaining({ code: 'limit' })
    expect(() => equal(nested(251), nested(251))).toThrow(limit)
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    expect(() => equal(cyclic, cyclic)).toThrow(limit)
  })
})

describe('orderValues', () => {
  test.each([
    [1, 2, -1],
    [2, 2, 0],
    [-0, 0, 0],
    [10, 9, 1],
    ['a', 'b', -1],
    ['10', '9', -1],
    ['b', 'a', 1],
    ['', '', 0],
    ['\u{1f600}', '\uff5e', -1],
  ])('%j and %j', (left, right, expected) => {
    expect(orderValues(left, right)! + 0).toBe(expected)
  })

  test('decimals and numbers are ordered together', () => {
    expect(orderValues(0.1, parseDecimal('0.1000000000000000055'))).toBe(-1)
    expect(orderValues(decimalOf(2), 1)).toBe(1)
    expect(orderValues(decimalOf(1), decimalOf(1))).toBe(0)
  })

  test.each([
    [1, '1'],
    [true, false],
    [null, null],
    [[1], [2]],
    [{}, {}],
    [parseDecimal('1'), '1'],
  ])('%j and %j have no order', (left, right) => {
    expect(orderValues(left, right)).toBeUndefined()
  })
})
