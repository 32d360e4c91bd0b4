import type { LoggedToolCall, ToolCallPage } from '@toolcrib/registry'
import { z } from 'zod'
import { defineOperation } from './operation.ts'

const statuses = [
  'started',
  'completed',
  'failed',
  'timed_out',
  'cancelled',
  'interrupted',
] as const

/** `log`: calls that match, a page at a time. */
export const queryLog = defineOperation(
  z.strictObject({
    toolName: z.string().optional(),
    status: z.enum(statuses).optional(),
    since: z.number().optional(),
    until: z.number().optional(),
    traceId: z.string().optional(),
    parentCallId: z.string().optional(),
    sessionId: z.string().optional(),
    order: z.enum(['newest-first', 'oldest-first']).optional(),
    limit: z.number().int().positive().max(1_000).optional(),
    cursor: z.string().optional(),
  }),
  (query, { kernel, signal }): Promise<ToolCallPage> =>
    kernel.callLog.query({ ...(query as object), signal }),
)

/** `log show`: one call with its whole output. */
export const showCall = defineOperation(
  z.strictObject({ callId: z.string() }),
  async (
    { callId },
    { kernel, signal },
  ): Promise<{ call: LoggedToolCall; output: string | undefined } | undefined> => {
    const call = await kernel.callLog.get(callId, { signal })
    return call === undefined
      ? undefined
      : { call, output: await kernel.callLog.readOutput(callId, { signal }) }
  },
)

/** `log stats`: how each tool has fared. */
export const showStatistics = defineOperation(
  z.strictObject({
    toolName: z.string().optional(),
    since: z.number().optional(),
    until: z.number().optional(),
  }),
  (query, { kernel, signal }) => kernel.callLog.statistics({ ...(query as object), signal }),
)
