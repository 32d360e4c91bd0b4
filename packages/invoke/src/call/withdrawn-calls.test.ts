import { ToolError } from '@toolcrib/registry'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Harness, createHarness, never } from '../../test/harness.ts'

const paused = new ToolError('TOOLS_PAUSED', 'All made tools are paused: incident.')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function withdraw({ invoker }: Harness, name = 'tool'): void {
  invoker.withdraw((tool) => tool.name === name, paused)
}

test('a tool that is taken out of use while it runs is told so, and who called it', async () => {
  const harness = createHarness()
  const { add, invoker, log } = harness
  let reason: unknown
  add('tool', (_input, signal) => {
    signal.addEventListener('abort', () => {
      reason = signal.reason
    })
    return never()
  })
  const pending = invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(10)
  withdraw(harness)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reason).toBe(paused)
  expect(await pending).toMatchObject({
    errorCode: 'TOOLS_PAUSED',
    error: expect.stringMatching(
      /told to stop while it ran.*All made tools are paused: incident\./,
    ),
    mayStillBeRunning: true,
  })
  expect(log.ends).toMatchObject([{ status: 'failed', error: { code: 'TOOLS_PAUSED' } }])
})

test('says that it stopped where it did', async () => {
  const harness = createHarness()
  harness.add('tool', async (_input, signal) => {
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
    })
    throw new Error('stopped')
  })
  const pending = harness.invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(10)
  withdraw(harness)
  await vi.advanceTimersByTimeAsync(1_000)
  const result = await pending
  expect(result).toMatchObject({
    errorCode: 'TOOLS_PAUSED',
    error: expect.stringMatching(/was stopped while it ran.*It has stopped/),
  })
  expect(result).not.toHaveProperty('mayStillBeRunning')
})

test('calls that it makes end with it, and calls of other tools go on', async () => {
  const harness = createHarness()
  const { add, invoker, log } = harness
  add('inner', () => never())
  add('tool', (_input, _principal, { invoke }) => invoke('inner', {}))
  add('other', async () => {
    await new Promise((resolve) => {
      setTimeout(resolve, 500)
    })
    return 'done'
  })
  const pending = invoker.invoke('tool', {})
  const other = invoker.invoke('other', {})
  await vi.advanceTimersByTimeAsync(10)
  withdraw(harness)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await pending).toMatchObject({ errorCode: 'TOOLS_PAUSED' })
  expect(await other).toMatchObject({ success: true, output: 'done' })
  expect(log.ends.map(({ toolName, status }) => [toolName, status])).toEqual(
    expect.arrayContaining([
      ['inner', 'cancelled'],
      ['tool', 'failed'],
      ['other', 'completed'],
    ]),
  )
})

test('a call that waits for a place does not run', async () => {
  const harness = createHarness({ concurrency: { maxRunningPerTool: 1 } })
  const execute = vi.fn(() => never())
  harness.add('tool', execute)
  const calls = [harness.invoker.invoke('tool', {}), harness.invoker.invoke('tool', {})]
  await vi.advanceTimersByTimeAsync(10)
  withdraw(harness)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await calls[1]).toMatchObject({
    errorCode: 'TOOLS_PAUSED',
    error: expect.stringContaining('did not run'),
  })
  expect(execute).toHaveBeenCalledTimes(1)
})

test('a call whose start row is on its way does not run, and is answered once its rows are there', async () => {
  const harness = createHarness()
  const row = Promise.withResolvers<void>()
  harness.log.before = (kind) => (kind === 'start' ? row.promise : undefined)
  const execute = vi.fn()
  harness.add('tool', execute)
  let isAnswered = false
  const pending = harness.invoker.invoke('tool', {}).finally(() => {
    isAnswered = true
  })
  await vi.advanceTimersByTimeAsync(10)
  withdraw(harness)
  await vi.advanceTimersByTimeAsync(100)
  expect(isAnswered).toBe(false)
  row.resolve()
  expect(await pending).toMatchObject({
    errorCode: 'TOOLS_PAUSED',
    error: expect.stringContaining('did not run'),
  })
  expect(execute).not.toHaveBeenCalled()
  expect(harness.log.starts).toHaveLength(1)
  expect(harness.log.codes).toEqual(['TOOLS_PAUSED'])
})

test('what a tool gave before it was taken out of use is handed out', async () => {
  const harness = createHarness()
  harness.log.before = (row) =>
    row === 'complete' ? new Promise((resolve) => setTimeout(resolve, 200)) : undefined
  harness.add('tool', () => 42)
  const pending = harness.invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(50)
  withdraw(harness)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await pending).toMatchObject({ success: true, output: 42 })
})

test('a failure that nobody caused counts for no circuit', async () => {
  const harness = createHarness({ circuitBreaker: { maxFailures: 1 } })
  harness.add('tool', (_input, signal) =>
    signal.aborted ? 1 : new Promise((resolve) => setTimeout(resolve, 100)),
  )
  const pending = harness.invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(10)
  withdraw(harness)
  await vi.advanceTimersByTimeAsync(1_000)
  await pending
  const again = harness.invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await again).toMatchObject({ success: true })
})
