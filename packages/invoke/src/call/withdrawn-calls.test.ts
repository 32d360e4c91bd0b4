import { ToolError } from '@toolcrib/registry'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Harness, createHarness, errorOf, never } from '../../test/harness.ts'

const paused = new ToolError('TOOLS_PAUSED', 'All made tools are paused: incident.')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function withdraw({ invoker }: Harness, name = 'tool'): void {
  invoker.withdraw({ concerns: (tool) => tool.name === name, error: paused })
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
  expect(reason).toMatchObject({ code: 'CANCELLED', cause: paused })
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

test('a made tool that throws the reason later has run, as its late row says', async () => {
  const harness = createHarness()
  harness.add(
    'tool',
    async (_input, signal) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      signal.throwIfAborted()
    },
    {
      source: {
        type: 'made',
        version: 1,
        hash: 'h',
        owner: 'a',
        kind: 'code',
        visibility: 'shared',
      } as never,
    },
  )
  const pending = harness.invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(10)
  withdraw(harness)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await pending).toMatchObject({ errorCode: 'TOOLS_PAUSED', mayStillBeRunning: true })
  expect(harness.log.lates).toHaveLength(1)
  expect(JSON.stringify(harness.log.lates)).not.toContain('did not run')
})

test('a call that its caller cancelled stays cancelled', async () => {
  const harness = createHarness({ stopGraceMs: 300 })
  harness.add('tool', () => never())
  const controller = new AbortController()
  const pending = harness.invoker.invoke('tool', {}, { signal: controller.signal })
  await vi.advanceTimersByTimeAsync(10)
  controller.abort()
  await vi.advanceTimersByTimeAsync(20)
  withdraw(harness)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await pending).toMatchObject({ errorCode: 'CANCELLED' })
  expect(harness.log.codes).toEqual(['CANCELLED'])
})

test('an error of another code is told as a revocation, and a question that throws holds', async () => {
  const harness = createHarness()
  harness.add('tool', () => never())
  const pending = harness.invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(10)
  harness.invoker.withdraw({
    concerns: () => {
      throw new Error('no answer')
    },
    error: new ToolError('MY_OWN_CODE', 'Enough.') as never,
  })
  await vi.advanceTimersByTimeAsync(1_000)
  const result = await pending
  expect(result).toMatchObject({
    errorCode: 'TOOL_REVOKED',
    error: expect.stringContaining('Enough.'),
  })
  expect(errorOf(result)).not.toContain('could not be checked')
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
