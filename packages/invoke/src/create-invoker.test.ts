import {
  type JsonObject,
  type ToolContext,
  ToolError,
  contentOutput,
  defineTool,
  isContentOutput,
} from '@toolcrib/registry'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createHarness, errorOf } from '../test/harness.ts'
import { createInvoker } from './create-invoker.ts'

const agent = { kind: 'agent', id: 'a1' } as const

describe('a call that works', () => {
  test('gives the value, its JSON text, and an id that is in the log', async () => {
    const { invoker, log, registry } = createHarness()
    registry.register(
      defineTool({
        name: 'double',
        description: 'Doubles a number',
        inputSchema: z.object({ value: z.number() }),
        execute: ({ value }) => value * 2,
      }),
    )
    const result = await invoker.invoke('double', { value: 21 })
    expect(result).toEqual({
      success: true,
      truncated: false,
      output: 42,
      outputText: '42',
      durationMs: expect.any(Number) as number,
      callId: log.starts[0]?.callId,
    })
  })

  test('writes a start row with everything that the caller said', async () => {
    const { invoker, log, add } = createHarness({ namespace: 'acme', now: () => 1_000 })
    add('echo', (input) => input, {
      source: {
        type: 'made',
        kind: 'compute',
        version: 3,
        hash: 'f'.repeat(64),
        owner: 'agent:a1',
        visibility: 'owner',
        approvalId: 'approval-1',
      },
    })
    await invoker.invoke(
      'echo',
      { b: 1, a: 'x' },
      {
        principal: agent,
        traceId: '1'.repeat(32),
        parentCallId: 'parent',
        sessionId: 'session',
        toolCallId: 'toolu_1',
      },
    )
    expect(log.starts).toEqual([
      {
        callId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        namespace: 'acme',
        toolName: 'echo',
        toolVersion: 3,
        toolHash: 'f'.repeat(64),
        approvalId: 'approval-1',
        principal: agent,
        startedAt: 1_000,
        inputText: '{"b":1,"a":"x"}',
        traceId: '1'.repeat(32),
        parentCallId: 'parent',
        sessionId: 'session',
        toolCallId: 'toolu_1',
      },
    ])
  })

  test('has its start row before it runs and its terminal row before its result', async () => {
    const { invoker, log, add } = createHarness()
    const seen: number[] = []
    add('look', () => {
      seen.push(log.starts.length, log.ends.length)
      return 'done'
    })
    await invoker.invoke('look', {})
    expect(seen).toEqual([1, 0])
    expect(log.ends).toEqual([
      {
        callId: log.starts[0]?.callId,
        namespace: 'default',
        toolName: 'look',
        status: 'completed',
        endedAt: expect.any(Number) as number,
        durationMs: expect.any(Number) as number,
        outputText: '"done"',
      },
    ])
  })

  test('gets the validated input with defaults, and the log the input as it was sent', async () => {
    const { invoker, log, registry } = createHarness()
    registry.register(
      defineTool({
        name: 'greet',
        description: 'Greets',
        inputSchema: z.object({ name: z.string().default('world') }),
        execute: ({ name }) => `Hello ${name}`,
      }),
    )
    const result = await invoker.invoke('greet', {})
    expect(result).toMatchObject({ output: 'Hello world' })
    expect(log.starts[0]?.inputText).toBe('{}')
  })

  test('gives its tool a context whose functions may be taken out of it', async () => {
    const { invoker, add } = createHarness({ namespace: 'acme', now: () => 5_000 })
    let context: ToolContext | undefined
    const progress: unknown[] = []
    add('inner', () => 'inner')
    add(
      'outer',
      async (_input, _signal, { invoke, reportProgress, ...rest }) => {
        context = { invoke, reportProgress, ...rest }
        reportProgress({ progress: 1, total: 2, message: 'half' })
        return (await invoke('inner', {})).success
      },
      { timeoutMs: 700 },
    )
    const result = await invoker.invoke(
      'outer',
      {},
      {
        principal: agent,
        onProgress: (step) => progress.push(step),
      },
    )
    expect(result).toMatchObject({ output: true })
    expect(context).toMatchObject({
      toolName: 'outer',
      namespace: 'acme',
      principal: agent,
      deadline: 5_700,
      callId: result.callId,
    })
    expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }])
  })

  test('can do its work elsewhere through the execute seam', async () => {
    const steps: unknown[] = []
    const { invoker, add } = createHarness({
      execute: async ({ tool, input, signal, context }) => {
        steps.push([tool.name, input, signal.aborted, context.toolName])
        return 'from afar'
      },
    })
    add('here', () => 'here')
    expect(await invoker.invoke('here', { a: 1 })).toMatchObject({ output: 'from afar' })
    expect(steps).toEqual([['here', { a: 1 }, false, 'here']])
  })
})

