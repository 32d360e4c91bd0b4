import { assertStoredSchema, type JsonSchema, validateWithSchema } from '@toolcrib/registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateInputs } from '../index.ts'

const object = (properties: object, required: readonly string[] = []): JsonSchema =>
  ({ type: 'object', properties, required, additionalProperties: false }) as JsonSchema

const bound = fc.integer({ min: -1_000, max: 1_000 })

const numberSchema = fc.record(
  {
    type: fc.constantFrom('number', 'integer'),
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
    multipleOf: fc.constantFrom(1, 2, 5, 0.5, 0.1),
    default: bound,
  },
  { requiredKeys: ['type'] },
)

const { schema: anySchema } = fc.letrec<{ schema: object; leaf: object }>((tie) => ({
  leaf: fc.oneof(
    numberSchema,
    fc.record(
      { type: fc.constant('string'), minLength: fc.nat(20), maxLength: fc.nat(20) },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constantFrom('boolean', 'null') }),
    fc.record({
      enum: fc.array(fc.oneof(fc.integer(), fc.string(), fc.constant(null)), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
    fc.record({ const: fc.oneof(fc.integer(), fc.string()) }),
    fc.record({ type: fc.constant(['string', 'integer']) }),
    fc.constant({}),
  ),
  schema: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        minItems: fc.nat(4),
        maxItems: fc.nat(6),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
        required: fc.subarray(['a', 'b', 'c', 'd']),
        additionalProperties: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('leaf') }),
  ),
}))

const objectSchema = fc
  .record({
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), anySchema, { maxKeys: 4 }),
    required: fc.subarray(['a', 'b', 'c', 'd']),
  })
  .map(({ properties, required }) =>
    object(
      properties,
      required.filter((name) => Object.hasOwn(properties, name)),
    ),
  )

test('every generated input satisfies the schema it was made from', async () => {
  let generated = 0
  await fc.assert(
    fc.asyncProperty(objectSchema, async (schema) => {
      const inputs = await generateInputs(schema)
      generated += inputs.length
      expect(inputs.length).toBeLessThanOrEqual(8)
      expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBe(inputs.length)
      for (const input of inputs)
        expect(await validateWithSchema(schema, input)).toMatchObject({ valid: true })
    }),
    { numRuns: 500 },
  )
  expect(generated).toBeGreaterThan(500)
})

test('the same schema always gives the same inputs', async () => {
  await fc.assert(
    fc.asyncProperty(objectSchema, async (schema) => {
      expect(await generateInputs(structuredClone(schema))).toEqual(await generateInputs(schema))
    }),
    { numRuns: 100 },
  )
})

test('every number range that holds a number gives an input', async () => {
  const range = fc.tuple(
    bound,
    fc.integer({ min: 0, max: 50 }),
    fc.constantFrom('number', 'integer'),
  )
  await fc.assert(
    fc.asyncProperty(range, async ([minimum, width, type]) => {
      const inputs = await generateInputs(
        object({ a: { type, minimum, maximum: minimum + width } }, ['a']),
      )
      const values = inputs.map(({ a }) => a)
      expect(values).toContain(minimum)
      expect(values).toContain(minimum + width)
    }),
  )
})

test('edges come out: both ends of a range, choices, lengths, and what is left to defaults', async () => {
  const values = async (schema: object): Promise<unknown[]> =>
    (await generateInputs(object({ a: schema }, ['a']))).map(({ a }) => a)
  expect(await values({ type: 'integer', minimum: 3, maximum: 9 })).toEqual([3, 9])
  expect(await values({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 })).toEqual([
    0.75, 0.25,
  ])
  expect(await values({ enum: ['s', 'm', 'l'] })).toEqual(['s', 'm', 'l'])
  expect(await values({ type: 'boolean' })).toEqual([true, false])
  expect(await values({ type: 'string', minLength: 2, maxLength: 3 })).toEqual(['tex', 'xx', 'xxx'])
  expect(await values({ type: 'integer', multipleOf: 7 })).toEqual([7, 0, -7])
  expect(await generateInputs(object({ a: { type: 'integer', default: 42 } }))).toEqual(
    expect.arrayContaining([{}, { a: 42 }, { a: 0 }]),
  )
})

test('references and combined schemas are followed', async () => {
  const schema = {
    ...object(
      { a: { $ref: '#/$defs/size' }, b: { allOf: [{ type: 'integer' }, { minimum: 5 }] } },
      ['a', 'b'],
    ),
    $defs: { size: { enum: ['s', 'l'] } },
  }
  const inputs = await generateInputs(schema)
  expect(inputs.map(({ a }) => a)).toEqual(expect.arrayContaining(['s', 'l']))
  expect(inputs.every(({ b }) => Number(b) >= 5)).toBe(true)
})

test('a schema without properties gives the empty input', async () => {
  expect(await generateInputs({ type: 'object' })).toEqual([{}])
})

test('limits hold at their edges', async () => {
  const schema = object({ a: { type: 'number' } }, ['a'])
  expect(await generateInputs(schema, { maxInputs: 1 })).toHaveLength(1)
  expect(await generateInputs(schema, { maxInputs: 3 })).toHaveLength(3)
  const text = object({ a: { const: 'abc' } }, ['a'])
  expect(await generateInputs(text, { maxInputLength: 11 })).toEqual([{ a: 'abc' }])
  expect(await generateInputs(text, { maxInputLength: 10 })).toEqual([])
})

test('a schema made to blow up costs little', async () => {
  const fields = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`a${index}`, { $ref: '#/$defs/loop' }]),
  )
  const circular = { ...object(fields), $defs: { loop: object(fields) } }
  expect(() => assertStoredSchema(circular)).toThrow('refers to itself')
  const startedAt = process.cpuUsage()
  await generateInputs(circular)
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(5_000)
})
