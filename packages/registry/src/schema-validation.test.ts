import { expect, test } from 'vitest'
import { z } from 'zod'
import { type JsonSchema, type SchemaIssue, formatIssues, validateWithSchema } from './index.ts'

const price: JsonSchema = {
  type: 'object',
  properties: {
    weight: { type: 'number', minimum: 0 },
    unit: { type: 'string', enum: ['kg', 'lb'], default: 'kg' },
    box: {
      type: 'object',
      properties: { sides: { type: 'array', items: { type: 'number' }, default: [1] } },
    },
  },
  required: ['weight'],
  additionalProperties: false,
}

test('a zod schema validates at once, without a promise', () => {
  const schema = z.object({ name: z.string().default('x') })
  expect(validateWithSchema(schema, {})).toEqual({ valid: true, value: { name: 'x' } })
})

test('an asynchronous schema gives a promise', async () => {
  const schema = z.string().refine(async (text) => text.length > 1, 'is too short')
  expect(await validateWithSchema(schema, 'a')).toEqual({
    valid: false,
    issues: [{ path: '', message: 'is too short' }],
  })
})

test('the issues of a zod schema name the place', () => {
  const schema = z.object({ items: z.array(z.object({ 'unit-price': z.number() })) })
  const outcome = validateWithSchema(schema, { items: [{ 'unit-price': 'x' }] })
  expect(outcome).toMatchObject({ valid: false, issues: [{ path: 'items[0]["unit-price"]' }] })
})

test('a JSON Schema validates and fills in defaults without touching the value', () => {
  const value = Object.freeze({ weight: 3, box: Object.freeze({}) })
  expect(validateWithSchema(price, value)).toEqual({
    valid: true,
    value: { weight: 3, unit: 'kg', box: { sides: [1] } },
  })
  expect(value).toEqual({ weight: 3, box: {} })
})

test('a default is never shared between calls', () => {
  const first = validateWithSchema(price, { weight: 1, box: {} }) as {
    value: { box: { sides: number[] } }
  }
  first.value.box.sides.push(99)
  expect(validateWithSchema(price, { weight: 1, box: {} })).toMatchObject({
    value: { box: { sides: [1] } },
  })
})

test.for([
  [{}, ''],
  [{ weight: '3' }, 'weight'],
  [{ weight: -1 }, 'weight'],
  [{ weight: 1, unit: 'stone' }, 'unit'],
  [{ weight: 1, box: { sides: [1, 'x'] } }, 'box.sides[1]'],
  [{ weight: 1, extra: 1 }, 'extra'],
  [null, ''],
  [[], ''],
] as const)('%j does not match, and the issue is at "%s"', ([value, path]) => {
  const outcome = validateWithSchema(price, value)
  expect(outcome).toMatchObject({ valid: false })
  expect(
    (outcome as unknown as { issues: { path: string }[] }).issues.map((issue) => issue.path),
  ).toContain(path)
})

test('inherited properties do not count as present', () => {
  const schema: JsonSchema = { type: 'object', required: ['toString'] }
  expect(validateWithSchema(schema, {})).toMatchObject({ valid: false })
})

test('a value with its own __proto__ key is not merged into a prototype', () => {
  const value: unknown = JSON.parse('{"weight":1,"__proto__":{"polluted":true}}')
  const outcome = validateWithSchema({ ...price, additionalProperties: true }, value)
  expect(outcome).toMatchObject({ valid: true })
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  expect(((outcome as { value: object }).value as { polluted?: boolean }).polluted).toBeUndefined()
})

test('a schema that throws is reported as the schema at fault', async () => {
  const schema = z.string().transform((): string => {
    throw new Error('transform broke')
  })
  await expect(async () => validateWithSchema(schema, 'x')).rejects.toThrowError(
    expect.objectContaining({ code: 'SCHEMA_INVALID' }),
  )
})

test('a schema with a remote reference fails and fetches nothing', () => {
  expect(() => validateWithSchema({ $ref: 'https://example.com/s.json' }, 1)).toThrowError(
    expect.objectContaining({ code: 'SCHEMA_INVALID' }),
  )
})

test('at most 20 issues are reported', () => {
  const outcome = validateWithSchema(
    { type: 'array', items: { type: 'number' } },
    Array(100).fill('x'),
  )
  expect((outcome as unknown as { issues: unknown[] }).issues).toHaveLength(20)
})

test('issues read as one sentence', () => {
  expect(
    formatIssues([
      { path: 'weight', message: 'expected number' },
      { path: '', message: 'is not an object' },
    ]),
  ).toBe('weight: expected number; is not an object')
})

