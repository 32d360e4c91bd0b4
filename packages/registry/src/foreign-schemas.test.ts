import {
  ToolRegistry,
  type ToolDefinition,
  type ToolSchema,
  validateWithSchema,
  viewTool,
} from '@toolcrib/registry'
import { expect, test } from 'vitest'
import { z } from 'zod'

const mark = Symbol.for('vercel.ai.schema')

/** What `jsonSchema()` of the AI SDK gives. */
function aiSdkSchema(jsonSchema: unknown, validate?: (value: unknown) => unknown): ToolSchema {
  return {
    [mark]: true,
    _type: undefined,
    get jsonSchema() {
      return jsonSchema
    },
    validate,
  } as never
}

const toolWith = (inputSchema: unknown): ToolDefinition => ({
  name: 'echo',
  description: 'Echoes',
  inputSchema: inputSchema as ToolSchema,
  execute: (input) => input,
})

const citySchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}

test('a schema of the AI SDK checks with its JSON Schema', async () => {
  const schema = aiSdkSchema(citySchema)
  expect(await validateWithSchema(schema, { city: 'Bonn' })).toEqual({
    valid: true,
    value: { city: 'Bonn' },
  })
  expect(await validateWithSchema(schema, { city: 7 })).toMatchObject({
    valid: false,
    issues: [{ path: 'city' }],
  })
  expect(viewTool(toolWith(schema))).toMatchObject({ input: { schema: citySchema } })
})

test('a schema of the AI SDK that brings a check of its own is checked by that', async () => {
  const parse = z.object({ city: z.string().min(3) })
  const schema = aiSdkSchema(citySchema, async (value) => {
    const { success, data, error } = parse.safeParse(value)
    return success ? { success, value: data } : { success, error }
  })
  expect(await validateWithSchema(schema, { city: 'Bonn', extra: 1 })).toEqual({
    valid: true,
    value: { city: 'Bonn' },
  })
  expect(await validateWithSchema(schema, { city: 'X' })).toMatchObject({
    valid: false,
    issues: [{ path: 'city' }],
  })
})

test('a check of the AI SDK that throws is a failure of the schema', async () => {
  const throwing = aiSdkSchema(citySchema, () => {
    throw new Error('broken')
  })
  const rejecting = aiSdkSchema(citySchema, async () => {
    throw new Error('broken')
  })
  expect(() => validateWithSchema(throwing, {})).toThrowError(/broken/)
  await expect(validateWithSchema(rejecting, {})).rejects.toMatchObject({ code: 'SCHEMA_INVALID' })
})

test('what looks like a schema and would check nothing is refused by name', () => {
  class Joi {
    readonly type = 'object'
  }
  const foreign: readonly (readonly [unknown, RegExp])[] = [
    [aiSdkSchema(Promise.resolve(citySchema)), /promise/],
    [aiSdkSchema(undefined), /no JSON Schema/],
    [{ jsonSchema: citySchema }, /jsonSchema/],
    [{ _type: null, jsonSchema: citySchema, description: 'x' }, /jsonSchema/],
    [{ jsonSchema: citySchema, validate: () => true }, /function at validate/],
    [{ city: z.string() }, /schema of a library at city/],
    [{ type: 'object', properties: { city: z.string() } }, /at properties\.city/],
    [new Joi(), /instance of Joi/],
    [{ type: 'object', properties: { city: new Joi() } }, /instance of Joi at properties\.city/],
    [new Map(), /instance of Map/],
    [[citySchema], /list/],
    ['string', /string/],
  ]
  for (const [schema, reason] of foreign) {
    const registry = new ToolRegistry()
    expect(() => registry.register(toolWith(schema))).toThrowError(
      expect.objectContaining({
        code: 'TOOL_DEFINITION_INVALID',
        message: expect.stringMatching(reason),
      }),
    )
    expect(registry.count()).toBe(0)
  }
})

test('every JSON Schema is taken, also an empty one and one with extensions', () => {
  const registry = new ToolRegistry()
  const schemas: unknown[] = [
    {},
    { title: 'Anything' },
    { 'x-order': 1 },
    { type: 'object', 'x-order': 1, custom: true },
    { $ref: '#/$defs/a', $defs: { a: true } },
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
    Object.assign(Object.create(null), { type: 'object' }),
  ]
  for (const schema of schemas) registry.replace(toolWith(schema))
  expect(registry.count()).toBe(1)
})
