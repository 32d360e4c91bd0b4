import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHarness } from '../../test/harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

test('a duration is the time that the tool took, without waiting in line and without the log', async () => {
  const { invoker, log, add } = createHarness({ concurrency: { maxRunning: 1 } })
  add('tool', () => wait(100))
  log.before = () => wait(7)
  const pending = Promise.all([invoker.invoke('tool', {}), invoker.invoke('tool', {})])
  await vi.advanceTimersByTimeAsync(1_000)
  expect((await pending).map(({ durationMs }) => durationMs)).toEqual([100, 100])
  expect(log.ends.map(({ durationMs }) => durationMs)).toEqual([100, 100])
  const spans = log.ends.map(({ endedAt }, at) => endedAt - (log.starts[at]?.startedAt ?? 0))
  expect(spans).toEqual([107, 214])
})

test('a tool that times out took what was left of the limit, and what comes late took longer', async () => {
  const { invoker, log, add } = createHarness()
  add('tool', () => wait(300), { timeoutMs: 100 })
  log.before = (row) => (row === 'start' ? wait(40) : undefined)
  const pending = invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await pending).toMatchObject({ errorCode: 'TIMEOUT', durationMs: 60 })
  expect(log.lates).toMatchObject([{ durationMs: 300 }])
})

test('the duration of a call that did not run is how long it took to refuse it', async () => {
  const { invoker, log, add } = createHarness({ checkCallable: () => wait(25).then(() => refusal) })
  const refusal = { code: 'TOOL_REVOKED', message: 'It was revoked.' } as const
  add('tool', () => 1)
  const pending = invoker.invoke('tool', {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await pending).toMatchObject({ errorCode: 'TOOL_REVOKED', durationMs: 25 })
  expect(log.ends).toMatchObject([{ durationMs: 25 }])
})
