import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  joinTexts,
  positionOf,
  replaceText,
  splitText,
  substringOf,
  textSize,
} from './text-functions.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'b', '😀', 'é') }),
)
const bad = expect.objectContaining({ code: 'bad_value' })
const limit = expect.objectContaining({ code: 'limit' })
const roomy = { maxLength: 100_000 }

describe('positions count code points', () => {
  test('size, also of half a pair', () => {
    expect(textSize('')).toBe(0)
    expect(textSize('a😀b')).toBe(3)
    expect(textSize('\ud83d')).toBe(1)
    expect(textSize('\ude00\ud83d')).toBe(2)
  })

  test('any text: size, substring and position as on an array of its code points', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (string, a, b) => {
        const points = Array.from(string)
        expect(textSize(string)).toBe(points.length)
        const [start = 0, end = 0] = [a % (points.length + 1), b % (points.length + 1)].toSorted(
          (x, y) => x - y,
        )
        const part = substringOf(string, start, end)
        expect(part).toBe(points.slice(start, end).join(''))
        expect(substringOf(string, start)).toBe(points.slice(start).join(''))
        const position = positionOf(string, part, start)
        expect(position).toBe(start)
        expect(splitText(string, '').length).toBe(points.length)
      }),
      { numRuns: 1_000 },
    )
  })

  test('a part is found behind astral characters, or not', () => {
    expect(positionOf('😀😀ab', 'b')).toBe(3)
    expect(positionOf('abab', 'a', 1)).toBe(2)
    expect(positionOf('abab', 'c')).toBe(-1)
    expect(positionOf('ab', '', 2)).toBe(2)
  })

  test.each([
    [-1, 1],
    [2, 1],
    [0, 4],
    [4, undefined],
    [0.5, 1],
    [0, 1.5],
    [Number.NaN, 1],
  ])('no substring from %d to %d of three characters', (start, end) => {
    expect(() => substringOf('a😀b', start, end)).toThrow(bad)
  })

  test.each([-1, 4, 0.5])('no search from %d of three characters', (from) => {
    expect(() => positionOf('a😀b', 'b', from)).toThrow(bad)
  })
})

describe('replaceText', () => {
  test('replaces all, and puts in what it is given as it is', () => {
    expect(replaceText('a.b.c', '.', { to: '$&', ...roomy })).toBe('a$&b$&c')
    expect(replaceText('aaa', 'aa', { to: '', ...roomy })).toBe('a')
    expect(replaceText('', 'a', { to: 'b', ...roomy })).toBe('')
    expect(() => replaceText('a', '', { to: 'b', ...roomy })).toThrow(bad)
  })

  test('refuses what would be too long before it makes it', () => {
    const many = 'a'.repeat(100_000)
    expect(() => replaceText(many, 'a', { to: many, ...roomy })).toThrow(limit)
    expect(replaceText('ab', 'b', { to: 'cd', maxLength: 3 })).toBe('acd')
    expect(() => replaceText('ab', 'b', { to: 'cde', maxLength: 3 })).toThrow(limit)
  })
})

describe('splitText and joinTexts', () => {
  test('split at separators', () => {
    expect(splitText('a,,b', ',')).toEqual(['a', '', 'b'])
    expect(splitText('', ',')).toEqual([''])
    expect(splitText('', '')).toEqual([])
    expect(splitText('a😀', '')).toEqual(['a', '😀'])
  })

  test('joining what was split gives the text', () => {
    fc.assert(
      fc.property(text, text, (string, separator) => {
        expect(joinTexts(splitText(string, separator), separator, roomy)).toBe(string)
      }),
    )
  })

  test('only strings are joined', () => {
    expect(joinTexts([], ', ', roomy)).toBe('')
    for (const item of [1, null, ['a'], undefined, { toString: () => 'x' }]) {
      expect(() => joinTexts(['a', item], '', roomy)).toThrow(
        expect.objectContaining({ code: 'type', message: 'item 1 is no string' }),
      )
    }
  })

  test('refuses what would be too long', () => {
    expect(joinTexts(['a', 'b'], '-', { maxLength: 3 })).toBe('a-b')
    expect(() => joinTexts(['a', 'b'], '--', { maxLength: 3 })).toThrow(limit)
  })
})
