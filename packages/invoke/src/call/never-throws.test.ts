import fc from 'fast-check'
import { type CallLogWriter, ToolRegistry } from '@toolcrib/registry'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createHarness, errorOf, readOutput } from '../../test/harness.ts'
import { hostileValues } from '../../test/hostile-values.ts'
import { RecordingLog } from '../../test/recording-log.ts'
import { createInvoker } from '../create-invoker.ts'

/** What a program would see if a promise were left without anybody to catch its error. */
const unhandled: unknown[] = []
const nodeProcess = (globalThis as unknown as { process: NodeProcess }).process
interface NodeProcess {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): void
  off(event: 'unhandledRejection', listener: (reason: unknown) => void): void
}
const remember = (reason: unknown): void => void unhandled.push(reason)

beforeAll(() => nodeProcess.on('unhandledRejection', remember))
afterAll(() => nodeProcess.off('unhandledRejection', remember))

const names = Object.keys(hostileValues)
const make = (name: string): unknown => hostileValues[name]?.()

test('there are at least fifty hostile values', () => {
  expect(names.length).toBeGreaterThanOrEqual(50)
})

describe.each(names)('%s', (name) => {
  test('as output gives a result and one terminal row whose text is JSON', async () => {
    const { invoker, log, add } = createHarness()
    add('tool', () => make(name))
    const result = await invoker.invoke('tool', {})
    expect(log.starts).toHaveLength(1)
    expect(log.ends).toHaveLength(1)
    expect(log.ends[0]?.callId).toBe(result.callId)
    expect(() => JSON.parse(log.ends[0]?.outputText ?? 'null') as unknown).not.toThrow()
    // A value that cannot even be asked whether it is a promise counts as a failure of the tool.
    const code = result.success ? 'OUTPUT_UNSERIALISABLE' : result.errorCode
    expect(['OUTPUT_UNSERIALISABLE', 'TOOL_FAILED']).toContain(code)
    const output = readOutput(result)
    expect(output?.value).toEqual(output?.text)
  })

  test('as input is logged as JSON and answered', async () => {
    const { invoker, log, add } = createHarness()
    add('tool', () => 1)
    await invoker.invoke('tool', make(name))
    expect(log.starts).toHaveLength(1)
    expect(log.ends).toHaveLength(1)
    expect(() => JSON.parse(log.starts[0]?.inputText ?? '') as unknown).not.toThrow()
  })

  test('when thrown gives a failure with a message', async () => {
    const { invoker, log, add } = createHarness()
    add('now', () => {
      throw make(name)
    })
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what is rejected is the point
    add('later', () => Promise.reject(make(name)))
    for (const tool of ['now', 'later']) {
      const result = await invoker.invoke(tool, {})
      expect(result).toMatchObject({ success: false, errorCode: 'TOOL_FAILED' })
      expect(errorOf(result).length).toBeGreaterThan(10)
    }
    expect(log.codes).toEqual(['TOOL_FAILED', 'TOOL_FAILED'])
  })

  test('as late output or late error reaches the log', async () => {
    vi.useFakeTimers()
    try {
      const { invoker, log, add } = createHarness()
      add('slow', async () => {
        await new Promise((resolve) => {
          setTimeout(resolve, 2_000)
        })
        return make(name)
      })
      const pending = invoker.invoke('slow', {}, { timeoutMs: 1_000 })
      await vi.advanceTimersByTimeAsync(3_000)
      expect(await pending).toMatchObject({ errorCode: 'TIMEOUT' })
      expect(log.ends).toHaveLength(1)
      expect(log.lates).toHaveLength(1)
    } finally {
      vi.useRealTimers()
    }
  })

  test('as tool name, option or principal gives a failure or is ignored', async () => {
    const { invoker, add } = createHarness()
    add('tool', () => 1)
    expect(await invoker.invoke(make(name) as never, {})).toMatchObject({ success: false })
    const value = make(name) as never
    const options = [
      { timeoutMs: value },
      { signal: value },
      { principal: value },
      { traceId: value },
      { onProgress: value },
      value,
    ]
    for (const option of options)
      expect(await invoker.invoke('tool', {}, option)).toHaveProperty('callId')
  })

  test('thrown by the log, the clock, the ids, the logger, the redactor or the check gives a result', async () => {
    const fail = (): never => {
      throw make(name)
    }
    const registry = new ToolRegistry()
    registry.register({
      name: 'tool',
      description: 'A tool',
      inputSchema: { type: 'object' },
      execute: () => 1,
    })
    const log = new RecordingLog()
    const failing: CallLogWriter = {
      logToolStart: fail,
      logToolComplete: fail,
      logToolFailure: fail,
      logToolLate: fail,
    }
    const rejecting = Object.fromEntries(
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what is rejected is the point
      Object.keys(failing).map((method) => [method, () => Promise.reject(make(name))]),
    ) as unknown as CallLogWriter
    const invokers = [
      createInvoker({ registry, log: failing }),
      createInvoker({ registry, log: rejecting, whenLogFails: 'run' }),
      createInvoker({ registry, log, now: fail, monotonicNow: fail, createId: fail }),
      createInvoker({ registry, log, now: () => make(name) as never }),
      createInvoker({ registry, log, createId: () => make(name) as never }),
      createInvoker({ registry, log, checkCallable: fail }),
      createInvoker({ registry, log, checkCallable: () => make(name) as never }),
      createInvoker({ registry, log, execute: fail }),
      createInvoker({
        registry,
        log: failing,
        logger: { debug: fail, info: fail, warn: fail, error: fail },
      }),
      createInvoker({
        registry,
        log,
        redactor: { redactText: fail, redactJson: fail, maskKeys: fail, isSecretKey: fail },
      }),
      createInvoker({ registry, log, telemetry: { tracer: { startSpan: fail } } }),
      createInvoker({ registry: { get: fail, list: fail, count: fail }, log }),
    ]
    for (const invoker of invokers) {
      const result = await invoker.invoke('tool', {})
      expect(result.callId.length).toBeGreaterThan(0)
      expect(await invoker.invoke('other', {})).toMatchObject({ success: false })
    }
  })
})

