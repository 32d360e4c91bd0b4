import { expect, it } from 'vitest'
import { parseExpression } from './parse-script.ts'
import { findUnusable } from './unusable-forms.ts'

it.each([
  '$json.format',
  '$json.first',
  '$json.yield + $json.let',
  '({ let: 1 }).let',
  '$input.first().json.id',
  '$("W").all().length',
  'String($json.id)',
  '$json.id.toString()',
  '[1].map((caller) => caller)',
  '(() => { try { throw 1 } catch (caller) { return caller } })()',
  '({ f: () => 1 }).f()',
  '(function caller(n) { return n })(1)',
  '(() => { binding: for (;;) break binding; return 1 })()',
  '$json.body[`caller`]',
  '$json.body.$',
  '$json.public ?? $json.package',
  'new (class { x = 5 })().x',
  '(function () { return 1 })()',
  '/[[a]&&[b]]/v.test("a")',
  '[1, 2].at(-1) ?? null',
  '"a\\u2028b"',
  'Math.PI',
  '$now.toISO()',
])('leaves %s to n8n, which evaluates it', (code) => {
  const parsed = parseExpression(code)
  if ('reason' in parsed) throw new Error(parsed.reason)
  expect(findUnusable(parsed.program, true)).toBeUndefined()
})

it('takes a function beside a text for no value of the parameter', () => {
  const parsed = parseExpression('String')
  if ('reason' in parsed) throw new Error(parsed.reason)
  const found = (isWhole: boolean): string | undefined => findUnusable(parsed.program, isWhole)
  expect(found(false)).toBeUndefined()
  expect(found(true)).toBe('it is a function; call it, with () at its end')
})
