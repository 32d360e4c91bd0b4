import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createGate, createHarness, never, settleMicrotasks } from '../../test/harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A tool that runs until it is let go, one call after the other. */
function createDoor(): { enter: () => Promise<unknown>; readonly inside: number; letGo(): void } {
  const waiting: (() => void)[] = []
  return {
    enter: () => {
      const gate = createGate()
      waiting.push(() => gate.open())
      return gate.opened
    },
    get inside() {
      return waiting.length
    },
    letGo: () => waiting.shift()?.(),
  }
}

describe.each([
  ['all calls together', { concurrency: { maxRunning: 2 } }, {}],
  ['calls of one owner', { concurrency: { maxRunningPerOwner: 2 } }, {}],
  ['calls of one tool', {}, { maxConcurrent: 2 }],
  ['calls of a tool without a limit of its own', { concurrency: { maxRunningPerTool: 2 } }, {}],
])('a limit for %s', (_, options, tool) => {
  test('lets in as many as it says, and the next when one has ended', async () => {
    const { invoker, add } = createHarness(options)
    const door = createDoor()
    add('door', () => door.enter(), tool)
    const calls = [1, 2, 3].map(() => invoker.invoke('door', {}))
    await settleMicrotasks()
    expect(door.inside).toBe(2)
    expect(invoker.running().map(({ state }) => state)).toEqual(['running', 'running', 'waiting'])
    door.letGo()
    await settleMicrotasks()
    expect(door.inside).toBe(2)
    door.letGo()
    door.letGo()
    expect(await Promise.all(calls)).toMatchObject([
      { success: true },
      { success: true },
      { success: true },
    ])
  })

  test('refuses who waits past the deadline, and the tool never runs for it', async () => {
    const { invoker, log, add } = createHarness(options)
    const door = createDoor()
    add('door', () => door.enter(), tool)
    const calls = [1, 2].map(() => invoker.invoke('door', {}))
    const late = invoker.invoke('door', {}, { timeoutMs: 100 })
    await vi.advanceTimersByTimeAsync(100)
    expect(await late).toMatchObject({ errorCode: 'CONCURRENCY_LIMIT', durationMs: 100 })
    expect(log.ends).toMatchObject([{ status: 'failed', error: { data: { toolRan: false } } }])
    door.letGo()
    door.letGo()
    await Promise.all(calls)
    expect(door.inside).toBe(0)
  })
})

describe('waiting', () => {
  test('is refused at once when as many wait as may', async () => {
    const { invoker, add } = createHarness({ concurrency: { maxRunning: 1, maxWaiting: 1 } })
    const door = createDoor()
    add('door', () => door.enter())
    const running = invoker.invoke('door', {})
    const waiting = invoker.invoke('door', {})
    await settleMicrotasks()
    expect(await invoker.invoke('door', {})).toMatchObject({ errorCode: 'CONCURRENCY_LIMIT' })
    door.letGo()
    await running
    await settleMicrotasks()
    door.letGo()
    expect(await waiting).toMatchObject({ success: true })
  })

  test('can be cancelled, and the place goes to the next', async () => {
    const { invoker, add } = createHarness({ concurrency: { maxRunning: 1 } })
    const door = createDoor()
    const controller = new AbortController()
    add('door', () => door.enter())
    const first = invoker.invoke('door', {})
    const second = invoker.invoke('door', {}, { signal: controller.signal })
    const third = invoker.invoke('door', {})
    await settleMicrotasks()
    controller.abort()
    expect(await second).toMatchObject({ errorCode: 'CANCELLED' })
    door.letGo()
    await first
    await settleMicrotasks()
    door.letGo()
    expect(await third).toMatchObject({ success: true })
  })

  test('in the very moment of a free place and of the deadline loses no place', async () => {
    const { invoker, add } = createHarness({ concurrency: { maxRunning: 1 } })
    add(
      'short',
      () =>
        new Promise((resolve) => {
          setTimeout(resolve, 100)
        }),
    )
    const first = invoker.invoke('short', {})
    const second = invoker.invoke('short', {}, { timeoutMs: 100 })
    await vi.advanceTimersByTimeAsync(500)
    await Promise.all([first, second])
    const third = invoker.invoke('short', {})
    await vi.advanceTimersByTimeAsync(100)
    expect(await third).toMatchObject({ success: true })
  })

  test('behind a busy tool keeps nobody from another tool', async () => {
    const { invoker, add } = createHarness({ concurrency: { maxRunning: 3 } })
    const door = createDoor()
    add('door', () => door.enter(), { maxConcurrent: 1 })
    add('free', () => 'free')
    void invoker.invoke('door', {})
    void invoker.invoke('door', {})
    await settleMicrotasks()
    expect(await invoker.invoke('free', {})).toMatchObject({ output: 'free' })
  })

  test('ends with a refusal when the tool is revoked meanwhile', async () => {
    let isRevoked = false
    const { invoker, add } = createHarness({
      concurrency: { maxRunning: 1 },
      checkCallable: () => (isRevoked ? { code: 'TOOL_REVOKED', message: 'Revoked.' } : undefined),
    })
    const door = createDoor()
    add('door', () => door.enter())
    const first = invoker.invoke('door', {})
    const second = invoker.invoke('door', {})
    await settleMicrotasks()
    isRevoked = true
    door.letGo()
    await first
    expect(await second).toMatchObject({ errorCode: 'TOOL_REVOKED' })
    isRevoked = false
    const third = invoker.invoke('door', {})
    await settleMicrotasks()
    door.letGo()
    expect(await third).toMatchObject({ success: true })
  })
})

test('a runaway keeps its place until it really ends', async () => {
  const { invoker, add } = createHarness()
  const door = createDoor()
  add('door', () => door.enter(), { maxConcurrent: 1 })
  const runaway = invoker.invoke('door', {}, { timeoutMs: 10 })
  await vi.advanceTimersByTimeAsync(10)
  expect(await runaway).toMatchObject({ mayStillBeRunning: true })
  const second = invoker.invoke('door', {}, { timeoutMs: 10 })
  await vi.advanceTimersByTimeAsync(10)
  expect(await second).toMatchObject({ errorCode: 'CONCURRENCY_LIMIT' })
  door.letGo()
  await settleMicrotasks()
  const third = invoker.invoke('door', {})
  await settleMicrotasks()
  door.letGo()
  expect(await third).toMatchObject({ success: true })
})

test('owners do not share their limit', async () => {
  const { invoker, add } = createHarness({ concurrency: { maxRunningPerOwner: 1, maxWaiting: 0 } })
  add('tool', never)
  const as = (id: string) => ({ principal: { kind: 'agent', id } as const, timeoutMs: 10 })
  const calls = ['a', 'b', 'a'].map((id) => invoker.invoke('tool', {}, as(id)))
  await vi.advanceTimersByTimeAsync(10)
  const results = await Promise.all(calls)
  expect(results.map((result) => !result.success && result.errorCode)).toEqual([
    'TIMEOUT',
    'TIMEOUT',
    'CONCURRENCY_LIMIT',
  ])
})
