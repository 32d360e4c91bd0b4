import type { JsonSchema } from '@toolcrib/registry'
import { describe, expect, it } from 'vitest'
import { schemaToTypeScript } from './schema-types.ts'

const typeOf = (schema: JsonSchema, isOpen = false): string =>
  schemaToTypeScript(schema, 'T', { isOpen }).replace('type T = ', '')

describe('a schema as a type', () => {
  it('has objects, lists, tuples, values and choices', () => {
    for (const [schema, type] of [
      [{}, 'unknown'],
      [{ type: 'string' }, 'string'],
      [{ type: 'integer', minimum: 3 }, 'number'],
      [{ type: ['string', 'null'] }, 'string | null'],
      [{ type: 'string', nullable: true }, 'string | null'],
      [{ const: 'a"b' }, '"a\\"b"'],
      [{ enum: ['a', 1, true, null] }, '"a" | 1 | true | null'],
      [{ enum: [{ a: 1 }] }, 'unknown'],
      [{ type: 'array', items: { type: 'string' } }, 'readonly string[]'],
      [{ type: 'array', items: { type: ['string', 'number'] } }, 'readonly (string | number)[]'],
      [{ type: 'array' }, 'readonly unknown[]'],
      [
        {
          type: 'array',
          prefixItems: [{ type: 'string' }, { type: 'number' }],
          items: false,
          minItems: 1,
        },
        'readonly [string, (number)?]',
      ],
      [
        { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1 },
        'readonly [string, ...(unknown)[]]',
      ],
      [{ type: 'object' }, '{ readonly [name: string]: unknown }'],
      [{ type: 'object', additionalProperties: false }, '{ readonly [name: string]: never }'],
      [
        { type: 'object', additionalProperties: { type: 'number' } },
        '{ readonly [name: string]: number }',
      ],
      [
        { type: 'object', properties: { b: {}, a: { type: 'string' } }, required: ['a', 'z'] },
        '{ readonly a: string; readonly b?: unknown; readonly z: unknown }',
      ],
      [{ properties: { 'a-b': { type: 'boolean' } } }, '{ readonly "a-b"?: boolean }'],
      [{ anyOf: [{ type: 'string' }, { const: 1 }] }, 'string | 1'],
      [{ oneOf: [{ type: 'string' }, {}] }, 'unknown'],
      [
        { allOf: [{ type: 'string' }, { anyOf: [{ const: 'a' }, { const: 'b' }] }] },
        'string & ("a" | "b")',
      ],
      [{ $ref: '#/$defs/a', $defs: { a: { type: 'boolean' } } }, 'boolean'],
      [{ $ref: 'https://evil.test/x' }, 'unknown'],
      [{ $ref: '#/$defs/constructor', $defs: {} }, 'unknown'],
      [{ type: 'object', properties: { a: false } }, '{ readonly a?: never }'],
    ] as const satisfies readonly (readonly [JsonSchema, string])[])
      expect(typeOf(schema), JSON.stringify(schema)).toBe(type)
  })

  it('leaves objects open where values are made, unless the schema closes them', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    expect(typeOf(schema, true)).toBe('{ readonly a?: string; readonly [name: string]: unknown }')
    expect(typeOf({ ...schema, additionalProperties: false }, true)).toBe('{ readonly a?: string }')
  })

  it('is bounded for schemas that refer to themselves, nest deep or are huge', () => {
    const circle = {
      $ref: '#/$defs/a',
      $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } },
    }
    expect(typeOf(circle)).toContain('unknown')
    const doubling: Record<string, JsonSchema> = {}
    for (let index = 0; index < 30; index += 1)
      doubling[`d${index}`] = {
        type: 'object',
        properties: { a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } },
      }
    expect(typeOf({ $ref: '#/$defs/d0', $defs: doubling }).length).toBeLessThan(33_000)
    const wide = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, index) => [`property${index}`.repeat(5), {}]),
    )
    expect(typeOf({ type: 'object', properties: wide })).toBe('unknown')
    expect(typeOf({ enum: Array.from({ length: 201 }, (_, index) => index) })).toBe('unknown')
    expect(typeOf({ enum: Array.from({ length: 200 }, (_, index) => index) })).toContain('| 199')
  })
})
