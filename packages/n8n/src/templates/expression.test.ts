import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expression, fillText, literal, shortText } from './expression.ts'

const run = (code: string, part?: unknown): unknown =>
  // oxlint-disable-next-line typescript/no-implied-eval -- what n8n would do with it
  (new Function('part', `return (${code})`) as (given: unknown) => unknown)(part)

test('a constant is itself again when it is run, and never holds double braces', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), attacks()), (text) => {
      expect(run(literal(text))).toBe(text)
      expect(expression(literal(text)).slice(4, -3)).not.toMatch(/[{}\u2028\u2029]/u)
    }),
  )
})

test('a list of texts is itself again, and can stand in an expression', () => {
  fc.assert(
    fc.property(fc.array(attacks()), (texts) => {
      expect(run(expression(literal(texts)).slice(4, -3))).toEqual(texts)
    }),
  )
})

test('an expression with double braces is refused, for n8n would end it there', () => {
  expect(() => expression('{ a: { b: 1 }}')).toThrow('double braces')
})

test('placeholders are filled in, and everything else of a text is text', () => {
  const code = fillText('={{ name }}{{$env.X}} {{ 1+1 }} {{name}} }}{{', { name: 'part' })
  expect(run(code, '{{ $env.Y }}')).toBe('={{ $env.Y }}{{$env.X}} {{ 1+1 }} {{ $env.Y }} }}{{')
  expect(code).not.toContain('{{')
})

test('any text around a placeholder stays as it is', () => {
  fc.assert(
    fc.property(attacks(), attacks(), (before, after) => {
      const text = `${before}{{name}}${after}`.replaceAll(/\{\{\s*(?!name)[a-z]\w*\s*\}\}/giu, '')
      expect(run(fillText(text, { name: '"Ada"' }))).toBe(
        text.replaceAll(/\{\{\s*name\s*\}\}/gu, 'Ada'),
      )
    }),
  )
})

test('a placeholder that means nothing is an error of the template', () => {
  expect(() => fillText('{{toString}}', { name: 'part' })).toThrow('unknown placeholder toString')
})

test('what is no text or number is replaced, and long texts are cut', () => {
  const code = shortText('part', 'there')
  for (const nothing of [undefined, null, {}, [], true, '', ' '])
    expect(run(code, nothing)).toBe('there')
  expect(run(code, 5)).toBe('5')
  expect(run(code, 'x'.repeat(500))).toHaveLength(200)
})

function anyText(): fc.Arbitrary<string> {
  const point = fc.integer({ min: 0, max: 0x10_ff_ff })
  return fc.array(point, { maxLength: 20 }).map((points) => String.fromCodePoint(...points))
}

function attacks(): fc.Arbitrary<string> {
  const pieces = [
    '{{',
    '}}',
    '={{',
    '$env.X',
    '"',
    '\\',
    '`',
    '${',
    '}',
    '{',
    '\u2028',
    'a',
    '\\u007d',
    '\n',
  ]
  return fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
}
