import { ToolRegistry, defineTool } from '@toolcrib/registry'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { never } from '../test/harness.ts'
import { RecordingLog } from '../test/recording-log.ts'
import { invokeWithLogging } from './invoke-with-logging.ts'

test('calls a tool by name and logs the call', async () => {
  const registry = new ToolRegistry()
  const log = new RecordingLog()
  registry.register(
    defineTool({
      name: 'double',
      description: 'Doubles',
      inputSchema: z.object({ value: z.number() }),
      execute: ({ value }) => value * 2,
    }),
  )
  expect(await invokeWithLogging(registry, log, 'double', { value: 2 })).toMatchObject({
    output: 4,
  })
  expect(await invokeWithLogging(registry, log, 'doubel', {})).toMatchObject({ success: false })
  expect(log.starts).toHaveLength(1)
  expect(log.ends).toHaveLength(1)
})

test('takes a time limit, and its calls share their limits', async () => {
  vi.useFakeTimers()
  const registry = new ToolRegistry()
  const log = new RecordingLog()
  registry.register({
    name: 'slow',
    description: 'Never ends',
    inputSchema: { type: 'object' },
    maxConcurrent: 1,
    execute: never,
  })
  const first = invokeWithLogging(registry, log, 'slow', {}, 50)
  const second = invokeWithLogging(registry, log, 'slow', {}, 50)
  await vi.advanceTimersByTimeAsync(50)
  expect(await first).toMatchObject({ errorCode: 'TIMEOUT', durationMs: 50 })
  expect(await second).toMatchObject({ errorCode: 'CONCURRENCY_LIMIT' })
  vi.useRealTimers()
})
