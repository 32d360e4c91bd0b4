import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGate, createHarness, never, settleMicrotasks } from '../../test/harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('closing refuses new calls, lets running ones end, nested ones included, and waits for their rows', async () => {
  const { invoker, log, add } = createHarness()
  const gate = createGate()
  add('inner', () => 'inner')
  add('outer', async (_input, _signal, { invoke }) => {
    await gate.opened
    return (await invoke('inner', {})).success
  })
  const running = invoker.invoke('outer', {})
  await settleMicrotasks()
  const closing = invoker.close()
  expect(await invoker.invoke('outer', {})).toMatchObject({ errorCode: 'INVOKER_CLOSED' })
  gate.open()
  expect(await running).toMatchObject({ output: true })
  expect(await closing).toEqual([])
  expect(log.ends).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('closing cancels at its limit what has not ended, and names what still runs', async () => {
  const { invoker, log, add } = createHarness({ logTimeoutMs: 200 })
  add('stubborn', never)
  add(
    'polite',
    (_input, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  const calls = [invoker.invoke('stubborn', {}), invoker.invoke('polite', {})]
  const closing = invoker.close({ timeoutMs: 1_000 })
  await vi.advanceTimersByTimeAsync(999)
  expect(log.ends).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1)
  const results = await Promise.all(calls)
  expect(results).toMatchObject([
    { errorCode: 'CANCELLED', mayStillBeRunning: true },
    { errorCode: 'CANCELLED' },
  ])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await closing).toMatchObject([{ toolName: 'stubborn', state: 'stopping' }])
  expect(log.ends).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }])
})

test('closing waits for rows that are written in the background', async () => {
  const { invoker, log, add } = createHarness({ terminalRow: 'background' })
  const gate = createGate()
  add('tool', () => 1)
  log.before = (row) => (row === 'complete' ? gate.opened : undefined)
  await invoker.invoke('tool', {})
  let isClosed = false
  const closing = invoker.close().then(() => (isClosed = true))
  await settleMicrotasks()
  expect(isClosed).toBe(false)
  gate.open()
  await closing
  expect(log.ends).toHaveLength(1)
})

test('closing can be hurried, and done twice', async () => {
  const { invoker, add } = createHarness()
  const controller = new AbortController()
  add(
    'polite',
    (_input, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  const running = invoker.invoke('polite', {})
  await settleMicrotasks()
  const closing = invoker.close({ signal: controller.signal })
  const again = invoker.close({ signal: controller.signal })
  controller.abort()
  expect(await running).toMatchObject({ errorCode: 'CANCELLED' })
  expect(await Promise.all([closing, again])).toEqual([[], []])
  expect(await invoker.close()).toEqual([])
})

test('running says what runs, for whom, since when and for which call', async () => {
  const { invoker, add } = createHarness({ now: () => 7_000 })
  add('inner', never)
  add('outer', (_input, _signal, { invoke }) => invoke('inner', {}))
  void invoker.invoke('outer', {}, { principal: { kind: 'agent', id: 'a1' } })
  await settleMicrotasks()
  const [outer, inner] = invoker.running()
  expect(outer).toEqual({
    callId: expect.any(String) as string,
    toolName: 'outer',
    principal: { kind: 'agent', id: 'a1' },
    startedAt: 7_000,
    state: 'running',
  })
  expect(inner).toMatchObject({ toolName: 'inner', parentCallId: outer?.callId })
})

test('closing without a limit waits for as long as it takes', async () => {
  const { invoker, add } = createHarness()
  const gate = createGate<string>()
  add('slow', () => gate.opened, { timeoutMs: 1e9 })
  const pending = invoker.invoke('slow', {})
  const closing = invoker.close({ timeoutMs: Infinity })
  await vi.advanceTimersByTimeAsync(60_000)
  gate.open('done')
  expect(await pending).toMatchObject({ success: true, output: 'done' })
  expect(await closing).toEqual([])
})
