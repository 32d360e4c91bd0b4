import { assertStoredSchema, type JsonSchema } from '@toolcrib/registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  parametersToSchema,
  parameterTypes,
  schemaToParameters,
  toolParametersSchema,
} from '../index.ts'
import { generateInputs } from '@toolcrib/kind-compute'

const parameter = fc
  .constantFrom(
    { type: 'string', value: 'x' },
    { type: 'number', value: 1.5 },
    { type: 'integer', value: 2 },
    { type: 'boolean', value: false },
    { type: 'object', value: { a: 1 } },
    { type: 'array', value: [1] },
  )
  .chain(({ type, value }) =>
    fc.record(
      {
        type: fc.constant(type),
        description: fc.string({ maxLength: 20 }),
        default: fc.constant(value),
      },
      { requiredKeys: ['type'] },
    ),
  )

const parameters = fc.dictionary(fc.stringMatching(/^[a-z_]{1,10}$/), parameter)

test('a parameter with a default is optional, any other is required, nothing else is allowed', () => {
  const schema = parametersToSchema({
    weight_kg: { type: 'number', description: 'Weight' },
    country: { type: 'string', default: 'PA' },
  })
  expect(schema).toEqual({
    type: 'object',
    properties: {
      weight_kg: { type: 'number', description: 'Weight' },
      country: { type: 'string', default: 'PA' },
    },
    required: ['weight_kg'],
    additionalProperties: false,
  })
})

test('every set of parameters gives a schema that can be stored, tried and read back', async () => {
  await fc.assert(
    fc.asyncProperty(parameters, async (given) => {
      const parsed = toolParametersSchema.parse(given)
      const schema = parametersToSchema(parsed)
      assertStoredSchema(schema)
      expect(schemaToParameters(schema)).toEqual(parsed)
      expect((await generateInputs(schema)).length).toBeGreaterThan(0)
    }),
    { numRuns: 200 },
  )
})

test('a schema that says more than parameters can is not read back', () => {
  const plain = parametersToSchema({ a: { type: 'number' } })
  const richer: readonly JsonSchema[] = [
    { ...plain, additionalProperties: true },
    { ...plain, minProperties: 1 },
    { type: 'object', properties: plain['properties'] ?? {}, additionalProperties: false },
    { ...plain, required: ['a', 'b'] },
    { ...plain, properties: { a: { type: 'number', minimum: 0 } } },
    { ...plain, properties: { a: true } },
    { type: 'object' },
    { ...plain, type: 'array' },
  ]
  for (const schema of richer) expect(schemaToParameters(schema)).toBeUndefined()
})

const problemOf = (value: unknown): string => {
  const parsed = toolParametersSchema.safeParse(value)
  return parsed.success
    ? 'none'
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}

test('a type that JSON does not have is refused with the list of those that it has', () => {
  expect(problemOf({ a: { type: 'float' } })).toBe(
    `a.type: must be one of ${parameterTypes.join(', ')}`,
  )
  expect(problemOf({ a: {} })).toContain('a.type: must be one of')
})

test('a default of another type is refused', () => {
  expect(problemOf({ a: { type: 'number', default: '1' } })).toBe(
    'a.default: must be of type number, as the parameter is',
  )
  expect(problemOf({ a: { type: 'integer', default: 1.5 } })).toContain('must be of type integer')
  expect(problemOf({ a: { type: 'object', default: [] } })).toContain('must be of type object')
  expect(problemOf({ a: { type: 'array', default: {} } })).toContain('must be of type array')
})

test('a field that a parameter does not have is named', () => {
  expect(problemOf({ a: { type: 'number', required: true } })).toMatch(
    /^a: has unknown fields: required\. A parameter has type/,
  )
  expect(problemOf({ a: 'number' })).toBe('a: must be { "type": "number", "description": "…" }')
})

test('at most 100 parameters, names of at most 64 characters, descriptions of 2,000', () => {
  const many = (count: number): object =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`a${index}`, { type: 'number' }]),
    )
  expect(problemOf(many(100))).toBe('none')
  expect(problemOf(many(101))).toContain('at most 100')
  expect(problemOf({ ['a'.repeat(64)]: { type: 'number' } })).toBe('none')
  expect(problemOf({ ['a'.repeat(65)]: { type: 'number' } })).not.toBe('none')
  expect(problemOf({ a: { type: 'number', description: 'x'.repeat(2_000) } })).toBe('none')
  expect(problemOf({ a: { type: 'number', description: 'x'.repeat(2_001) } })).not.toBe('none')
})
