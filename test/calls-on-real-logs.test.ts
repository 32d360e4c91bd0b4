import { setTimeout as wait } from 'node:timers/promises'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createPgliteCallLog } from '@toolcrib/call-log/pglite'
import { createInvoker } from '@toolcrib/invoke'
import {
  type CallLog,
  type LoggedToolCall,
  ToolRegistry,
  type ToolResult,
} from '@toolcrib/registry'
import { expect, test, vi } from 'vitest'

const endings = ['returns', 'throws', 'times-out', 'breaks-its-schema', 'returns-much'] as const
const rounds = 60

function expectedStatus(result: ToolResult): string {
  if (result.success) return 'completed'
  return result.errorCode === 'TIMEOUT' ? 'timed_out' : 'failed'
}

/**
 * What the log says of a call. One whose deadline came before its start row was durable did not run and is answered at once; how it
 * ended is written behind its start row. So is the end of one whose answer was held back for as long as answers are: on a machine with
 * much else to do the log may need longer.
 */
async function loggedInTheEnd(
  log: CallLog,
  result: ToolResult,
  atOnce: LoggedToolCall | undefined,
): Promise<LoggedToolCall | undefined> {
  if (atOnce !== undefined && atOnce.status !== 'started') return atOnce
  return vi.waitFor(async () => {
    const logged = await log.get(result.callId)
    expect(logged?.status).not.toBe('started')
    return logged
  })
}

/** Tools that read the log while others write to it, as an agent that looks at its own past does. */
function registerTools(registry: ToolRegistry, log: CallLog, seen: string[]): void {
  for (const ending of endings)
    registry.register({
      name: ending,
      description: `A tool that ${ending}`,
      inputSchema: { type: 'object' },
      timeoutMs: ending === 'times-out' ? 30 : 20_000,
      maxOutputBytes: 1_000,
      ...(ending === 'breaks-its-schema'
        ? { outputSchema: { type: 'object', required: ['missing'] } }
        : {}),
      execute: async (_input, signal, { callId }) => {
        if (ending === 'times-out') return wait(10_000, undefined, { signal })
        seen.push((await log.get(callId))?.status ?? 'nothing')
        if (ending === 'throws') throw new Error('It broke')
        return { text: ending === 'returns-much' ? 'x'.repeat(5_000) : 'x' }
      },
    })
}

test.each([
  ['in memory', async () => createMemoryCallLog()],
  ['in PGlite', async () => createPgliteCallLog({})],
] as const)(
  'with many calls at once that read the log %s, every call has its start row when it runs and its own end after',
  async (_where, openLog) => {
    const log = await openLog()
    const registry = new ToolRegistry()
    const seen: string[] = []
    registerTools(registry, log, seen)
    const invoker = createInvoker({ registry, log, circuitBreaker: false })
    const results = await Promise.all(
      Array.from({ length: rounds }, () => endings)
        .flat()
        .map(async (name, index) => {
          // Some at once, some while others write and read.
          await wait(index % 7)
          const result = await invoker.invoke(name, { index })
          return { result, logged: await log.get(result.callId), name, index }
        }),
    )
    expect(new Set(seen)).toEqual(new Set(['started']))
    for (const { result, logged: atOnce, name, index } of results) {
      const logged = await loggedInTheEnd(log, result, atOnce)
      expect(logged, name).toMatchObject({
        toolName: name,
        status: expectedStatus(result),
        inputText: `{"index":${index}}`,
      })
      if (name === 'returns-much') expect((await log.readOutput(result.callId))?.length).toBe(5_011)
    }
    expect((await log.query({ status: 'started' })).calls).toEqual([])
    await log.close()
  },
)
