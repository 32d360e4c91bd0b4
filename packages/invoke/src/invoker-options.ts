import type { Redactor } from '@toolcrib/redaction'
import type {
  CallLogWriter,
  JsonObject,
  KnownOptions,
  Logger,
  Principal,
  ToolContext,
  ToolDefinition,
  ToolErrorCode,
  ToolRegistry,
} from '@toolcrib/registry'
import type { TelemetryOptions } from './telemetry/call-span.ts'
import type { CircuitBreakerOptions } from './limits/circuit-breaker.ts'
import type { PolicyViolationReport } from './call/policy-violations.ts'
import type { ConcurrencyLimits } from './limits/concurrency-limiter.ts'

/** Why a tool may not be called now; a `ToolError` will do. */
export interface Refusal {
  readonly code: ToolErrorCode
  readonly message: string
  readonly data?: JsonObject
}

/**
 * Tells whether a tool may be called at this moment: `undefined` if so, else why not.
 *
 * @param callers the tools through which the call came, outermost first; empty where no tool made the call.
 */
export type CallableCheck = (
  tool: ToolDefinition,
  principal: Principal,
  callers: readonly ToolDefinition[],
) => Refusal | undefined | Promise<Refusal | undefined>

/** The moment at which a tool does its work; see `execute` in {@link InvokerOptions}. */
export interface ExecutionStep {
  readonly tool: ToolDefinition
  /** Validated, defaults filled in. */
  readonly input: unknown
  readonly signal: AbortSignal
  readonly context: ToolContext
}

/** How an invoker works. Only `registry` and `log` are needed. */
export interface InvokerOptions {
  /** Where tools are found, at each call anew. A snapshot will not do: it holds nothing to run. */
  readonly registry: Pick<ToolRegistry, 'get' | 'list' | 'count'>
  /** Where every call is written. */
  readonly log: CallLogWriter
  /** The unit of isolation that log rows carry. @default 'default' */
  readonly namespace?: string
  /**
   * What happens when the start of a call cannot be made durable: `refuse` answers LOG_UNAVAILABLE and the tool does not
   * run; `run` runs it unrecorded, after waiting for at most `logTimeoutMs` or half of the time that is left. Its terminal
   * row is written all the same, but logs list calls by their start rows.
   *
   * @default 'refuse'
   */
  readonly whenLogFails?: 'refuse' | 'run'
  /**
   * `await`: a result is handed out when its terminal row is durable, or after `logTimeoutMs`. `background`: at once.
   *
   * @default 'await'
   */
  readonly terminalRow?: 'await' | 'background'
  /** How long a result waits for a row that it does not depend on, in milliseconds. @default 2_000 */
  readonly logTimeoutMs?: number
  /** How deep tools may call tools: 0 lets no tool call another. @default 8 */
  readonly maxDepth?: number
  /** How many calls may run and wait. */
  readonly concurrency?: ConcurrencyLimits
  /**
   * Pauses a tool for a principal after failures in a row. Timeouts and TOOL_FAILED count, refusals do not; `false`
   * switches it off.
   */
  readonly circuitBreaker?: CircuitBreakerOptions | false
  /**
   * Asked at each call, before the input is read and again right before the tool runs, so that a tool revoked in between
   * does not run. For each made tool through which the call came it is asked as well, with the callers of that tool: one that
   * was stopped while it runs starts no more calls. What it throws counts as a refusal.
   *
   * @default everything that is visible may be called
   */
  readonly checkCallable?: CallableCheck
  /**
   * Told of each call that ends with POLICY_VIOLATION, once and before its result is handed out, and of each violation
   * that a tool reports by `context.reportViolation`. What it throws is logged and harms no call.
   */
  readonly onPolicyViolation?: (violation: PolicyViolationReport) => void
  /** Takes secrets out of what is logged and handed out. @default createRedactor() */
  readonly redactor?: Redactor
  /** How large an input may be, as UTF-8 JSON text; a tool's own limit holds as well. @default 10_485_760 */
  readonly maxInputBytes?: number
  /** For tools that name no `timeoutMs`. @default 30_000 */
  readonly defaultTimeoutMs?: number
  /** For tools that name no `maxOutputBytes`: larger outputs are handed out as a preview. @default 10_485_760 */
  readonly maxOutputBytes?: number
  /** The size of a preview. @default 4_096 */
  readonly previewBytes?: number
  /**
   * An output whose JSON text would have more characters than this is not written at all but refused as
   * OUTPUT_UNSERIALISABLE, to keep the program alive. @default 268_435_456
   */
  readonly maxOutputLength?: number
  /**
   * How many values a tool may give that is an asynchronous generator. Those before the last may have `maxOutputLength`
   * characters in total. @default 10_000
   */
  readonly maxYields?: number
  /** How deep an output may nest. @default 1_000 */
  readonly maxNesting?: number
  /** How many characters of a tool's own error message are kept. @default 4_096 */
  readonly maxErrorLength?: number
  /**
   * How long a tool that was told to stop may take before it is reported as possibly still running, in milliseconds. With 0 it
   * has the present turn of the event loop. @default 0
   */
  readonly stopGraceMs?: number
  /** Does the work of a call in the tool's place, such as on another host. @default step.tool.execute(…) */
  readonly execute?: (step: ExecutionStep) => Promise<unknown>
  /** OpenTelemetry spans, where an API is registered; `false` for none. */
  readonly telemetry?: TelemetryOptions | false
  /** Milliseconds since the epoch, for log rows. @default Date.now */
  readonly now?: () => number
  /** Milliseconds that only ever grow, for durations and deadlines. @default performance.now */
  readonly monotonicNow?: () => number
  /** Makes call ids from the time in milliseconds since the epoch. @default UUIDv7 */
  readonly createId?: (timestamp: number) => string
  /** @default silentLogger */
  readonly logger?: Logger
}

/** The names of all options. */
export const invokerOptionNames: KnownOptions<InvokerOptions> = {
  registry: true,
  log: true,
  namespace: true,
  whenLogFails: true,
  terminalRow: true,
  logTimeoutMs: true,
  maxDepth: true,
  concurrency: {
    maxRunning: true,
    maxRunningPerOwner: true,
    maxRunningPerTool: true,
    maxWaiting: true,
  } satisfies KnownOptions<ConcurrencyLimits>,
  circuitBreaker: {
    maxFailures: true,
    windowMs: true,
    coolDownMs: true,
  } satisfies KnownOptions<CircuitBreakerOptions>,
  checkCallable: true,
  onPolicyViolation: true,
  redactor: true,
  maxInputBytes: true,
  defaultTimeoutMs: true,
  maxOutputBytes: true,
  previewBytes: true,
  maxOutputLength: true,
  maxYields: true,
  maxNesting: true,
  maxErrorLength: true,
  stopGraceMs: true,
  execute: true,
  telemetry: {
    tracer: true,
    recordArguments: true,
    recordResults: true,
  } satisfies KnownOptions<TelemetryOptions>,
  now: true,
  monotonicNow: true,
  createId: true,
  logger: true,
}
