import {
  type InvokeOptions,
  type JsonObject,
  type Principal,
  type ToolCallStart,
  type ToolDefinition,
} from '@toolcrib/registry'
import type { RowSubject } from './call-rows.ts'
import { CallSpan } from '../telemetry/call-span.ts'
import type { SlotHolder } from '../limits/concurrency-limiter.ts'
import { describeError } from './values/describe-error.ts'
import type { InvokerSettings } from '../invoker-settings.ts'

/** What a call is made of. */
export interface CallRequest {
  readonly tool: ToolDefinition
  readonly input: unknown
  readonly options: InvokeOptions
  readonly principal: Principal
  /** The call whose tool makes this one. */
  readonly parent: { readonly facts: CallFacts; readonly signal: AbortSignal } | undefined
}

/** What is known of a call from its start and does not change. */
export class CallFacts implements RowSubject, SlotHolder {
  readonly settings: InvokerSettings
  readonly tool: ToolDefinition
  readonly parent: CallFacts | undefined
  readonly options: InvokeOptions
  readonly callId: string
  readonly namespace: string
  readonly toolName: string
  readonly principal: Principal
  readonly startedAt: number
  readonly timeoutMs: number
  readonly depth: number
  readonly toolLimit: number | undefined
  readonly needsSharedSlot: boolean
  readonly span: CallSpan | undefined
  readonly traceId: string | undefined
  readonly parentCallId: string | undefined
  readonly sessionId: string | undefined
  readonly callerPolicy: JsonObject | undefined
  readonly #startTick: number
  #ranAfterMs = 0

  constructor(settings: InvokerSettings, request: CallRequest) {
    const { tool, options } = request
    const parent = request.parent?.facts
    this.settings = settings
    this.tool = tool
    this.parent = parent
    this.options = options
    this.startedAt = settings.now()
    this.#startTick = settings.monotonicNow()
    this.callId = settings.createId(this.startedAt)
    this.namespace = settings.namespace
    this.toolName = tool.name
    this.principal = request.principal
    this.timeoutMs = chooseTimeout(settings, tool, { options, parent })
    this.depth = parent === undefined ? 0 : parent.depth + 1
    this.toolLimit = sharesSlotOf(parent, tool.name) ? Infinity : tool.maxConcurrent
    this.needsSharedSlot = parent === undefined
    this.parentCallId = parent?.callId ?? options.parentCallId
    // Sessions separate what belongs together, such as cookies: a tool acts in its caller's and cannot name another.
    this.sessionId = parent === undefined ? options.sessionId : parent.sessionId
    // Never read here. A tool that names none passes on what binds it.
    this.callerPolicy = options.callerPolicy ?? parent?.callerPolicy
    this.span = settings.telemetry === undefined ? undefined : startSpan(this, settings.telemetry)
    this.traceId = parent?.traceId ?? options.traceId ?? this.span?.traceId
  }

  /** Whose limits and circuits apply. */
  get ownerKey(): string {
    return `${this.principal.kind}:${this.principal.id}`
  }

  /** The circuit breaker's key: one caller's trouble with a tool is not another's. */
  get circuitKey(): string {
    return `${this.toolName} ${this.ownerKey}`
  }

  /** The tools through which this call came, outermost first. */
  get callers(): readonly ToolDefinition[] {
    return this.parent === undefined ? noCallers : [...this.parent.callers, this.parent.tool]
  }

  /** Tells whether a tool through which this call came holds a place that others may wait for. */
  hasLimitedCaller(): boolean {
    for (let caller = this.parent; caller !== undefined; caller = caller.parent)
      if (this.settings.limiter.isLimited(caller)) return true
    return false
  }

  /** Milliseconds since the start, to a thousandth. */
  elapsedMs(): number {
    const elapsed = this.settings.monotonicNow() - this.#startTick
    return elapsed > 0 ? Math.round(elapsed * 1_000) / 1_000 : 0
  }

  /** The tool is about to run: from now on its time counts. */
  beginRun(): void {
    this.#ranAfterMs = this.elapsedMs()
  }

  /** Milliseconds from the start of the call to the start of its tool; 0 where that has not begun. */
  get ranAfterMs(): number {
    return this.#ranAfterMs
  }

  /** Milliseconds that the tool has taken, to a thousandth; those since the start of the call where it has not begun. */
  durationMs(): number {
    return Math.round((this.elapsedMs() - this.#ranAfterMs) * 1_000) / 1_000
  }

  /** Tells the program's log that something failed that does not change the outcome. */
  complain(message: string, error: unknown): void {
    const { callId, toolName, settings } = this
    settings.logger.error({ callId, toolName, error: { ...describeError(error) } }, message)
  }

  remainingMs(): number {
    return this.timeoutMs - this.elapsedMs()
  }

  startRow(inputText: string): ToolCallStart {
    const { options, tool, span, traceId } = this
    const row: { -readonly [Key in keyof ToolCallStart]: ToolCallStart[Key] } = {
      callId: this.callId,
      namespace: this.namespace,
      toolName: this.toolName,
      principal: this.principal,
      startedAt: this.startedAt,
      inputText,
    }
    if (traceId !== undefined) row.traceId = traceId
    if (span?.spanId !== undefined && span.traceId === traceId) row.spanId = span.spanId
    if (this.parentCallId !== undefined) row.parentCallId = this.parentCallId
    if (this.sessionId !== undefined) row.sessionId = this.sessionId
    if (options.toolCallId !== undefined) row.toolCallId = options.toolCallId
    if (tool.source?.type === 'made') {
      row.toolVersion = tool.source.version
      row.toolHash = tool.source.hash
      if (tool.source.approvalId !== undefined) row.approvalId = tool.source.approvalId
    }
    return row
  }
}

const noCallers: readonly ToolDefinition[] = []

function chooseTimeout(
  settings: InvokerSettings,
  tool: ToolDefinition,
  { options, parent }: { readonly options: InvokeOptions; readonly parent: CallFacts | undefined },
): number {
  const wanted = options.timeoutMs
  const own =
    typeof wanted === 'number' && !Number.isNaN(wanted)
      ? wanted
      : (tool.timeoutMs ?? settings.defaultTimeoutMs)
  return parent === undefined ? own : Math.min(own, parent.remainingMs())
}

/** A tool that calls itself, directly or through others, runs in the place that it has. */
function sharesSlotOf(parent: CallFacts | undefined, toolName: string): boolean {
  for (let caller = parent; caller !== undefined; caller = caller.parent)
    if (caller.toolName === toolName) return true
  return false
}

function startSpan(
  facts: CallFacts,
  telemetry: NonNullable<InvokerSettings['telemetry']>,
): CallSpan | undefined {
  return CallSpan.start(
    {
      tool: facts.tool,
      callId: facts.callId,
      toolCallId: facts.options.toolCallId,
      parent: facts.parent?.span,
    },
    telemetry,
  )
}