describe('a call that is refused', () => {
  test('names the tool that was probably meant, and is no row of the call log', async () => {
    const { invoker, log, lines, add } = createHarness()
    add('shipping_cost', () => 1)
    const result = await invoker.invoke('shiping_cost', {})
    expect(result).toMatchObject({
      success: false,
      errorCode: 'TOOL_NOT_FOUND',
      error: 'There is no tool named "shiping_cost". Did you mean "shipping_cost"?',
      errorData: { suggestion: 'shipping_cost' },
    })
    expect(log.starts).toHaveLength(0)
    expect(lines).toMatchObject([{ level: 'warn', data: { code: 'TOOL_NOT_FOUND' } }])
  })

  test('does not find, call or suggest a tool that the principal may not see', async () => {
    const { invoker, add } = createHarness()
    add('private_tool', () => 1, {
      source: {
        type: 'made',
        kind: 'compute',
        version: 1,
        hash: 'a'.repeat(64),
        owner: 'a2',
        visibility: 'owner',
      },
    })
    for (const name of ['private_tool', 'private_tol']) {
      const result = await invoker.invoke(name, {}, { principal: agent })
      expect(result).toMatchObject({ errorCode: 'TOOL_NOT_FOUND' })
      expect(errorOf(result)).not.toContain('Did you mean')
    }
  })

  test('for an invalid input says what is wrong, shows as failed, and says that the tool did not run', async () => {
    const { invoker, log, registry } = createHarness()
    let runs = 0
    registry.register(
      defineTool({
        name: 'double',
        description: 'Doubles',
        inputSchema: z.object({ value: z.number() }),
        execute: ({ value }) => {
          runs += 1
          return value * 2
        },
      }),
    )
    const result = await invoker.invoke('double', { value: 'x' })
    expect(result).toMatchObject({
      errorCode: 'INPUT_INVALID',
      errorData: { issues: [{ path: 'value' }] },
    })
    expect(runs).toBe(0)
    expect(log.starts).toMatchObject([{ inputText: '{"value":"x"}' }])
    expect(log.ends).toMatchObject([
      { status: 'failed', error: { code: 'INPUT_INVALID', data: { toolRan: false } } },
    ])
  })

  test('when its input is one byte too large, and not at the limit', async () => {
    const { invoker, log, add } = createHarness({ maxInputBytes: 20 })
    add('echo', (input) => input)
    expect(await invoker.invoke('echo', { a: 'é'.repeat(6) })).toMatchObject({ success: true })
    expect(await invoker.invoke('echo', { a: `${'é'.repeat(6)}x` })).toMatchObject({
      errorCode: 'INPUT_TOO_LARGE',
      errorData: { maxInputBytes: 20 },
    })
    expect(JSON.parse(log.starts[1]?.inputText ?? '')).toMatchObject({ inputTooLarge: '21 bytes' })
  })

  test.for([
    { tool: 20, invoker: 1_000 },
    { tool: 1_000, invoker: 20 },
  ])(
    'by the smaller of the limits of tool ($tool) and invoker ($invoker), and names both',
    async (limits) => {
      const { invoker, add } = createHarness({ maxInputBytes: limits.invoker })
      let runs = 0
      add('echo', () => (runs += 1), { maxInputBytes: limits.tool })
      expect(await invoker.invoke('echo', { a: 'é'.repeat(6) })).toMatchObject({ success: true })
      expect(await invoker.invoke('echo', { a: `${'é'.repeat(6)}x` })).toMatchObject({
        errorCode: 'INPUT_TOO_LARGE',
        error: `The input has 21 bytes as JSON, at most 20 are accepted ("echo": ${limits.tool}, host: ${limits.invoker}); the tool did not run. Pass less.`,
        errorData: {
          maxInputBytes: 20,
          toolMaxInputBytes: limits.tool,
          invokerMaxInputBytes: limits.invoker,
        },
      })
      expect(runs).toBe(1)
    },
  )

  test('reports a schema that throws, rejects or is not one as its own fault', async () => {
    const { invoker, add } = createHarness()
    const schemas: unknown[] = [
      () => {
        throw new Error('broken')
      },
      () => Promise.reject(new Error('broken')),
      () => undefined,
    ]
    for (const [at, validate] of schemas.entries()) {
      add(`tool_${at}`, () => 1, {
        inputSchema: { '~standard': { version: 1, vendor: 'test', validate } } as never,
      })
      expect(await invoker.invoke(`tool_${at}`, {})).toMatchObject({ errorCode: 'SCHEMA_INVALID' })
    }
  })
})

