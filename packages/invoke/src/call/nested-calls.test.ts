import type { ToolContext, ToolResult } from '@toolcrib/registry'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createGate, createHarness, never, settleMicrotasks } from '../../test/harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const agent = { kind: 'agent', id: 'a1' } as const

describe('a call that a tool makes', () => {
  test('is linked to the call that made it, for the same principal, trace and session', async () => {
    const { invoker, log, add } = createHarness()
    add('inner', () => 'inner')
    add('outer', async (_input, _signal, { invoke }) => (await invoke('inner', { a: 1 })).success)
    const traceId = '2'.repeat(32)
    await invoker.invoke('outer', {}, { principal: agent, traceId, sessionId: 's1' })
    const [outer, inner] = log.starts
    expect(inner).toMatchObject({
      toolName: 'inner',
      parentCallId: outer?.callId,
      principal: agent,
      traceId,
      sessionId: 's1',
      inputText: '{"a":1}',
    })
    expect(log.ends.map(({ toolName }) => toolName)).toEqual(['inner', 'outer'])
  })

  test.each([
    { principal: { kind: 'person', id: 'root' } },
    { sessionId: 'stolen' },
    { traceId: '3'.repeat(32) },
    { parentCallId: 'another' },
  ])('cannot take what is its caller’s: %o is refused', async (options) => {
    const { invoker, log, add } = createHarness()
    const answers: unknown[] = []
    add('inner', () => 1)
    add('outer', async (_input, _signal, { invoke }) => {
      answers.push(await invoke('inner', {}, options as never))
    })
    await invoker.invoke('outer', {}, { principal: agent })
    expect(answers).toMatchObject([{ success: false, errorCode: 'INPUT_INVALID' }])
    expect(log.starts.map(({ toolName }) => toolName)).toEqual(['outer'])
  })

  test('belongs to the session of the outermost call, however deep it is', async () => {
    const { invoker, log, add } = createHarness()
    const seen: unknown[] = []
    add('inmost', (_input, _signal, context) => void seen.push(context.sessionId))
    add('inner', async (_input, _signal, { invoke, sessionId }) => {
      seen.push(sessionId)
      await invoke('inmost', {})
    })
    add('outer', async (_input, _signal, { invoke, sessionId }) => {
      seen.push(sessionId)
      await invoke('inner', {})
    })
    await invoker.invoke('outer', {}, { sessionId: 's1' })
    expect(seen).toEqual(['s1', 's1', 's1'])
    expect(log.starts.map(({ sessionId }) => sessionId)).toEqual(['s1', 's1', 's1'])
    await invoker.invoke('outer', {})
    expect(seen.slice(3)).toEqual([undefined, undefined, undefined])
    expect(log.starts[4]).not.toHaveProperty('sessionId')
  })

  test.each(['TIMEOUT', 'CANCELLED'] as const)(
    'and may go on is said of its caller too, although that has stopped: %s',
    async (errorCode) => {
      const { invoker, log, add } = createHarness()
      add('inner', never)
      add('outer', async (_input, signal, { invoke }) => {
        await invoke('inner', {}, { timeoutMs: 10 })
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      })
      const controller = new AbortController()
      const result = invoker.invoke('outer', {}, { timeoutMs: 100, signal: controller.signal })
      await vi.advanceTimersByTimeAsync(50)
      if (errorCode === 'CANCELLED') controller.abort()
      await vi.advanceTimersByTimeAsync(100)
      expect(await result).toMatchObject({ errorCode, mayStillBeRunning: true })
      expect(log.ends).toMatchObject([
        { toolName: 'inner', mayStillBeRunning: true },
        { toolName: 'outer', mayStillBeRunning: true },
      ])
    },
  )

  test('ends with the tool that made it and did not wait for it', async () => {
    const { invoker, log, add } = createHarness()
    let reason: unknown
    let later: ToolContext['invoke'] | undefined
    add('inner', (_input, signal) => {
      signal.addEventListener('abort', () => (reason = signal.reason))
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
    })
    add('outer', async (_input, _signal, { invoke }) => {
      later = invoke
      void invoke('inner', {})
      await settleMicrotasks()
      return 'done'
    })
    expect(await invoker.invoke('outer', {})).toMatchObject({ success: true, output: 'done' })
    await settleMicrotasks()
    expect(reason).toBeDefined()
    expect(log.ends.find(({ toolName }) => toolName === 'inner')).toMatchObject({
      status: 'cancelled',
    })
    expect(invoker.running()).toEqual([])
    expect(await later?.('inner', {})).toMatchObject({ success: false, errorCode: 'CANCELLED' })
  })

  test('does not wait for a place, even where there is only one', async () => {
    const { invoker, add } = createHarness({
      concurrency: { maxRunning: 1, maxRunningPerOwner: 1, maxWaiting: 0 },
    })
    add(
      'count_down',
      async (input, _signal, { invoke }): Promise<unknown> => {
        const { from } = input as { from: number }
        return from === 0 ? 'done' : (await invoke('count_down', { from: from - 1 })).success
      },
      { maxConcurrent: 1 },
    )
    expect(await invoker.invoke('count_down', { from: 3 })).toMatchObject({ output: true })
  })

  test('respects the limit of another tool, and is refused rather than risk waiting for each other', async () => {
    const { invoker, add } = createHarness()
    const gate = createGate()
    add('single', () => gate.opened, { maxConcurrent: 1 })
    const callSingle = async (
      _input: unknown,
      _signal: AbortSignal,
      { invoke }: ToolContext,
    ): Promise<unknown> => {
      const result = await invoke('single', {})
      return result.success ? 'ok' : result.errorCode
    }
    add('limited', callSingle, { maxConcurrent: 1 })
    add('unlimited', callSingle)
    const holder = invoker.invoke('single', {})
    await settleMicrotasks()
    expect(await invoker.invoke('limited', {})).toMatchObject({ output: 'CONCURRENCY_LIMIT' })
    const waiting = invoker.invoke('unlimited', {})
    await settleMicrotasks()
    gate.open()
    expect(await waiting).toMatchObject({ output: 'ok' })
    expect(await holder).toMatchObject({ success: true })
  })

  test('has no more time than the call that made it has left', async () => {
    const { invoker, add } = createHarness()
    const results: ToolResult[] = []
    add('inner', never, { timeoutMs: 60_000 })
    add('outer', async (_input, _signal, { invoke }) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 600)
      })
      results.push(await invoke('inner', {}, { timeoutMs: 100 }))
      results.push(await invoke('inner', {}))
    })
    const pending = invoker.invoke('outer', {}, { timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await pending).toMatchObject({ errorCode: 'TIMEOUT', durationMs: 1_000 })
    await settleMicrotasks()
    expect(results.map(({ durationMs }) => durationMs)).toEqual([100, 300])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is told that deadline, and may name an earlier one and no later one', async () => {
    const { invoker, add } = createHarness({ now: () => 50_000 })
    const deadlines: number[] = []
    add('inner', (_input, _signal, { deadline }) => deadlines.push(deadline))
    add('outer', async (_input, _signal, { invoke }) => {
      for (const timeoutMs of [100, 90_000]) await invoke('inner', {}, { timeoutMs })
    })
    await invoker.invoke('outer', {}, { timeoutMs: 1_000 })
    expect(deadlines).toEqual([50_100, 51_000])
  })

  test('is stopped with the call that made it', async () => {
    const { invoker, log, add } = createHarness()
    const controller = new AbortController()
    let inner: AbortSignal | undefined
    add('inner', (_input, signal) => {
      inner = signal
      return never()
    })
    add('outer', (_input, _signal, { invoke }) => invoke('inner', {}))
    const pending = invoker.invoke('outer', {}, { signal: controller.signal })
    await settleMicrotasks()
    controller.abort('enough')
    expect(await pending).toMatchObject({ errorCode: 'CANCELLED' })
    expect(inner?.reason).toBe('enough')
    expect(log.ends.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
  })

  test('can be stopped alone', async () => {
    const { invoker, add } = createHarness()
    add('inner', never)
    add('outer', async (_input, _signal, { invoke }) => {
      const controller = new AbortController()
      const pending = invoke('inner', {}, { signal: controller.signal })
      await settleMicrotasks()
      controller.abort()
      const result = await pending
      return result.success ? 'ok' : result.errorCode
    })
    expect(await invoker.invoke('outer', {})).toMatchObject({ output: 'CANCELLED' })
  })

  test('is refused when the call that made it is over', async () => {
    const { invoker, log, add } = createHarness()
    let leaked: ToolContext['invoke'] | undefined
    add('inner', () => 1)
    add('leaky', (_input, _signal, { invoke }) => {
      leaked = invoke
    })
    await invoker.invoke('leaky', {})
    expect(await leaked?.('inner', {})).toMatchObject({ errorCode: 'CANCELLED' })
    expect(log.starts).toHaveLength(1)
  })

  test('is refused exactly one deeper than allowed', async () => {
    const { invoker, log, add } = createHarness({ maxDepth: 2 })
    add('dig', async (_input, _signal, { invoke }): Promise<unknown> => {
      const result = await invoke('dig', {})
      return result.success ? result.output : result.errorCode
    })
    expect(await invoker.invoke('dig', {})).toMatchObject({ output: 'DEPTH_EXCEEDED' })
    // One at the top, two below it, and the one that was refused.
    expect(log.starts).toHaveLength(4)
    expect(log.codes[0]).toBe('DEPTH_EXCEEDED')
  })

  test('may be eight deep by default, so that endless recursion ends', async () => {
    const { invoker, log, add } = createHarness()
    add('dig', async (_input, _signal, { invoke }) => (await invoke('dig', {})).success)
    await invoker.invoke('dig', {})
    expect(log.starts).toHaveLength(10)
  })

  test('cannot reach a tool that the principal may not see', async () => {
    const { invoker, add } = createHarness()
    add('private', () => 1, {
      source: {
        type: 'made',
        kind: 'compute',
        version: 1,
        hash: 'a'.repeat(64),
        owner: 'a2',
        visibility: 'owner',
      },
    })
    add('outer', async (_input, _signal, { invoke }) => {
      const result = await invoke('private', {})
      return result.success ? 'ok' : result.errorCode
    })
    expect(await invoker.invoke('outer', {}, { principal: agent })).toMatchObject({
      output: 'TOOL_NOT_FOUND',
    })
  })
})
