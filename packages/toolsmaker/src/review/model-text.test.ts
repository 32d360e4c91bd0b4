import type { JsonObject } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { describeModelText } from './model-text.ts'

const describe = (inputSchema: JsonObject): readonly string[] => describeModelText({ inputSchema })

test('everything that is said about a property stands in its line, and no text can pass for another', () => {
  expect(
    describe({
      type: 'object',
      properties: {
        'a key, required': { type: ['string', 'null'], enum: ['x'], description: 'one", required' },
        any: true,
        list: { items: { const: 'y' }, minItems: 1 },
      },
      required: ['list', 'nobody'],
      $defs: { place: { description: 'in here' } },
    }),
  ).toEqual([
    'Input: object, $defs: {"place":{"description":"in here"}}, required: ["list","nobody"]',
    String.raw`  "a key, required": ["string","null"], "one\", required", enum: ["x"]`,
    '  any: true',
    '  list: anything, required, minItems: 1',
    '    each item: anything, const: "y"',
  ])
})

test('what is nested deeper than five levels is shown as JSON', () => {
  const nest = (levels: number): JsonObject =>
    levels === 0 ? { title: 'end' } : { properties: { inner: nest(levels - 1) } }
  expect(describe(nest(5)).at(-1)).toBe(`${'  '.repeat(5)}inner: anything, title: "end"`)
  expect(describe(nest(6)).at(-1)).toBe(
    `${'  '.repeat(5)}inner: anything, properties: {"inner":{"title":"end"}}`,
  )
})