describe('permission', () => {
  test('is asked before the input is read and again right before the tool runs', async () => {
    let isRevoked = false
    const { invoker, log, add } = createHarness({
      checkCallable: () =>
        isRevoked ? { code: 'TOOL_REVOKED', message: 'Version 2 was revoked.' } : undefined,
    })
    let runs = 0
    add('tool', () => (runs += 1))
    expect(await invoker.invoke('tool', {})).toMatchObject({ success: true })
    log.before = (row) => {
      if (row === 'start') isRevoked = true
    }
    expect(await invoker.invoke('tool', {})).toMatchObject({
      errorCode: 'TOOL_REVOKED',
      error: 'Version 2 was revoked.',
    })
    expect(runs).toBe(1)
    expect(log.starts).toHaveLength(2)
    expect(log.ends).toMatchObject([
      { status: 'completed' },
      { status: 'failed', error: { code: 'TOOL_REVOKED', data: { toolRan: false } } },
    ])
  })

  test('may be refused asynchronously, with any code and data, also by throwing a ToolError', async () => {
    const refusal = new ToolError('TOOLS_PAUSED', 'Paused by ops.', { data: { by: 'ops' } })
    const checks = [
      () => refusal,
      async () => refusal,
      () => {
        throw refusal
      },
      () => Promise.reject(refusal),
    ]
    for (const checkCallable of checks) {
      const { invoker, add } = createHarness({ checkCallable })
      add('tool', () => 1)
      expect(await invoker.invoke('tool', {})).toMatchObject({
        errorCode: 'TOOLS_PAUSED',
        error: 'Paused by ops.',
        errorData: { by: 'ops' },
      })
    }
  })

  test('is refused when the check itself fails or answers nonsense', async () => {
    const checks = [
      () => {
        throw new Error('database gone')
      },
      () => Promise.reject(new Error('database gone')),
      () => 'no' as never,
      () => ({ code: 'NOT_A_CODE', message: 'x' }) as never,
    ]
    for (const checkCallable of checks) {
      const { invoker, add } = createHarness({ checkCallable })
      let runs = 0
      add('tool', () => (runs += 1))
      expect(await invoker.invoke('tool', {})).toMatchObject({ errorCode: 'TOOL_REVOKED' })
      expect(runs).toBe(0)
    }
  })

  test('is told through which tools a call comes', async () => {
    const seen: string[] = []
    const { invoker, add } = createHarness({
      checkCallable: (tool, principal, callers) => {
        seen.push([principal.id, ...callers.map(({ name }) => name), tool.name].join('>'))
        return undefined
      },
    })
    add('leaf', () => 1)
    add('middle', async (_input, _signal, { invoke }) => (await invoke('leaf', {})).success)
    add('top', async (_input, _signal, { invoke }) => (await invoke('middle', {})).success)
    await invoker.invoke('top', {}, { principal: agent })
    expect([...new Set(seen)]).toEqual(['a1>top', 'a1>top>middle', 'a1>top>middle>leaf'])
  })

  test.each([
    ['at once', (refusal: ToolError) => refusal],
    ['in a moment', async (refusal: ToolError) => refusal],
    ['by throwing', (refusal: ToolError) => Promise.reject(refusal)],
  ])('is asked for every made tool on the way too, which may be refused %s', async (_, refuse) => {
    let stopped = ''
    const { invoker, add } = createHarness({
      checkCallable: ({ name }) =>
        name === stopped ? refuse(new ToolError('TOOL_REVOKED', `${name} is stopped.`)) : undefined,
    })
    const origin = { kind: 'code', version: 1, hash: 'a', owner: 'a1' } as const
    const source = { type: 'made', visibility: 'shared', ...origin } as const
    const answers: unknown[] = []
    add('leaf', () => 1)
    add('middle', async (_input, _signal, { invoke }) => {
      stopped = 'top'
      answers.push(await invoke('leaf', {}))
    })
    add('top', (_input, _signal, { invoke }) => invoke('middle', {}), { source })
    await invoker.invoke('top', {}, { principal: agent })
    expect(answers).toMatchObject([{ errorCode: 'TOOL_REVOKED', error: 'top is stopped.' }])
  })
})

