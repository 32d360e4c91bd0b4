import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { type ToolDefinition, ToolRegistry, defineTool } from './index.ts'

test('input and output types follow from zod schemas', () => {
  const tool = defineTool({
    name: 'length',
    description: 'Counts characters',
    inputSchema: z.object({ text: z.string(), times: z.number().default(1) }),
    outputSchema: z.object({ length: z.number() }),
    execute: ({ text, times }) => {
      expectTypeOf(text).toBeString()
      expectTypeOf(times).toBeNumber()
      return { length: text.length * times }
    },
  })
  expectTypeOf(tool).toExtend<ToolDefinition<{ text: string; times: number }, { length: number }>>()
  new ToolRegistry().register(tool)
})

test('an output that does not match its schema is a type error', () => {
  const tool = defineTool({
    name: 'length',
    description: 'Counts characters',
    inputSchema: z.object({ text: z.string() }),
    outputSchema: z.object({ length: z.number() }),
    // @ts-expect-error -- length must be a number
    execute: ({ text }) => ({ length: text }),
  })
  expectTypeOf(tool.name).toBeString()
})

test('with a JSON Schema the input is unknown', () => {
  defineTool({
    name: 'any',
    description: 'Takes anything',
    inputSchema: { type: 'object' },
    execute: (input) => {
      expectTypeOf(input).toBeUnknown()
      return input
    },
  })
})
