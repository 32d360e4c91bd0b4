import type { ToolDefinition, ToolResult } from '@toolcrib/registry'
import {
  type ContextLike,
  type SpanLike,
  type TracerLike,
  activeContext,
  findGlobalTracer,
  runInContext,
  spanContextKey,
} from './open-telemetry.ts'

/** How calls appear in OpenTelemetry. */
export interface TelemetryOptions {
  /** @default the tracer of the provider that is registered globally, looked up at each call */
  readonly tracer?: TracerLike
  /** Puts the input on the span, secrets removed. @default false */
  readonly recordArguments?: boolean
  /** Puts the output on the span, secrets removed. @default false */
  readonly recordResults?: boolean
}

/** What a span says about a call from its start. */
export interface SpanSubject {
  readonly tool: ToolDefinition
  readonly callId: string
  readonly toolCallId: string | undefined
  /** The span of the call that makes this one. */
  readonly parent: CallSpan | undefined
}

const internalKind = 0
const errorStatus = 2
const invalidTraceId = '0'.repeat(32)

/** The span of one call, named by the conventions for generative AI. Nothing that tracing does can fail a call. */
export class CallSpan {
  readonly #span: SpanLike
  readonly #context: ContextLike
  readonly #options: TelemetryOptions
  readonly traceId: string | undefined
  readonly spanId: string | undefined

  private constructor(span: SpanLike, context: ContextLike, options: TelemetryOptions) {
    this.#span = span
    this.#context = context
    this.#options = options
    const { traceId, spanId } = span.spanContext()
    const isValid = traceId !== invalidTraceId
    this.traceId = isValid ? traceId : undefined
    this.spanId = isValid ? spanId : undefined
  }

  /** Starts a span, below the calling tool's or else below the active one; `undefined` where nobody traces. */
  static start(subject: SpanSubject, options: TelemetryOptions): CallSpan | undefined {
    try {
      const tracer = options.tracer ?? findGlobalTracer()
      if (tracer === undefined) return undefined
      const active = activeContext()
      const parent = subject.parent
      const parentContext =
        parent === undefined ? active : active.setValue(spanContextKey, parent.#span)
      const span = tracer.startSpan(
        `execute_tool ${subject.tool.name}`,
        { kind: internalKind, attributes: attributesOf(subject) },
        parentContext,
      )
      return new CallSpan(span, parentContext.setValue(spanContextKey, span), options)
    } catch {
      return undefined
    }
  }

  /** Runs the tool with this span active, so that what it does appears below. */
  run<Value>(work: () => Value): Value {
    let hasBegun = false
    try {
      return runInContext(this.#context, () => {
        hasBegun = true
        return work()
      })
    } catch (error) {
      if (hasBegun) throw error
      return work()
    }
  }

  recordArguments(text: string): void {
    if (this.#options.recordArguments === true) this.#set('gen_ai.tool.call.arguments', text)
  }

  end(result: ToolResult): void {
    try {
      if (!result.success) {
        this.#set('error.type', result.errorCode)
        this.#span.setStatus({ code: errorStatus })
      } else if (this.#options.recordResults === true) {
        this.#set('gen_ai.tool.call.result', result.truncated ? result.preview : result.outputText)
      }
      this.#span.end()
    } catch {
      // A broken exporter must not change what the call gives.
    }
  }

  #set(key: string, value: string): void {
    try {
      this.#span.setAttribute(key, value)
    } catch {
      // As above.
    }
  }
}

function attributesOf({ tool, callId, toolCallId }: SpanSubject): Record<string, string> {
  const attributes: Record<string, string> = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.description': tool.description,
    'gen_ai.tool.type': tool.source?.type === 'mcp' ? 'extension' : 'function',
    'toolcrib.call.id': callId,
  }
  if (toolCallId !== undefined) attributes['gen_ai.tool.call.id'] = toolCallId
  return attributes
}
