import { expect, test } from 'vitest'
import { type JsonSchema, assertStoredSchema } from './index.ts'

const codeOf = (schema: unknown, limits?: Parameters<typeof assertStoredSchema>[1]): string => {
  try {
    assertStoredSchema(schema, limits)
    return 'accepted'
  } catch (error) {
    return (error as { code: string }).code
  }
}

test.for([
  {},
  {
    type: 'object',
    properties: { a: { type: 'number', default: 1 } },
    required: ['a'],
    additionalProperties: false,
  },
  { type: ['string', 'null'], maxLength: 10 },
  { anyOf: [{ const: 1 }, { enum: ['a'] }] },
  {
    $defs: { money: { type: 'number' } },
    properties: { a: { $ref: '#/$defs/money' }, b: { $ref: '#/$defs/money' } },
  },
  { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 1_000 },
  { properties: { constructor: { type: 'string' } } },
] as object[])('%j is accepted', (schema) => {
  expect(codeOf(schema)).toBe('accepted')
})

test.for([
  ['null', null],
  ['a list', []],
  ['text', 'object'],
  ['an unknown type', { type: 'nummer' }],
  ['an empty list of types', { type: [] }],
  ['a bound that is text', { properties: { a: { minimum: '5' } } }],
  ['a negative length', { minLength: -1 }],
  ['a step of zero', { multipleOf: 0 }],
  ['required that is not a list of names', { required: [1] }],
  ['an enum without values', { enum: [] }],
  ['properties that are a list', { properties: [] }],
  ['a property that is text', { properties: { a: 'number' } }],
  ['allOf that is an object', { allOf: {} }],
  ['a reference to nothing', { $ref: '#/$defs/none' }],
  ['a reference into a prototype', { $ref: '#/constructor' }],
] as const)('%s is not a schema', ([, schema]) => {
  expect(codeOf(schema)).toBe('SCHEMA_INVALID')
})

test.for([
  ['a remote reference', { $ref: 'https://example.com/schema.json' }],
  ['a reference to a file', { properties: { a: { $ref: 'file:///etc/passwd' } } }],
  ['a new base for references', { $id: 'https://example.com/', properties: {} }],
  ['a dynamic reference', { $dynamicRef: '#a' }],
  ['a regular expression', { type: 'string', pattern: '^(a+)+$' }],
  ['a regular expression on names', { patternProperties: { '^(a+)+$': {} } }],
  [
    'a regular expression in a definition that is used',
    { $defs: { a: { pattern: 'x' } }, items: { $ref: '#/$defs/a' } },
  ],
  ['a reference to itself', { $defs: { a: { $ref: '#/$defs/a' } }, items: { $ref: '#/$defs/a' } }],
  [
    'a circle of references',
    { properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } } },
  ],
  ['unique items without a bound', { type: 'array', uniqueItems: true }],
  ['unique items with too high a bound', { type: 'array', uniqueItems: true, maxItems: 1_001 }],
  ['a property called __proto__', JSON.parse('{"properties":{"__proto__":{}}}')],
] as [string, JsonSchema][])('%s is refused', ([, schema]) => {
  expect(codeOf(schema)).toBe('SCHEMA_UNSUPPORTED')
})

test('references that double at each step are refused before they cost anything', () => {
  const $defs: Record<string, unknown> = { d0: { type: 'number' } }
  for (let level = 1; level < 30; level += 1)
    $defs[`d${level}`] = {
      allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }],
    }
  const before = performance.now()
  expect(codeOf({ $defs, items: { $ref: '#/$defs/d29' } })).toBe('SCHEMA_UNSUPPORTED')
  expect(performance.now() - before).toBeLessThan(1_000)
})

test('the number of parts is bounded', () => {
  const schema = { allOf: [{}, {}, {}] }
  expect(codeOf(schema, { maxNodes: 4 })).toBe('accepted')
  expect(codeOf(schema, { maxNodes: 3 })).toBe('SCHEMA_UNSUPPORTED')
})

test('the depth is bounded', () => {
  const schema = { items: { items: {} } }
  expect(codeOf(schema, { maxDepth: 2 })).toBe('accepted')
  expect(codeOf(schema, { maxDepth: 1 })).toBe('SCHEMA_UNSUPPORTED')
})

test('the length is bounded', () => {
  const schema = { title: 'x'.repeat(100) }
  expect(codeOf(schema, { maxLength: JSON.stringify(schema).length })).toBe('accepted')
  expect(codeOf(schema, { maxLength: JSON.stringify(schema).length - 1 })).toBe(
    'SCHEMA_UNSUPPORTED',
  )
})

test('a cyclic object is refused with a clear error', () => {
  const schema: Record<string, unknown> = {}
  schema['items'] = schema
  expect(codeOf(schema)).toBe('SCHEMA_INVALID')
})

test('the refusal names the place and what to do', () => {
  expect(() => assertStoredSchema({ properties: { code: { pattern: 'x' } } })).toThrowError(
    /#\/properties\/code\/pattern.*use enum/,
  )
})