describe('an output schema', () => {
  test.each([
    ['of zod', z.object({ total: z.number() })],
    ['as JSON Schema', { type: 'object', required: ['total'] }],
    ['that answers later', z.object({ total: z.number() }).refine(async () => true)],
  ])(
    '%s: the terminal row is written before the result is handed out, and nothing waits',
    async (_form, outputSchema) => {
      const { invoker, log, lines, add } = createHarness()
      add('plain', () => ({ total: 1 }), { outputSchema })
      add('rich', () => contentOutput([{ type: 'text', text: 'one' }], { total: 1 }), {
        outputSchema,
      })
      add('long', () => ({ total: 1 }), { outputSchema, maxOutputBytes: 5 })
      for (const name of ['plain', 'rich', 'long']) {
        const result = await invoker.invoke(name, {})
        expect(result.success).toBe(true)
        expect(log.ends.at(-1)).toMatchObject({ callId: result.callId, status: 'completed' })
      }
      expect(log.ends).toHaveLength(3)
      expect(lines).toEqual([])
    },
  )

  test('lets through what it announces and nothing more', async () => {
    const { invoker, add } = createHarness()
    add('tool', () => ({ total: 1, internal: 'x' }), {
      outputSchema: z.object({ total: z.number() }),
    })
    expect(await invoker.invoke('tool', {})).toMatchObject({ outputText: '{"total":1}' })
  })

  test('refuses an output that does not match, and the log keeps that output', async () => {
    const { invoker, log, add } = createHarness()
    add('tool', () => ({ total: 'many' }), { outputSchema: z.object({ total: z.number() }) })
    const result = await invoker.invoke('tool', {})
    expect(result).toMatchObject({
      errorCode: 'OUTPUT_INVALID',
      errorData: { issues: [{ path: 'total' }] },
    })
    expect(log.ends).toMatchObject([{ status: 'failed', outputText: '{"total":"many"}' }])
  })

  test('checks the structured content of rich output, which stays rich', async () => {
    const { invoker, add } = createHarness()
    const outputSchema = z.object({ total: z.number() })
    const blocks = [{ type: 'text', text: 'one' }] as const
    add('good', () => contentOutput(blocks, { total: 1, more: 2 }), { outputSchema })
    add('bad', () => contentOutput(blocks, { total: 'one' }), { outputSchema })
    add('none', () => contentOutput(blocks), { outputSchema })
    const good = await invoker.invoke('good', {})
    expect(good.success && isContentOutput(good.output)).toBe(true)
    expect(good).toMatchObject({ output: { content: blocks, structuredContent: { total: 1 } } })
    expect(await invoker.invoke('bad', {})).toMatchObject({ errorCode: 'OUTPUT_INVALID' })
    expect(await invoker.invoke('none', {})).toMatchObject({ errorCode: 'OUTPUT_INVALID' })
  })

  test('that fails by itself is reported as such', async () => {
    const { invoker, add } = createHarness()
    add('tool', () => 1, {
      outputSchema: {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: () => Promise.reject(new Error('broken')),
        },
      } as never,
    })
    expect(await invoker.invoke('tool', {})).toMatchObject({ errorCode: 'SCHEMA_INVALID' })
  })
})

