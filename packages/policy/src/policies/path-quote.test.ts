import { expect, it } from 'vitest'
import { quotePath } from './path-quote.ts'

it.each([
  ['a b.txt', '"a b.txt"'],
  ['文/ф', '"文/ф"'],
  ['a\n\0\u001b', '"a\\u000a\\u0000\\u001b"'],
  ['a"b\\', '"a\\"b\\\\"'],
  ['\u202Etxt.exe', '"\\u202etxt.exe"'],
  ['a\u200Bb\uFEFF', '"a\\u200bb\\ufeff"'],
  ['a\uD800', '"a\\ud800"'],
  ['\u2028', '"\\u2028"'],
  ['\u{E0041}', '"\\u{e0041}"'],
  [42, 'a value of type number'],
  [null, 'null'],
])('shows %j as %s', (path, shown) => {
  expect(quotePath(path)).toBe(shown)
})

it('shows no more than 200 characters, and does not ask an object for its text', () => {
  expect(quotePath('a'.repeat(200))).toBe(`"${'a'.repeat(200)}"`)
  expect(quotePath('a'.repeat(9_999))).toBe(`"${'a'.repeat(200)}…"`)
  const trap = {
    toString: () => {
      throw new Error('was asked')
    },
  }
  expect(quotePath(trap)).toBe('a value of type object')
})