test('a frozen schema validates, and no schema is ever written to', () => {
  const property = Object.freeze({ type: 'number' })
  const schema: JsonSchema = Object.freeze({
    type: 'object',
    properties: Object.freeze({ a: property }),
  })
  expect(validateWithSchema(schema, { a: 1 })).toMatchObject({ valid: true })
  const open: JsonSchema = { type: 'object', properties: { a: { type: 'number' } } }
  void validateWithSchema(open, { a: 1 })
  expect(JSON.stringify(open)).toBe('{"type":"object","properties":{"a":{"type":"number"}}}')
})

const issuesOf = (schema: JsonSchema, value: unknown, maxSteps?: number): unknown =>
  (
    validateWithSchema(schema, value, maxSteps === undefined ? {} : { maxSteps }) as {
      issues?: { path: string; message: string }[]
    }
  ).issues

test('the steps of a validation are bounded, so that no value holds up the program', () => {
  const schema: JsonSchema = {
    type: 'array',
    items: { allOf: Array.from({ length: 1_900 }, () => ({})) },
  }
  const before = performance.now()
  expect(issuesOf(schema, Array(1_000_000).fill(0))).toEqual([
    { path: '', message: expect.stringContaining('more than 1000000 steps') },
  ])
  expect(performance.now() - before).toBeLessThan(60_000)
})

test('the bound on steps is an option and holds at its edge', () => {
  const schema: JsonSchema = { type: 'array', items: { type: 'number' } }
  expect(issuesOf(schema, [1, 2, 3], 4)).toBeUndefined()
  expect(issuesOf(schema, [1, 2, 3], 3)).toMatchObject([{ message: /more than 3 steps/ }])
})

test('a long list of values counts as more than one step', () => {
  const schema: JsonSchema = { enum: Array.from({ length: 5_000 }, (_, index) => index) }
  expect(issuesOf(schema, 1, 100)).toMatchObject([{ message: /more than 100 steps/ }])
})

test('a list of many wrong items is reported at once, as the fault of the value', () => {
  const schema: JsonSchema = { properties: { a: { items: { type: 'number' } } } }
  expect(issuesOf(schema, { a: Array(300_000).fill('x') })).toMatchObject([{ path: 'a[0]' }])
})

test('unique items are not compared where there are too many of them', () => {
  const schema: JsonSchema = { uniqueItems: true, maxItems: 3 }
  const before = performance.now()
  expect(
    issuesOf(
      schema,
      Array.from({ length: 100_000 }, (_, index) => index),
    ),
  ).toMatchObject([{ message: /too many items/ }])
  expect(performance.now() - before).toBeLessThan(30_000)
  expect(issuesOf(schema, [1, 2, 1])).toMatchObject([{ message: /Duplicate items/ }])
  expect(issuesOf(schema, [1, 2, 3])).toBeUndefined()
})

test('a format whose check can run for hours is not checked', () => {
  const before = performance.now()
  expect(issuesOf({ format: 'url' }, `http://${'a'.repeat(60)}`)).toBeUndefined()
  expect(performance.now() - before).toBeLessThan(30_000)
  expect(issuesOf({ format: 'uri' }, 'no uri')).toHaveLength(1)
})

test.for([
  ['undefined', undefined],
  ['a field that is undefined', { a: undefined }],
  ['a BigInt', { a: 1n }],
  ['a name that holds a lone surrogate', { '\ud800': 1 }],
] as const)('%s is a fault of the value, not of the schema', ([, value]) => {
  const schema: JsonSchema = { properties: { a: {} }, additionalProperties: { type: 'text' } }
  expect(issuesOf(schema, value)).toHaveLength(1)
})

test('a value that nests too deep for a schema that refers to itself is a fault of the value', () => {
  let value: unknown = {}
  for (let level = 0; level < 20_000; level += 1) value = { next: value }
  expect(issuesOf({ properties: { next: { $ref: '#' } } }, value)).toMatchObject([
    { message: /too deep/ },
  ])
})

test('a default called __proto__ changes no prototype', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"default":{"admin":true}}}}') as JsonSchema
  const { value } = validateWithSchema(schema, {}) as { value: { admin?: boolean } }
  expect(value.admin).toBeUndefined()
})

test('an issue stays short whatever the value and the schema', () => {
  const schema: JsonSchema = { additionalProperties: { enum: ['x'.repeat(10_000)] } }
  for (const issue of issuesOf(schema, { ['k'.repeat(100_000)]: 1 }) as SchemaIssue[]) {
    expect(issue.path.length).toBeLessThanOrEqual(301)
    expect(issue.message.length).toBeLessThanOrEqual(300)
  }
})