describe('an output that is too large', () => {
  test('becomes a preview cut between characters, and the log keeps the whole', async () => {
    const { invoker, log, add } = createHarness({ previewBytes: 8 })
    add('emoji', () => '😀'.repeat(10), { maxOutputBytes: 41 })
    const result = await invoker.invoke('emoji', {})
    expect(result).toEqual({
      success: true,
      truncated: true,
      preview: '"😀',
      outputBytes: 42,
      durationMs: expect.any(Number) as number,
      callId: result.callId,
    })
    expect(log.ends).toMatchObject([
      {
        status: 'completed',
        truncated: true,
        outputBytes: 42,
        outputText: JSON.stringify('😀'.repeat(10)),
      },
    ])
  })

  test('passes whole at exactly its limit, in bytes and not in characters', async () => {
    const { invoker, add } = createHarness({ maxOutputBytes: 42 })
    add('fits', () => '😀'.repeat(10))
    add('spills', () => `${'😀'.repeat(10)}x`)
    expect(await invoker.invoke('fits', {})).toMatchObject({ truncated: false })
    expect(await invoker.invoke('spills', {})).toMatchObject({ truncated: true, outputBytes: 43 })
  })

  test('of 50 MB reaches the log whole', async () => {
    const { invoker, log, add } = createHarness()
    add('huge', () => 'x'.repeat(50_000_000))
    const result = await invoker.invoke('huge', {})
    expect(result).toMatchObject({ truncated: true, outputBytes: 50_000_002 })
    expect(result.success && result.truncated && result.preview.length).toBe(4_096)
    expect(log.ends[0]?.outputText?.length).toBe(50_000_002)
  })

  test('is not written at all beyond the last limit', async () => {
    const { invoker, add } = createHarness({ maxOutputLength: 1_000 })
    let layer: unknown = ['x']
    // Doubling thirty times: a small object whose text would have ten thousand million characters.
    for (let depth = 0; depth < 30; depth += 1) layer = [layer, layer]
    add('bomb', () => layer)
    add('fits', () => 'x'.repeat(998))
    add('spills', () => 'x'.repeat(999))
    expect(await invoker.invoke('bomb', {})).toMatchObject({ errorCode: 'OUTPUT_UNSERIALISABLE' })
    expect(await invoker.invoke('fits', {})).toMatchObject({ success: true })
    expect(await invoker.invoke('spills', {})).toMatchObject({ errorCode: 'OUTPUT_UNSERIALISABLE' })
  })
})

