import { ToolError } from '@toolcrib/registry'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createGate, createHarness, never, settleMicrotasks } from '../../test/harness.ts'
import { ToolTimeoutError } from './tool-timeout-error.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the deadline', () => {
  test('reports a tool that ignores it as possibly still running, and its late value only to the log', async () => {
    const { invoker, log, add } = createHarness()
    const gate = createGate<string>()
    add('stubborn', () => gate.opened)
    const pending = invoker.invoke('stubborn', {}, { timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    const result = await pending
    expect(result).toEqual({
      success: false,
      errorCode: 'TIMEOUT',
      error:
        '"stubborn" did not finish within 1000 ms. It was told to stop and may still be running, so its effects may still happen.',
      errorData: { timeoutMs: 1_000 },
      durationMs: 1_000,
      callId: result.callId,
      mayStillBeRunning: true,
    })
    expect(log.ends).toMatchObject([{ status: 'timed_out', mayStillBeRunning: true }])
    expect(invoker.running()).toMatchObject([{ toolName: 'stubborn', state: 'stopping' }])
    await vi.advanceTimersByTimeAsync(500)
    gate.open('too late')
    await settleMicrotasks()
    expect(log.ends).toHaveLength(1)
    expect(log.lates).toMatchObject([
      { callId: result.callId, status: 'completed', outputText: '"too late"', durationMs: 1_500 },
    ])
    expect(invoker.running()).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('logs a late error as late', async () => {
    const { invoker, log, add } = createHarness()
    const gate = createGate()
    add('stubborn', async () => {
      await gate.opened
      throw new Error('late trouble')
    })
    const pending = invoker.invoke('stubborn', {}, { timeoutMs: 10 })
    await vi.advanceTimersByTimeAsync(10)
    await pending
    gate.open()
    await settleMicrotasks()
    expect(log.lates).toMatchObject([
      {
        status: 'failed',
        error: { code: 'TOOL_FAILED', message: expect.stringContaining('late trouble') as string },
      },
    ])
  })

  test('does not call a tool still running that stopped when it was told to', async () => {
    const { invoker, log, add } = createHarness()
    let reason: unknown
    add('polite', async (_input, signal) => {
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
          reject(signal.reason as Error)
        })
      })
    })
    const pending = invoker.invoke('polite', {}, { timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await pending).not.toHaveProperty('mayStillBeRunning')
    expect(reason).toBeInstanceOf(ToolTimeoutError)
    expect(log.ends).toMatchObject([{ status: 'timed_out' }])
    expect(log.lates).toEqual([])
  })

  test('says that what a polite tool started elsewhere may still run, where the tool says so on being stopped', async () => {
    const { invoker, log, add } = createHarness()
    add(
      'distant',
      (_input, signal) =>
        new Promise((_resolve, reject) => {
          const data = { mayStillBeRunning: true }
          signal.addEventListener('abort', () =>
            reject(new ToolError<string>('FAR_AWAY', 'No answer came.', { data })),
          )
        }),
    )
    const pending = invoker.invoke('distant', {}, { timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await pending).toMatchObject({ errorCode: 'TIMEOUT', mayStillBeRunning: true })
    expect(log.ends).toMatchObject([{ status: 'timed_out', mayStillBeRunning: true }])
    expect(invoker.running()).toEqual([])
  })

  test('keeps what a tool gives on being stopped as late, and reports a timeout all the same', async () => {
    const { invoker, log, add } = createHarness()
    add(
      'partial',
      (_input, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('what I have'))
        }),
    )
    const pending = invoker.invoke('partial', {}, { timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    const result = await pending
    expect(result).toMatchObject({ errorCode: 'TIMEOUT' })
    expect(result).not.toHaveProperty('mayStillBeRunning')
    await settleMicrotasks()
    expect(log.lates).toMatchObject([{ outputText: '"what I have"' }])
  })

  test('gives a tool the grace that it was promised, and reports earlier when it needs less', async () => {
    const { invoker, add } = createHarness({ stopGraceMs: 100 })
    const slowToStop =
      (stopMs: number) =>
      (_input: unknown, signal: AbortSignal): Promise<unknown> =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => setTimeout(resolve, stopMs))
        })
    add('within', slowToStop(50))
    add('beyond', slowToStop(150))
    const within = invoker.invoke('within', {}, { timeoutMs: 1_000 })
    const beyond = invoker.invoke('beyond', {}, { timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(1_050)
    const first = await within
    expect(first.durationMs).toBe(1_050)
    expect(first).not.toHaveProperty('mayStillBeRunning')
    await vi.advanceTimersByTimeAsync(50)
    expect(await beyond).toMatchObject({ mayStillBeRunning: true, durationMs: 1_100 })
    await vi.advanceTimersByTimeAsync(100)
    expect(vi.getTimerCount()).toBe(0)
  })

  test("is the caller's, else the tool's, else the invoker's", async () => {
    const { invoker, add } = createHarness({ defaultTimeoutMs: 300 })
    add('own', never, { timeoutMs: 200 })
    add('none', never)
    const calls = [
      invoker.invoke('own', {}, { timeoutMs: 100 }),
      invoker.invoke('own', {}),
      invoker.invoke('none', {}),
    ]
    await vi.advanceTimersByTimeAsync(1_000)
    const results = await Promise.all(calls)
    expect(results.map(({ durationMs }) => durationMs)).toEqual([100, 200, 300])
  })

  test('of 30 seconds holds where nobody names one', async () => {
    const { invoker, add } = createHarness()
    add('slow', never)
    const pending = invoker.invoke('slow', {})
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await pending).toMatchObject({ errorCode: 'TIMEOUT', durationMs: 30_000 })
  })

  test('of zero or less refuses at once, and the tool does not run', async () => {
    const { invoker, log, add } = createHarness()
    const execute = vi.fn<() => number>(() => 1)
    add('tool', execute)
    for (const timeoutMs of [0, -5])
      expect(await invoker.invoke('tool', {}, { timeoutMs })).toMatchObject({
        errorCode: 'TIMEOUT',
        error: expect.stringContaining('did not run') as string,
      })
    expect(execute).not.toHaveBeenCalled()
    expect(log.ends).toMatchObject([{ error: { data: { toolRan: false } } }, {}])
  })

  test('holds for schemas, checks and output schemas that never answer', async () => {
    const schema = { '~standard': { version: 1, vendor: 'test', validate: never } } as never
    const { invoker, add } = createHarness({
      checkCallable: (tool) => (tool.name === 'checked' ? never() : undefined),
    })
    add('input', () => 1, { inputSchema: schema })
    add('output', () => 1, { outputSchema: schema })
    add('checked', () => 1)
    const calls = ['input', 'output', 'checked'].map((name) =>
      invoker.invoke(name, {}, { timeoutMs: 50 }),
    )
    await vi.advanceTimersByTimeAsync(50)
    expect(await Promise.all(calls)).toMatchObject([
      { errorCode: 'TIMEOUT', error: expect.stringContaining('did not run') as string },
      { errorCode: 'TIMEOUT', error: expect.stringContaining('"output" ran') as string },
      { errorCode: 'TIMEOUT', error: expect.stringContaining('did not run') as string },
    ])
    expect(invoker.running()).toEqual([])
  })
})

