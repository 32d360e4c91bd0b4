import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterEach, describe, expect, test } from 'vitest'
import { createHarness } from '../../test/harness.ts'

afterEach(() => {
  trace.disable()
  context.disable()
})

function setUp(): { exporter: InMemorySpanExporter; provider: BasicTracerProvider } {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  return { exporter, provider }
}

describe('with an API registered globally', () => {
  test('a call is a span with the names of the conventions', async () => {
    const { exporter, provider } = setUp()
    const { invoker, log, add } = createHarness()
    add('weather', () => ({ celsius: 21 }))
    // Registered after the invoker was made, as happens with start-up code.
    trace.setGlobalTracerProvider(provider)
    await invoker.invoke('weather', { city: 'Graz' }, { toolCallId: 'toolu_1' })
    const [span] = exporter.getFinishedSpans()
    expect(span).toMatchObject({ name: 'execute_tool weather', kind: SpanKind.INTERNAL })
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'weather',
      'gen_ai.tool.description': 'Test tool weather',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'toolu_1',
      'toolcrib.call.id': log.starts[0]?.callId,
    })
    expect(span?.status.code).toBe(SpanStatusCode.UNSET)
    expect(log.starts[0]).toMatchObject({
      traceId: span?.spanContext().traceId,
      spanId: span?.spanContext().spanId,
    })
  })

  test('a failure says its code and is an error', async () => {
    const { exporter, provider } = setUp()
    trace.setGlobalTracerProvider(provider)
    const { invoker, add } = createHarness()
    add('fails', () => Promise.reject(new Error('secret detail')))
    add('strict', () => 1, { inputSchema: { type: 'object', required: ['a'] } })
    await invoker.invoke('fails', {})
    await invoker.invoke('strict', {})
    const spans = exporter.getFinishedSpans()
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([
      'TOOL_FAILED',
      'INPUT_INVALID',
    ])
    expect(spans.every(({ status }) => status.code === SpanStatusCode.ERROR)).toBe(true)
    expect(
      JSON.stringify(spans.map(({ attributes, status }) => [attributes, status])),
    ).not.toContain('secret detail')
  })

  test.each([true, false])(
    'calls of tools are children, with a context manager: %s',
    async (hasContextManager) => {
      const { exporter, provider } = setUp()
      trace.setGlobalTracerProvider(provider)
      if (hasContextManager)
        context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
      const { invoker, log, add } = createHarness()
      add('inner', () => 1)
      add('outer', async (_input, _signal, { invoke }) => {
        await Promise.resolve()
        return (await invoke('inner', {})).success
      })
      await invoker.invoke('outer', {})
      const [inner, outer] = exporter.getFinishedSpans()
      expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
      expect(inner?.spanContext().traceId).toBe(outer?.spanContext().traceId)
      expect(log.starts.map(({ traceId }) => traceId)).toEqual([
        outer?.spanContext().traceId,
        outer?.spanContext().traceId,
      ])
    },
  )

  test('the span is below the active one, and active for what the tool does', async () => {
    const { exporter, provider } = setUp()
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    const { invoker, add } = createHarness()
    const tracer = trace.getTracer('test')
    add('tool', async () => {
      await Promise.resolve()
      tracer.startSpan('inside').end()
    })
    const around = tracer.startSpan('around')
    await context.with(trace.setSpan(ROOT_CONTEXT, around), () => invoker.invoke('tool', {}))
    const [inside, tool] = exporter.getFinishedSpans()
    expect(tool?.parentSpanContext?.spanId).toBe(around.spanContext().spanId)
    expect(inside?.parentSpanContext?.spanId).toBe(tool?.spanContext().spanId)
  })

  test('a trace that the caller names stays, and no span of another trace is claimed', async () => {
    const { provider } = setUp()
    trace.setGlobalTracerProvider(provider)
    const { invoker, log, add } = createHarness()
    add('tool', () => 1)
    await invoker.invoke('tool', {}, { traceId: '3'.repeat(32) })
    expect(log.starts[0]?.traceId).toBe('3'.repeat(32))
    expect(log.starts[0]).not.toHaveProperty('spanId')
  })

  test('nothing is traced where it is switched off', async () => {
    const { exporter, provider } = setUp()
    trace.setGlobalTracerProvider(provider)
    const { invoker, add } = createHarness({ telemetry: false })
    add('tool', () => 1)
    await invoker.invoke('tool', {})
    expect(exporter.getFinishedSpans()).toEqual([])
  })
})

test('a tracer may be passed instead', async () => {
  const { exporter, provider } = setUp()
  const { invoker, add } = createHarness({ telemetry: { tracer: provider.getTracer('mine') } })
  add('tool', () => 1)
  await invoker.invoke('tool', {})
  expect(exporter.getFinishedSpans()).toHaveLength(1)
})

test('arguments and results are recorded only on request, secrets hidden', async () => {
  const { exporter, provider } = setUp()
  const { invoker, add } = createHarness({
    telemetry: { tracer: provider.getTracer('mine'), recordArguments: true, recordResults: true },
  })
  add('tool', () => ({ ok: true }))
  await invoker.invoke('tool', { password: 'swordfish', a: 1 })
  expect(exporter.getFinishedSpans()[0]?.attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"password":"[redacted]","a":1}',
    'gen_ai.tool.call.result': '{"ok":true}',
  })
})

test('a tracer that fails in every way fails no call', async () => {
  const fail = (): never => {
    throw new Error('exporter')
  }
  const spans = [
    fail,
    () => ({ spanContext: fail, setAttribute: fail, setStatus: fail, end: fail }),
    () => ({
      spanContext: () => ({ traceId: 'a', spanId: 'b' }),
      setAttribute: fail,
      setStatus: fail,
      end: fail,
    }),
  ]
  for (const startSpan of spans) {
    const { invoker, add } = createHarness({
      telemetry: { tracer: { startSpan }, recordArguments: true },
    })
    add('tool', () => 1)
    expect(await invoker.invoke('tool', {})).toMatchObject({ success: true })
    expect(await invoker.invoke('tool', 5)).toMatchObject({ errorCode: 'INPUT_INVALID' })
  }
})

test('without any API there are no spans and no trace', async () => {
  const { invoker, log, add } = createHarness()
  add('tool', () => 1)
  await invoker.invoke('tool', {})
  expect(log.starts[0]).not.toHaveProperty('traceId')
})