describe('a tool that fails', () => {
  test('reports its own message, code and data, and the log also the causes', async () => {
    const { invoker, log, add } = createHarness()
    add('read', () => {
      throw Object.assign(new Error('no such file', { cause: new Error('disk on fire') }), {
        code: 'ENOENT',
      })
    })
    add('calculate', () => {
      throw new ToolError<string>('DIVIDE_BY_ZERO', 'Cannot divide by zero.', { data: { step: 2 } })
    })
    expect(await invoker.invoke('read', {})).toMatchObject({
      errorCode: 'TOOL_FAILED',
      error: 'Tool "read" failed: no such file',
      errorData: { toolErrorCode: 'ENOENT' },
    })
    expect(await invoker.invoke('calculate', {})).toMatchObject({
      errorCode: 'TOOL_FAILED',
      errorData: { toolErrorCode: 'DIVIDE_BY_ZERO', toolErrorData: { step: 2 } },
    })
    expect(log.ends[0]).toMatchObject({ error: { data: { causes: ['disk on fire'] } } })
  })

  test('cannot pass its error off as a refusal of the invoker, except for a policy violation', async () => {
    const { invoker, add } = createHarness()
    add('liar', () => {
      throw new ToolError('TOOL_NOT_FOUND', 'I was never here.')
    })
    add('guarded', () => {
      throw new ToolError('POLICY_VIOLATION', 'Host evil.example is not allowed.')
    })
    expect(await invoker.invoke('liar', {})).toMatchObject({ errorCode: 'TOOL_FAILED' })
    expect(await invoker.invoke('guarded', {})).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
  })

  test.each(['TOOL_REVOKED', 'TOOL_TAMPERED', 'TOOL_UNVERIFIED', 'TOOLS_PAUSED'] as const)(
    'says %s where what a tool was made into is refused at the last moment',
    async (code) => {
      const { invoker, log, add } = createHarness()
      const fail = (): never => {
        throw new ToolError(code, 'It is not what it was.', { data: { module: 'kit' } })
      }
      const source = { type: 'made', kind: 'code', version: 1, hash: 'a', owner: 'ada' } as const
      add('made', fail, { source: { ...source, visibility: 'owner' } })
      add('foreign', fail)
      expect(await invoker.invoke('made', {})).toMatchObject({
        errorCode: code,
        error: '"made" did not run: It is not what it was.',
        errorData: { module: 'kit' },
      })
      expect(await invoker.invoke('foreign', {})).toMatchObject({ errorCode: 'TOOL_FAILED' })
      expect(log.ends).toMatchObject([
        { status: 'failed', error: { code, data: { toolRan: false } } },
        { status: 'failed', error: { code: 'TOOL_FAILED' } },
      ])
    },
  )

  test('says that what it started elsewhere may still run, where the tool knows that it may', async () => {
    const { invoker, log, add } = createHarness()
    const fail = (data: JsonObject): never => {
      throw new ToolError<string>('FAR_AWAY', 'No answer came.', { data })
    }
    add('lost', () => fail({ mayStillBeRunning: true }))
    add('ended', () => fail({ mayStillBeRunning: 'yes' }))
    expect(await invoker.invoke('lost', {})).toMatchObject({
      errorCode: 'TOOL_FAILED',
      mayStillBeRunning: true,
    })
    expect(await invoker.invoke('ended', {})).not.toHaveProperty('mayStillBeRunning')
    expect(log.ends[0]).toMatchObject({ status: 'failed', mayStillBeRunning: true })
    expect(log.ends[1]).not.toHaveProperty('mayStillBeRunning')
  })

  test('has its message bounded', async () => {
    const { invoker, log, add } = createHarness({ maxErrorLength: 50 })
    add('chatty', () => {
      throw new Error('x'.repeat(100_000))
    })
    const result = await invoker.invoke('chatty', {})
    expect(errorOf(result).length).toBeLessThan(100)
    expect(log.text.length).toBeLessThan(1_000)
  })
})

test('a wrong limit is refused when the invoker is made', () => {
  const { registry, log } = createHarness()
  expect(() => createInvoker({ registry, log, previewBytes: 0 })).toThrow(
    'Option previewBytes must be a number above 0, got 0.',
  )
})