describe('cancelling', () => {
  test("stops the tool with the caller's reason and is reported as cancelled", async () => {
    const { invoker, log, add } = createHarness()
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    add('slow', (_input, given) => {
      signal = given
      return never()
    })
    const pending = invoker.invoke('slow', {}, { signal: controller.signal })
    await settleMicrotasks()
    controller.abort('not needed any more')
    expect(await pending).toMatchObject({ errorCode: 'CANCELLED', mayStillBeRunning: true })
    expect(signal?.reason).toBe('not needed any more')
    expect(log.ends).toMatchObject([{ status: 'cancelled', error: { code: 'CANCELLED' } }])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('beforehand means that the tool does not run', async () => {
    const { invoker, log, add } = createHarness()
    const execute = vi.fn<() => number>(() => 1)
    add('tool', execute)
    const result = await invoker.invoke('tool', {}, { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ errorCode: 'CANCELLED' })
    expect(execute).not.toHaveBeenCalled()
    expect(log.ends).toMatchObject([{ status: 'cancelled', error: { data: { toolRan: false } } }])
  })

  test('afterwards changes nothing, and no listener stays on the signal', async () => {
    const { invoker, log, add } = createHarness()
    const controller = new AbortController()
    const added = vi.spyOn(controller.signal, 'addEventListener')
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    add('tool', () => 1)
    expect(await invoker.invoke('tool', {}, { signal: controller.signal })).toMatchObject({
      success: true,
    })
    controller.abort()
    await settleMicrotasks()
    expect(log.ends).toHaveLength(1)
    expect(added).toHaveBeenCalledTimes(1)
    expect(removed).toHaveBeenCalledWith(...(added.mock.calls[0]?.slice(0, 2) as ['abort', never]))
  })

  test('twice, or a cancel and a timeout together, gives one report', async () => {
    const { invoker, log, add } = createHarness()
    const controller = new AbortController()
    add('slow', never)
    const pending = invoker.invoke('slow', {}, { signal: controller.signal, timeoutMs: 10 })
    await vi.advanceTimersByTimeAsync(10)
    controller.abort()
    await settleMicrotasks()
    expect(await pending).toMatchObject({ errorCode: 'TIMEOUT' })
    expect(log.ends).toHaveLength(1)
  })
})

describe('time', () => {
  test('that the wall clock skips or takes back changes no duration and no deadline', async () => {
    let wall = 1_000_000
    const { invoker, log, add } = createHarness({ now: () => wall })
    add('jumps', async () => {
      wall += wall > 900_000 ? -800_000 : 5_000_000
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
    })
    for (let round = 0; round < 2; round += 1) {
      const pending = invoker.invoke('jumps', {}, { timeoutMs: 100 })
      await vi.advanceTimersByTimeAsync(50)
      expect(await pending).toMatchObject({ success: true, durationMs: 50 })
    }
    for (const [at, end] of log.ends.entries())
      expect(end.endedAt).toBe((log.starts[at]?.startedAt ?? 0) + 50)
  })

  test('that runs backwards on a broken monotonic clock gives no negative duration', async () => {
    let tick = 1_000
    const { invoker, add } = createHarness({ monotonicNow: () => (tick -= 10) })
    add('tool', () => 1)
    expect(await invoker.invoke('tool', {})).toMatchObject({ success: true, durationMs: 0 })
  })

  test('leaves no timer after a thousand calls', async () => {
    const { invoker, add } = createHarness()
    add('tool', () => 1)
    add('fails', () => Promise.reject(new Error('no')))
    await Promise.all(
      Array.from({ length: 1_000 }, (_, at) => invoker.invoke(at % 2 === 0 ? 'tool' : 'fails', {})),
    )
    expect(vi.getTimerCount()).toBe(0)
    expect(invoker.running()).toEqual([])
  })
})
