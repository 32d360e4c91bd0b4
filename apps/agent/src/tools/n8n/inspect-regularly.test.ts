import { silentLogger } from '@toolcrib/registry'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inspectRegularly } from './inspect-regularly.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const everyMs = 30_000

test('looks every so often, never twice at once, and goes on after a failure', async () => {
  const warn = vi.fn<typeof silentLogger.warn>()
  const pending: PromiseWithResolvers<never[]>[] = []
  const inspectTools = vi.fn<() => Promise<never[]>>(() => {
    const look = Promise.withResolvers<never[]>()
    pending.push(look)
    return look.promise
  })
  const inspection = inspectRegularly(
    { inspectTools },
    { everyMs, logger: { ...silentLogger, warn } },
  )
  await vi.advanceTimersByTimeAsync(everyMs - 1)
  expect(inspectTools).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(1 + 3 * everyMs)
  expect(inspectTools).toHaveBeenCalledTimes(1)
  pending[0]?.reject(new Error('broken'))
  await vi.advanceTimersByTimeAsync(everyMs)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(inspectTools).toHaveBeenCalledTimes(2)
  pending[1]?.resolve([])
  await inspection.stop()
  await vi.advanceTimersByTimeAsync(10 * everyMs)
  expect(inspectTools).toHaveBeenCalledTimes(2)
})

test('a changed tool is logged with its reason, an unchanged one is not', async () => {
  const warn = vi.fn<typeof silentLogger.warn>()
  const inspection = inspectRegularly(
    {
      inspectTools: async () => [
        { name: 'a', version: 1, kind: 'n8n', state: 'changed', reason: 'other nodes' },
        { name: 'b', version: 1, kind: 'n8n', state: 'intact' },
      ],
    },
    { everyMs, logger: { ...silentLogger, warn } },
  )
  await vi.advanceTimersByTimeAsync(everyMs)
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
    { tool: 'a', version: 1, reason: 'other nodes' },
  ])
  await inspection.stop()
})

test('stopping aborts the look that runs and waits for it', async () => {
  let aborted = false
  const inspection = inspectRegularly(
    {
      inspectTools: ({ signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            aborted = true
            reject(signal.reason)
          })
        }),
    },
    { everyMs, logger: silentLogger },
  )
  await vi.advanceTimersByTimeAsync(everyMs)
  await inspection.stop()
  expect(aborted).toBe(true)
})