test('thenables that throw, answer twice or answer wrongly are no way out', async () => {
  const thenables: unknown[] = [
    {
      get then(): never {
        throw new Error('then')
      },
    },
    {
      then: () => {
        throw new Error('then')
      },
    },
    {
      then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
        resolve(1)
        reject(new Error('second'))
        throw new Error('third')
      },
    },
    { then: (resolve: (value: unknown) => void) => resolve(Promise.reject(new Error('inside'))) },
  ]
  for (const thenable of thenables) {
    const { invoker, log, add } = createHarness()
    add('tool', () => thenable)
    await invoker.invoke('tool', {})
    expect(log.ends).toHaveLength(1)
  }
})

test('whatever JSON holds comes back as it was, with the text that was logged', async () => {
  const { invoker, log, add } = createHarness()
  add('echo', (input) => (input as { value: unknown }).value)
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
      const result = await invoker.invoke('echo', { value })
      expect(result).toMatchObject({ success: true, outputText: JSON.stringify(value) })
      expect(result.success && result.output).toEqual(value)
      expect(log.ends.at(-1)?.outputText).toBeTypeOf('string')
    }),
    { numRuns: 300 },
  )
})

test('whatever a tool gives or throws, a call has one result and two rows', async () => {
  // Values are made late: the test library itself stumbles over some of them.
  const hostile = fc.constantFrom(...names).map((name) => () => make(name))
  const anything = fc.oneof(
    fc
      .anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withNullPrototype: true,
        withSparseArray: true,
        withTypedArray: true,
        withBoxedValues: true,
      })
      .map((value) => () => value),
    hostile,
    fc.tuple(hostile, hostile).map(([left, right]) => () => ({ left: left(), list: [right()] })),
  )
  await fc.assert(
    fc.asyncProperty(anything, anything, fc.boolean(), async (input, output, throws) => {
      const { invoker, log, add } = createHarness()
      add(
        'tool',
        async () => {
          if (throws) throw output()
          return output()
        },
        { inputSchema: {} },
      )
      const result = await invoker.invoke('tool', input())
      expect(log.starts).toHaveLength(1)
      expect(log.ends).toHaveLength(1)
      expect(result.durationMs).toBeGreaterThanOrEqual(0)
      if (result.success && !result.truncated) JSON.parse(result.outputText)
    }),
    { numRuns: 500 },
  )
})

test('a describeCall that throws does not matter', async () => {
  const { invoker, add } = createHarness()
  add('tool', () => 1, {
    describeCall: () => {
      throw new Error('describe')
    },
  })
  expect(await invoker.invoke('tool', {})).toMatchObject({ success: true })
})

// Stands last: it judges the whole file.
test('none of all this left a promise whose error nobody caught', async () => {
  // Unhandled rejections are announced after the microtasks of a turn.
  await new Promise((resolve) => {
    setTimeout(resolve, 10)
  })
  expect(unhandled).toEqual([])
})
