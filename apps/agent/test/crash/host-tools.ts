import { setTimeout as wait } from 'node:timers/promises'
import { type ToolDefinition, defineTool } from '@toolcrib/registry'
import { z } from 'zod'

/** Tools of the host itself that end in every way in which a call can end. */
export const hostTools: readonly ToolDefinition[] = [
  defineTool({
    name: 'wait_a_moment',
    description: 'Waits, and stops when it is told to',
    inputSchema: z.object({ ms: z.number().max(10_000) }),
    execute: async ({ ms }, signal) => {
      await wait(ms, undefined, { signal })
      return { waitedMs: ms }
    },
  }),
  defineTool({
    name: 'wait_in_spite',
    description: 'Waits, whatever it is told',
    inputSchema: z.object({ ms: z.number().max(10_000) }),
    execute: async ({ ms }) => {
      await wait(ms)
      return { waitedMs: ms }
    },
  }),
  defineTool({
    name: 'fail_at_once',
    description: 'Fails',
    inputSchema: z.object({}),
    execute: () => {
      throw new Error('it failed, as it always does')
    },
  }),
  defineTool({
    name: 'say_much',
    description: 'Gives a long text',
    inputSchema: z.object({ length: z.number().max(1_000_000) }),
    maxOutputBytes: 50_000,
    execute: ({ length }) => 'x'.repeat(length),
  }),
] as readonly ToolDefinition[]
