import type { ToolDefinition } from '@toolcrib/registry'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createHarness, errorOf, never } from '../../test/harness.ts'
import { createInvoker } from '../create-invoker.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a check that cancels the call itself right before the tool runs keeps it from running', async () => {
  const controller = new AbortController()
  let asked = 0
  const { invoker, log, add } = createHarness({
    checkCallable: () => {
      asked += 1
      if (asked === 2) controller.abort()
      return undefined
    },
  })
  const execute = vi.fn()
  add('tool', execute)
  const result = await invoker.invoke('tool', {}, { signal: controller.signal })
  expect(result).toMatchObject({ errorCode: 'CANCELLED' })
  expect(execute).not.toHaveBeenCalled()
  expect(log.ends).toMatchObject([{ status: 'cancelled', error: { data: { toolRan: false } } }])
})

test('a signal that is aborted before anybody listens to it still stops the call', async () => {
  const controller = new AbortController()
  const { invoker, add } = createHarness({
    checkCallable: () => {
      controller.abort()
      return undefined
    },
  })
  add('tool', () => never())
  const pending = invoker.invoke('tool', {}, { signal: controller.signal })
  await vi.advanceTimersByTimeAsync(1)
  expect(await pending).toMatchObject({ errorCode: 'CANCELLED' })
})

test.each(['timeout', 'cancelled'] as const)(
  'an output whose check is overtaken is on record: %s',
  async (cause) => {
    const controller = new AbortController()
    const { invoker, log, add } = createHarness()
    add('tool', () => ({ answer: 42 }), {
      timeoutMs: 100,
      outputSchema: z.looseObject({}).refine(() => never<boolean>()),
    })
    const pending = invoker.invoke('tool', {}, { signal: controller.signal })
    await vi.advanceTimersByTimeAsync(50)
    if (cause === 'cancelled') controller.abort()
    await vi.advanceTimersByTimeAsync(50)
    expect(await pending).toMatchObject({ success: false })
    expect(log.ends).toMatchObject([{ outputText: '{"answer":42}' }])
  },
)

test('a call of a tool whose caller has used up all time says so', async () => {
  let tick = 0
  let answer = ''
  const { invoker, add } = createHarness({ monotonicNow: () => tick })
  add('inner', () => 1)
  add(
    'outer',
    async (_input, _signal, { invoke }) => {
      tick = 5_000
      answer = errorOf(await invoke('inner', {}))
    },
    { timeoutMs: 100 },
  )
  await invoker.invoke('outer', {})
  expect(answer).toBe('"inner" did not run: no time was left for it.')
})

test('a call that cannot be carried through has its terminal row too', async () => {
  const { log, lines, add, registry } = createHarness()
  add('tool', () => 1)
  const broken = Object.defineProperty({ ...registry.get('tool') }, 'outputSchema', {
    get: () => {
      throw new Error('No schema for you.')
    },
  }) as ToolDefinition
  const invoker = createInvoker({
    registry: { get: () => broken, list: () => [], count: () => 1 },
    log,
  })
  expect(await invoker.invoke('tool', {})).toMatchObject({ errorCode: 'TOOL_FAILED' })
  await vi.advanceTimersByTimeAsync(1)
  expect(log.starts).toHaveLength(1)
  expect(log.ends).toMatchObject([{ status: 'failed', error: { code: 'TOOL_FAILED' } }])
  expect(invoker.running()).toEqual([])
  expect(lines).toEqual([])
})

test('a call is forgotten although its log never answers for what came late', async () => {
  const { invoker, log, add } = createHarness({ logTimeoutMs: 500 })
  add('tool', () => new Promise((resolve) => void setTimeout(resolve, 200)), { timeoutMs: 100 })
  log.before = (row) => (row === 'failure' || row === 'late' ? never() : undefined)
  const pending = invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await pending).toMatchObject({ errorCode: 'TIMEOUT' })
  expect(invoker.running()).toEqual([])
})

test('a log that fails with nothing is not said to be a tool that threw', async () => {
  const { invoker, log, lines, add } = createHarness()
  add('tool', () => 1)
  // oxlint-disable-next-line prefer-promise-reject-errors -- whatever a log does
  log.before = () => Promise.reject(undefined)
  await invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(1)
  expect(lines[0]?.data).toMatchObject({ error: { message: 'undefined was thrown' } })
})

test('a check that answers nonsense is named', async () => {
  const { invoker, add } = createHarness({ checkCallable: (() => false) as never })
  add('tool', () => 1)
  expect(errorOf(await invoker.invoke('tool', {}))).toBe(
    '"tool" did not run, because it could not be checked whether it may: the check gave neither a refusal nor undefined',
  )
})

test.each([
  [{ maxDepth: Number.NaN }, 'maxDepth must be a number of at least 0, got NaN'],
  [{ maxDepth: -1 }, 'maxDepth must be a number of at least 0, got -1'],
  [{ stopGraceMs: '5' }, 'stopGraceMs must be a number of at least 0, got "5"'],
  [{ concurrency: { maxRunning: Number.NaN } }, 'concurrency.maxRunning must be a number above 0'],
  [{ concurrency: { maxRunning: 0 } }, 'concurrency.maxRunning must be a number above 0, got 0'],
  [{ circuitBreaker: { maxFailures: 0 } }, 'circuitBreaker.maxFailures must be a number above 0'],
])('an option that would switch a limit off by mistake is refused: %j', (options, message) => {
  expect(() => createHarness(options as never)).toThrow(message)
})

test('options at the edge of their range are taken', () => {
  const edge = { maxWaiting: 0, maxRunning: 1 }
  expect(() => createHarness({ maxDepth: 0, stopGraceMs: 0, concurrency: edge })).not.toThrow()
})
