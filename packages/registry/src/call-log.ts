import type { JsonObject } from './json-value.ts'
import type { Principal } from './principal.ts'

/** How a call stands. `started` only until a terminal row is there; `interrupted` means: outcome unknown. */
export type ToolCallStatus =
  | 'started'
  | 'completed'
  | 'failed'
  | 'timed_out'
  | 'cancelled'
  | 'interrupted'

/** What is logged before a tool runs. Times are milliseconds since the epoch. */
export interface ToolCallStart {
  /** UUIDv7, made by the host. */
  readonly callId: string
  readonly namespace: string
  readonly toolName: string
  readonly toolVersion?: number
  /** SHA-256 of the made tool's version, 64 hexadecimal digits. */
  readonly toolHash?: string
  /** The signed decision under which a made tool runs. */
  readonly approvalId?: string
  readonly principal: Principal
  readonly startedAt: number
  /** The input as JSON text, secrets removed. */
  readonly inputText: string
  readonly traceId?: string
  readonly spanId?: string
  readonly parentCallId?: string
  readonly sessionId?: string
  readonly toolCallId?: string
}

/** An error as it is logged. */
export interface LoggedError {
  readonly code: string
  readonly message: string
  readonly data?: JsonObject
}

/** What every row after the start row says. */
export interface ToolCallEnd {
  readonly callId: string
  readonly namespace: string
  readonly toolName: string
  readonly endedAt: number
  /** The tool's own time in milliseconds; waiting and logging come on top in `endedAt - startedAt`. */
  readonly durationMs: number
  /** The whole output as JSON text, secrets removed, also where the caller got only a preview. */
  readonly outputText?: string
  /** UTF-8 size of the whole output text. */
  readonly outputBytes?: number
  /** The caller got only a preview. */
  readonly truncated?: boolean
}

/** The terminal row of a call that succeeded. */
export interface ToolCallCompletion extends ToolCallEnd {
  readonly status: 'completed'
}

/** The terminal row of a call that failed, timed out or was cancelled. */
export interface ToolCallFailure extends ToolCallEnd {
  readonly status: 'failed' | 'timed_out' | 'cancelled'
  readonly error: LoggedError
  /** The tool was told to stop and had not stopped, or what it started elsewhere may still run. */
  readonly mayStillBeRunning?: boolean
}

/** What a tool gave after its call was already reported as timed out or cancelled. */
export interface ToolCallLate extends ToolCallEnd {
  readonly status: 'completed' | 'failed'
  readonly error?: LoggedError
}

/** One call as the log knows it. */
export interface LoggedToolCall {
  readonly callId: string
  readonly namespace: string
  readonly toolName: string
  readonly toolVersion?: number
  readonly toolHash?: string
  readonly approvalId?: string
  readonly principal: Principal
  readonly status: ToolCallStatus
  readonly startedAt: number
  readonly endedAt?: number
  readonly durationMs?: number
  readonly inputText: string
  /** As much of the output text as a listing carries; see {@link CallLog.readOutput} for the whole. */
  readonly outputText?: string
  readonly outputBytes?: number
  readonly truncated?: boolean
  readonly error?: LoggedError
  readonly mayStillBeRunning?: boolean
  readonly traceId?: string
  readonly spanId?: string
  readonly parentCallId?: string
  readonly sessionId?: string
  readonly toolCallId?: string
  readonly hostId?: string
  /** What came after the deadline. */
  readonly late?: {
    readonly status: 'completed' | 'failed'
    readonly endedAt: number
    readonly durationMs: number
    readonly outputText?: string
    readonly error?: LoggedError
  }
}

/** Which calls to read; fields given are combined with "and". */
export interface ToolCallQuery {
  readonly namespace?: string
  readonly toolName?: string
  readonly status?: ToolCallStatus | readonly ToolCallStatus[]
  /** Calls that started at or after this time, milliseconds since the epoch. */
  readonly since?: number
  /** Calls that started before this time, milliseconds since the epoch. */
  readonly until?: number
  readonly traceId?: string
  readonly parentCallId?: string
  readonly sessionId?: string
  /** @default 'newest-first' */
  readonly order?: 'newest-first' | 'oldest-first'
  /** 1 to 1,000. @default 100 */
  readonly limit?: number
  /** The `nextCursor` of the page before. */
  readonly cursor?: string
  readonly signal?: AbortSignal
}

/** A page of calls. */
export interface ToolCallPage {
  readonly calls: readonly LoggedToolCall[]
  /** Pass it as `cursor` for the next page; absent on the last one. */
  readonly nextCursor?: string
}

/** How one tool has fared. Durations are milliseconds over calls that ran and ended; those that were refused do not count. */
export interface ToolStatistics {
  readonly toolName: string
  readonly calls: number
  readonly completed: number
  readonly failed: number
  readonly timedOut: number
  readonly cancelled: number
  readonly interrupted: number
  readonly running: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly p99Ms?: number
  /** How far the percentiles may be off, as a share of them: 0.1 is ten percent. Absent without percentiles. */
  readonly percentilesWithin?: number
}

/** The part of a call log that an invoker needs. */
export interface CallLogWriter {
  /** Resolves when the start row is durable; the tool runs only then. */
  logToolStart(call: ToolCallStart): Promise<void>
  /** Resolves when the terminal row is durable. A second terminal row for a call is ignored. */
  logToolComplete(end: ToolCallCompletion): Promise<void>
  /** Resolves when the terminal row is durable. A second terminal row for a call is ignored. */
  logToolFailure(end: ToolCallFailure): Promise<void>
  /** Keeps what came after the deadline; never changes the terminal row. */
  logToolLate(late: ToolCallLate): Promise<void>
}

/** A durable record of tool calls: one start row before, one terminal row after, late results beside. */
export interface CallLog extends CallLogWriter {
  query(query?: ToolCallQuery): Promise<ToolCallPage>
  get(callId: string, options?: Pick<ToolCallQuery, 'signal'>): Promise<LoggedToolCall | undefined>
  /** The whole output text of a call, also where the caller got only a preview. */
  readOutput(callId: string, options?: Pick<ToolCallQuery, 'signal'>): Promise<string | undefined>
  statistics(
    query?: Pick<ToolCallQuery, 'namespace' | 'toolName' | 'since' | 'until' | 'signal'>,
  ): Promise<readonly ToolStatistics[]>
  /** Writes what is pending, then lets go of everything it holds. */
  close(): Promise<void>
}
