import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ToolDefinition, viewSchema, viewTool } from './index.ts'

const tool = (inputSchema: ToolDefinition['inputSchema']): ToolDefinition => ({
  name: 'echo',
  description: 'Echoes',
  inputSchema,
  execute: () => 1,
})

test('a zod schema is shown as JSON Schema, what a caller may pass', () => {
  const schema = z.object({ count: z.number().default(1) })
  expect(viewSchema(schema).schema).toMatchObject({
    type: 'object',
    properties: { count: { default: 1, type: 'number' } },
  })
  expect(viewSchema(schema).schema['required']).toBeUndefined()
  expect(viewSchema(schema, 'output').schema['required']).toEqual(['count'])
})

test('a schema is converted once', () => {
  const schema = z.object({ a: z.string() })
  expect(viewSchema(schema)).toBe(viewSchema(schema))
  expect(JSON.parse(viewSchema(schema).text)).toEqual(viewSchema(schema).schema)
})

test('a JSON Schema is shown as it is, in a copy that nobody can change', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } } as const
  const shown = viewSchema(schema).schema
  expect(shown).toEqual(schema)
  expect(() => Object.assign(shown, { type: 'string' })).toThrowError(TypeError)
  expect(() => Object.assign(shown['properties'] as object, { a: {} })).toThrowError(TypeError)
  expect(schema.properties).toEqual({ a: { type: 'string' } })
})

test('one tool with a bad schema says so and hides no other', () => {
  const cyclic: Record<string, unknown> = { type: 'object' }
  cyclic['self'] = cyclic
  const views = [
    tool(z.object({})),
    tool(z.object({ at: z.date() })),
    tool(cyclic as never),
    tool(z.string()),
  ].map(viewTool)
  expect(views.map(({ problem }) => problem !== undefined)).toEqual([false, true, true, true])
})

test('a schema library without JSON Schema is told what to do', () => {
  const schema = {
    '~standard': { version: 1, vendor: 'tiny', validate: (value: unknown) => ({ value }) },
  } as const
  expect(() => viewSchema(schema)).toThrowError(/tiny.*pass a JSON Schema/)
})

test('input and output are shown together', () => {
  const view = viewTool({
    ...tool(z.object({})),
    outputSchema: z.object({ a: z.string().default('x') }),
  })
  expect(view).toMatchObject({ name: 'echo', output: { schema: { required: ['a'] } } })
})
