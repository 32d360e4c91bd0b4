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
  { type: 'array', items: { type: 'string' }, uniqueItems: true, maxItems: 100 },
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
  ['a reference into a prototype', { $ref: '#/$defs/constructor', $defs: {} }],
  ['a default that is no JSON', { properties: { a: { default: () => 1 } } }],
  ['a class instance', new (class Schema {})()],
  ['a Map', new Map()],
  ['an object that writes itself as another', { toJSON: () => ({}) }],
  ['a list of names that is text', { dependentRequired: { a: 'bc' } }],
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
  [
    'a reference to something that is no definition',
    { $ref: '#/properties/a', properties: { a: {} } },
  ],
  [
    'a regular expression in a definition that nothing refers to',
    { $defs: { a: { pattern: 'x' } }, type: 'object' },
  ],
  ['a misspelt keyword, which would check nothing', { type: 'number', minimun: 5 }],
  ['a keyword of another language', { type: 'number', nullable: true }],
  ['a base in the way of draft 4', { id: 'https://example.com/' }],
  ['a format whose check takes hours', { type: 'string', format: 'url' }],
  ['a format that every object inherits', { type: 'string', format: 'constructor' }],
  ['a default of an item', { properties: { a: { items: { default: 1 } } } }],
  ['a default in an alternative', { anyOf: [{ properties: { a: { default: 1 } } }] }],
  [
    'a default behind a reference',
    { $defs: { a: { default: 1 } }, properties: { a: { $ref: '#/$defs/a' } } },
  ],
  ['a default of the whole', { default: {} }],
  ['unique items without a bound', { type: 'array', uniqueItems: true }],
  ['unique items with too high a bound', { type: 'array', uniqueItems: true, maxItems: 101 }],
  ['a property called __proto__', JSON.parse('{"properties":{"__proto__":{}}}')],
] as [string, JsonSchema][])('%s is refused', ([, schema]) => {
  expect(codeOf(schema)).toBe('SCHEMA_UNSUPPORTED')
})

// Ways to make the interpreter follow another reference than the one that was checked.
test.for([
  [
    'a note that the interpreter keeps',
    {
      $defs: { safe: {}, evil: { pattern: 'x' } },
      $ref: '#/$defs/safe',
      __absolute_ref__: 'https://github.com/cfworker#/$defs/evil',
    },
  ],
  [
    'a reference that is decoded later',
    { $defs: { 'a%62': {}, ab: { type: 'string' } }, $ref: '#/$defs/a%62' },
  ],
  [
    'a definition that takes the address of another',
    { $defs: { safe: {}, evil: { $id: '#/$defs/safe' } }, $ref: '#/$defs/safe' },
  ],
  [
    'an unknown keyword that takes the address of a definition',
    { $defs: { safe: {} }, other: { $id: '#/$defs/safe' }, $ref: '#/$defs/safe' },
  ],
] as [string, JsonSchema][])('%s cannot swap a reference', ([, schema]) => {
  expect(codeOf(schema)).toBe('SCHEMA_UNSUPPORTED')
})

test('defaults of nested properties are accepted, because they are filled in', () => {
  const properties = { box: { properties: { sides: { default: 4 } }, default: {} } }
  expect(codeOf({ properties })).toBe('accepted')
})

test('the parts that go through a whole text are bounded', () => {
  const parts = (count: number): object => ({
    allOf: Array.from({ length: count }, () => ({ maxLength: 5 })),
  })
  expect(codeOf(parts(100))).toBe('accepted')
  expect(codeOf(parts(101))).toBe('SCHEMA_UNSUPPORTED')
})

test('values in a schema nest at most as deep as canonical JSON does', () => {
  let deep: unknown = 1
  for (let level = 0; level < 3_000; level += 1) deep = [deep]
  expect(codeOf({ const: deep })).toBe('SCHEMA_INVALID')
})

test('a refusal stays short whatever the schema', () => {
  const name = 'k'.repeat(60_000)
  expect(() => assertStoredSchema({ properties: { [name]: { type: 'x' } } })).toThrowError(
    expect.objectContaining({ message: expect.stringMatching(/^.{0,500}$/) }),
  )
})

test('references that double at each step are refused before they cost anything', () => {
  const $defs: Record<string, unknown> = { d0: { type: 'number' } }
  for (let level = 1; level < 30; level += 1)
    $defs[`d${level}`] = {
      allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }],
    }
  const before = performance.now()
  expect(codeOf({ $defs, items: { $ref: '#/$defs/d29' } })).toBe('SCHEMA_UNSUPPORTED')
  expect(performance.now() - before).toBeLessThan(30_000)
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
