import { expect, test } from 'vitest'
import { z } from 'zod'
import { type JsonSchema, formatIssues, validateWithSchema } from './index.ts'

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
  validateWithSchema(open, { a: 1 })
  expect(JSON.stringify(open)).toBe('{"type":"object","properties":{"a":{"type":"number"}}}')
})
