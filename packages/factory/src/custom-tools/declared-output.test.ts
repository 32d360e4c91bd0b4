import { assertStoredSchema } from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { outputSchemaOf } from './declared-output.ts'

const steps = [{ op: 'return', value: 'x' }]

test('every part of a declaration becomes its keyword', () => {
  const output = {
    type: 'object',
    description: 'An order',
    fields: {
      total: { type: 'number', min: 0, max: 100 },
      count: { type: 'integer', enum: [1, 2] },
      day: { type: 'string', format: 'date' },
      note: { type: 'string', maxLength: 10 },
      lines: { type: 'array', maxItems: 3, items: { type: 'any' } },
    },
  }
  const schema = outputSchemaOf({ output, steps })
  expect(schema).toEqual({
    type: 'object',
    description: 'An order',
    properties: {
      total: { type: 'number', minimum: 0, maximum: 100 },
      count: { type: 'integer', enum: [1, 2] },
      day: { type: 'string', format: 'date' },
      note: { type: 'string', maxLength: 10 },
      lines: { type: 'array', maxItems: 3, items: {} },
    },
    required: ['total', 'count', 'day', 'note', 'lines'],
  })
  expect(() => {
    assertStoredSchema(schema ?? {})
  }).not.toThrow()
})

test('warnings do not matter; errors and what is no program give none', () => {
  const unused = { op: 'set', value: '1', output: 'unused' }
  const output = { type: 'any' }
  expect(outputSchemaOf({ output, steps: [unused, ...steps] })).toEqual({})
  expect(outputSchemaOf({ output, steps: [] })).toBeUndefined()
  expect(outputSchemaOf({ output: { type: 'text' }, steps })).toBeUndefined()
  expect(outputSchemaOf({ steps })).toBeUndefined()
  for (const value of [null, 5, 'x', []]) expect(outputSchemaOf(value)).toBeUndefined()
})
