import { describe, expect, test } from 'vitest'
import { createHarness, errorOf } from '../../../test/harness.ts'

async function callWith(output: unknown): Promise<unknown> {
  const { invoker, add } = createHarness()
  add('tool', () => output)
  return invoker.invoke('tool', {})
}

describe('an output that is more than JSON data', () => {
  test.each([
    ['an error', new TypeError('bad'), '{"name":"TypeError","message":"bad"}'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['an address', new URL('https://example.com/a'), '"https://example.com/a"'],
    ['an undefined property', { a: undefined, b: 1 }, '{"b":1}'],
    ['an undefined item', [undefined, 1], '[null,1]'],
    ['a function in an object', { a: () => 1, b: 1 }, '{"b":1}'],
    ['its own toJSON', { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
    ['a property called __proto__', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    ['a boxed number', Object(5), '5'],
  ])(
    'with %s is written as one would expect, and the value agrees with the text',
    async (_, output, text) => {
      const result = (await callWith(output)) as { output: unknown; outputText: string }
      expect(result.outputText).toBe(text)
      expect(result.output).toEqual(JSON.parse(text))
    },
  )

  test('that is undefined stays undefined and reads null', async () => {
    expect(await callWith(undefined)).toMatchObject({ output: undefined, outputText: 'null' })
  })

  test('that is plain is handed out as it is', async () => {
    const output = { a: [1, { b: null }] }
    expect(((await callWith(output)) as { output: unknown }).output).toBe(output)
  })
})

describe('an output that JSON would change is refused', () => {
  test.each([
    ['NaN', { a: [{ b: Number.NaN }] }, 'the value at $.a[0].b is NaN'],
    ['Infinity', [1, Infinity], 'the value at $[1] is Infinity'],
    ['a BigInt', { total: 1n }, 'the value at $.total is a BigInt'],
    ['a Map', { m: new Map() }, 'the value at $.m is a Map'],
    ['a Set', new Set(), 'the value at $ is a Set'],
    ['a forgotten await', { a: Promise.resolve(1) }, 'await it before returning it'],
    ['bytes', new Uint8Array(2), 'return its bytes as base64 text'],
    ['an invalid date', { at: new Date(Number.NaN) }, 'the value at $.at is an invalid Date'],
    ['a function', () => 1, 'the value at $ is a function'],
    [
      'a getter that throws',
      {
        get a(): number {
          throw new Error('boom')
        },
      },
      'boom',
    ],
  ])('such as %s, with its place and what to do', async (_, output, part) => {
    const result = await callWith(output)
    expect(result).toMatchObject({ success: false, errorCode: 'OUTPUT_UNSERIALISABLE' })
    expect((result as { error: string }).error).toContain(part)
  })

  test('such as a cycle, and the log keeps what could be read', async () => {
    const { invoker, log, add } = createHarness()
    const output: Record<string, unknown> = { a: 1 }
    output['self'] = output
    add('tool', () => output)
    const result = await invoker.invoke('tool', {})
    expect(errorOf(result)).toContain('the value at $.self contains itself')
    expect(log.ends[0]?.outputText).toBe('{"a":1,"self":"[cyclic]"}')
  })

  test('such as nesting one deeper than allowed', async () => {
    const { invoker, add } = createHarness({ maxNesting: 3 })
    add('fits', () => [[['x']]])
    add('too_deep', () => [[[['x']]]])
    expect(await invoker.invoke('fits', {})).toMatchObject({ success: true })
    expect(await invoker.invoke('too_deep', {})).toMatchObject({
      errorCode: 'OUTPUT_UNSERIALISABLE',
    })
  })

  test('and lone surrogates and NUL are not: they reach the log escaped', async () => {
    const { invoker, log, add } = createHarness()
    add('tool', () => ({ 'a\u0000': '\ud83d\u0000' }))
    expect(await invoker.invoke('tool', {})).toMatchObject({
      output: { 'a\u0000': '\ud83d\u0000' },
    })
    expect(log.ends[0]?.outputText).toBe(String.raw`{"a\u0000":"\ud83d\u0000"}`)
  })
})
