import { checkCompute, compileCompute, type ComputeLogic } from '@toolcrib/compute'
import type { JsonSchema } from '@toolcrib/registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inputsFromSchema } from './declared-inputs.ts'
import { generateInputs } from './index.ts'

const { schema: anySchema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record(
      { type: fc.constantFrom('number', 'integer'), minimum: fc.integer({ min: -9, max: 9 }) },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('string'), maxLength: fc.nat(9) }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constantFrom('boolean', 'null') }),
    fc.record({ type: fc.constantFrom(['string', 'null'], ['number', 'string'], ['null']) }),
    fc.record({
      enum: fc.array(fc.oneof(fc.integer(), fc.string(), fc.constant(null)), { minLength: 1 }),
    }),
    fc.record({ type: fc.constant('string'), enum: fc.array(fc.string(), { minLength: 1 }) }),
    fc.record({ const: fc.oneof(fc.integer(), fc.string()) }),
    fc.constant({}),
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        maxItems: fc.integer({ min: 1, max: 5 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { minKeys: 1 })
      .map((properties) => ({ type: 'object', properties, required: Object.keys(properties) })),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
  ),
}))

test('what a schema allows, the declaration made of it allows', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(anySchema, async (x) => {
      const schema = { type: 'object', properties: { x }, required: ['x'] } as unknown as JsonSchema
      const logic: ComputeLogic = {
        inputs: inputsFromSchema(schema, ['x']),
        steps: [{ op: 'return', value: 'x' }],
      }
      const program = compileCompute(logic)
      for (const input of await generateInputs(schema)) {
        expect(program.run(input)).toEqual(input['x'])
        runs += 1
      }
    }),
    { numRuns: 300 },
  )
  expect(runs).toBeGreaterThan(300)
})

test('any JSON in the place of a schema gives a declaration', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (x) => {
      const inputs = inputsFromSchema({ properties: { x } } as unknown as JsonSchema, ['x', 'y'])
      const logic = { inputs, steps: [{ op: 'return', value: '[x, y]' }] }
      expect(checkCompute(logic)).toEqual([])
    }),
  )
})

test('an input without a schema is of any type, a field called __proto__ stays unknown', () => {
  expect(inputsFromSchema({}, ['x'])).toEqual({ x: { type: 'any' } })
  const hostile = JSON.parse('{"properties":{"x":{"type":"object","properties":{"__proto__":{}}}}}')
  expect(inputsFromSchema(hostile as JsonSchema, ['x'])).toEqual({ x: { type: 'object' } })
})
