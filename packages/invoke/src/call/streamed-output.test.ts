import type { ToolProgress, ToolResult } from '@toolcrib/registry'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createHarness, errorOf } from '../../test/harness.ts'

async function run(
  execute: () => unknown,
  options: { readonly onProgress?: (progress: ToolProgress) => void } = {},
): Promise<ToolResult> {
  const { invoker, add } = createHarness()
  add('work', execute)
  return invoker.invoke('work', {}, options)
}

describe('an asynchronous generator', () => {
  test('gives its last value as output and the others as progress', async () => {
    const progress: ToolProgress[] = []
    const result = await run(
      async function* () {
        yield { stage: 'searching' }
        yield 'reading'
        yield { found: 3 }
      },
      { onProgress: (report) => progress.push(report) },
    )
    expect(result).toMatchObject({ success: true, output: { found: 3 }, outputText: '{"found":3}' })
    expect(progress).toEqual([
      { progress: 1, message: '{"stage":"searching"}' },
      { progress: 2, message: 'reading' },
    ])
  })

  test('gives what it returns where it returns something', async () => {
    const progress: ToolProgress[] = []
    const result = await run(
      async function* () {
        yield 'half'
        return { whole: true }
      },
      { onProgress: (report) => progress.push(report) },
    )
    expect(result).toMatchObject({ success: true, output: { whole: true } })
    expect(progress).toEqual([{ progress: 1, message: 'half' }])
  })

  test('that gives nothing gives nothing', async () => {
    const result = await run(async function* () {})
    expect(result).toMatchObject({ success: true, output: undefined, outputText: 'null' })
  })

  test('is read in the same way when a promise gives it', async () => {
    const numbers = async function* () {
      yield 1
      yield 2
    }
    expect(await run(async () => numbers())).toMatchObject({ success: true, output: 2 })
  })

  test('whose last value does not match the output schema fails', async () => {
    const { invoker, add, log } = createHarness()
    add(
      'work',
      async function* () {
        yield { total: 1 }
        yield { total: 'many' }
      },
      { outputSchema: z.object({ total: z.number() }) },
    )
    expect(await invoker.invoke('work', {})).toMatchObject({ errorCode: 'OUTPUT_INVALID' })
    expect(log.codes).toEqual(['OUTPUT_INVALID'])
  })

  test('that throws fails, and what it gave before is progress only', async () => {
    const result = await run(async function* () {
      yield 'half'
      throw new Error('the other half is missing')
    })
    expect(result).toMatchObject({ success: false, errorCode: 'TOOL_FAILED' })
    expect(errorOf(result)).toContain('the other half is missing')
  })

  test('takes secrets out of its progress', async () => {
    const progress: ToolProgress[] = []
    const { invoker, add } = createHarness({
      redactor: (await import('../index.ts')).createRedactor({ secrets: ['hunter22'] }),
    })
    add('work', async function* () {
      yield { say: 'hunter22' }
      yield 1
    })
    await invoker.invoke('work', {}, { onProgress: (report) => progress.push(report) })
    expect(JSON.stringify(progress)).not.toContain('hunter22')
  })

  test('that never ends is stopped at its deadline, and its finally runs', async () => {
    const { invoker, add } = createHarness()
    let isClosed = false
    add('work', async function* () {
      try {
        for (let count = 0; ; count += 1) {
          yield count
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      } finally {
        isClosed = true
      }
    })
    expect(await invoker.invoke('work', {}, { timeoutMs: 50 })).toMatchObject({
      errorCode: 'TIMEOUT',
    })
    await vi.waitFor(() => expect(isClosed).toBe(true))
    await vi.waitFor(() => expect(invoker.running()).toEqual([]))
  })

  test('that is cancelled is told to return', async () => {
    const { invoker, add } = createHarness()
    const controller = new AbortController()
    let isClosed = false
    add('work', async function* () {
      try {
        for (;;) {
          yield 1
          controller.abort()
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      } finally {
        isClosed = true
      }
    })
    const result = await invoker.invoke('work', {}, { signal: controller.signal })
    expect(result).toMatchObject({ errorCode: 'CANCELLED' })
    await vi.waitFor(() => expect(isClosed).toBe(true))
  })

  test('that gives values without end and without a pause is stopped, and the program goes on', async () => {
    const { invoker, add } = createHarness({ maxYields: 1_000_000_000 })
    let isClosed = false
    add('work', async function* () {
      try {
        for (;;) yield 1
      } finally {
        isClosed = true
      }
    })
    expect(await invoker.invoke('work', {}, { timeoutMs: 50 })).toMatchObject({
      errorCode: 'TIMEOUT',
    })
    expect(isClosed).toBe(true)
  })

  test.each([
    [3, true],
    [4, false],
  ])('may give as many values as are allowed: %i of 3', async (count, success) => {
    const { invoker, add } = createHarness({ maxYields: 3 })
    let isClosed = false
    add('work', async function* () {
      try {
        for (let index = 1; index <= count; index += 1) yield index
      } finally {
        isClosed = true
      }
    })
    const result = await invoker.invoke('work', {})
    expect(result).toMatchObject(
      success ? { success, output: 3 } : { success, errorCode: 'OUTPUT_UNSERIALISABLE' },
    )
    expect(isClosed).toBe(true)
  })

  test('may give 10,000 values unless another number is said', async () => {
    const count = async function* (last: number) {
      for (let index = 1; index <= last; index += 1) yield index
    }
    expect(await run(() => count(10_000))).toMatchObject({ success: true, output: 10_000 })
    expect(await run(() => count(10_001))).toMatchObject({ errorCode: 'OUTPUT_UNSERIALISABLE' })
  })

  test.each([
    [100, true],
    [101, false],
  ])(
    'may give as much in total as an output may have: %i of 100 characters',
    async (total, success) => {
      const { invoker, add } = createHarness({ maxOutputLength: 100 })
      let isClosed = false
      add('work', async function* () {
        try {
          yield 'x'.repeat(48)
          yield 'x'.repeat(total - 52)
          yield 'x'
        } finally {
          isClosed = true
        }
      })
      const result = await invoker.invoke('work', {})
      expect(result.success).toBe(success)
      if (!success) expect(result).toMatchObject({ errorCode: 'OUTPUT_UNSERIALISABLE' })
      expect(isClosed).toBe(true)
    },
  )
})

describe('what is read bit by bit is refused by name:', () => {
  /** What a stream of Node looks like. */
  class Readable {
    readonly readable = true

    pipe(target: unknown) {
      return target
    }
  }
  class OwnIterator {
    next() {
      return { done: true, value: 1 }
    }

    [Symbol.iterator]() {
      return this
    }
  }
  class Cursor {
    readonly rows = 3

    async *[Symbol.asyncIterator]() {
      yield 1
    }
  }
  class Hidden {
    readonly #secret = 1

    get secret() {
      return this.#secret
    }
  }
  const refused: Readonly<Record<string, () => unknown>> = {
    Generator: function* () {
      yield 1
    },
    ReadableStream: () => new ReadableStream(),
    Readable: () => new Readable(),
    Response: () => new Response('body'),
    Request: () => new Request('http://localhost'),
    Blob: () => new Blob(['body']),
    Headers: () => new Headers({ a: 'b' }),
    FormData: () => new FormData(),
    URLSearchParams: () => new URLSearchParams('a=b'),
    TransformStream: () => new TransformStream(),
    Iterator: () => [1, 2].values(),
    OwnIterator: () => new OwnIterator(),
    Cursor: () => new Cursor(),
    Hidden: () => new Hidden(),
    Map: () => new Map([['a', 1]]),
    Set: () => new Set([1]),
    WeakRef: () => new WeakRef({}),
    AbortSignal: () => new AbortController().signal,
    iterator: () => ({ [Symbol.asyncIterator]: () => ({}) }),
  }
  for (const [name, create] of Object.entries(refused))
    test.each([
      ['alone', create],
      ['inside', () => ({ answer: [create()] })],
    ])(`${name}, %s`, async (_place, execute) => {
      const { invoker, add, log } = createHarness()
      add('work', execute)
      const result = await invoker.invoke('work', {})
      expect(result).toMatchObject({ success: false, errorCode: 'OUTPUT_UNSERIALISABLE' })
      expect(errorOf(result)).toContain(`is a ${name}, which JSON cannot hold`)
      expect(log.ends).toMatchObject([{ status: 'failed' }])
    })

  test('an asynchronous iterator that is no generator', async () => {
    const result = await run(() => ({
      next: async () => ({ done: true, value: 1 }),
      [Symbol.asyncIterator]() {
        return this
      },
    }))
    expect(result).toMatchObject({ success: false, errorCode: 'OUTPUT_UNSERIALISABLE' })
  })
})

describe('a result of an MCP server', () => {
  const failed = {
    isError: true,
    content: [
      { type: 'text', text: 'No such file.' },
      { type: 'text', text: 'Try another.' },
    ],
  }

  test('that says it is an error is a failure with what it says', async () => {
    const { invoker, add, log } = createHarness()
    add('mcp__files__read', () => failed, { source: { type: 'mcp', server: 'files' } })
    const result = await invoker.invoke('mcp__files__read', {})
    expect(result).toMatchObject({ success: false, errorCode: 'TOOL_FAILED' })
    expect(errorOf(result)).toBe('Tool "mcp__files__read" failed: No such file.\nTry another.')
    expect(log.ends).toMatchObject([
      { status: 'failed', error: { code: 'TOOL_FAILED' }, outputText: JSON.stringify(failed) },
    ])
  })

  test('is known by its form, whatever the tool says of its source', async () => {
    expect(await run(() => failed)).toMatchObject({ errorCode: 'TOOL_FAILED' })
    expect(await run(() => ({ isError: true, content: [] }))).toMatchObject({ success: false })
  })

  test('that says it is none is a success', async () => {
    for (const output of [
      { isError: false, content: [{ type: 'text', text: 'fine' }] },
      { isError: true, rows: 3 },
      { isError: 'no', content: [] },
    ])
      // oxlint-disable-next-line no-await-in-loop -- three calls
      expect(await run(() => output)).toMatchObject({ success: true, output })
  })

  test('that is an error and does not match the output schema is still that error', async () => {
    const { invoker, add } = createHarness()
    add('work', () => failed, { outputSchema: z.object({ text: z.string() }) })
    expect(await invoker.invoke('work', {})).toMatchObject({ errorCode: 'TOOL_FAILED' })
  })

  test('counts as a failure of its tool for the circuit breaker', async () => {
    const { invoker, add } = createHarness({ circuitBreaker: { maxFailures: 2 } })
    add('work', () => failed)
    await invoker.invoke('work', {})
    await invoker.invoke('work', {})
    expect(await invoker.invoke('work', {})).toMatchObject({ errorCode: 'CIRCUIT_OPEN' })
  })
})

test('an instance of a class with something to show gives its properties, and toJSON decides for itself', async () => {
  class Point {
    readonly x = 1
    readonly y = 2
  }
  expect(await run(() => new Point())).toMatchObject({ output: { x: 1, y: 2 } })
  const speaking = Object.assign(new Map(), { toJSON: () => 'a map' })
  expect(await run(() => speaking)).toMatchObject({ output: 'a map' })
  expect(await run(() => ({ at: new Date(0), url: new URL('http://a.b/') }))).toMatchObject({
    output: { at: '1970-01-01T00:00:00.000Z', url: 'http://a.b/' },
  })
})
