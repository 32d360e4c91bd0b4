import type {
  JsonObject,
  LoggedError,
  ToolCallCompletion,
  ToolCallFailure,
  ToolCallLate,
  ToolErrorCode,
} from '@toolcrib/registry'
import type { CallProblem } from './call-problem.ts'

/** What rows say about the call that they belong to. */
export interface RowSubject {
  readonly callId: string
  readonly namespace: string
  readonly toolName: string
  readonly startedAt: number
  /** Milliseconds from then until the tool began; 0 where it did not. */
  readonly ranAfterMs: number
}

type Writable<Row> = { -readonly [Key in keyof Row]: Row[Key] }

/** The terminal row of a call that succeeded. */
export function completionRow(
  subject: RowSubject,
  durationMs: number,
  outputText: string,
): Writable<ToolCallCompletion> {
  return {
    callId: subject.callId,
    namespace: subject.namespace,
    toolName: subject.toolName,
    status: 'completed',
    endedAt: endOf(subject, durationMs),
    durationMs,
    outputText,
  }
}

/** The terminal row of a call that did not succeed. */
export function failureRow(
  subject: RowSubject,
  durationMs: number,
  problem: CallProblem,
): Writable<ToolCallFailure> {
  return {
    callId: subject.callId,
    namespace: subject.namespace,
    toolName: subject.toolName,
    status: statusOf(problem.code),
    endedAt: endOf(subject, durationMs),
    durationMs,
    error: loggedError(problem),
  }
}

/** What came after the call was reported. */
export function lateRow(
  subject: RowSubject,
  durationMs: number,
  outcome: { readonly outputText: string } | { readonly problem: CallProblem },
): ToolCallLate {
  const end = {
    callId: subject.callId,
    namespace: subject.namespace,
    toolName: subject.toolName,
    endedAt: endOf(subject, durationMs),
    durationMs,
  }
  return 'problem' in outcome
    ? { ...end, status: 'failed', error: loggedError(outcome.problem) }
    : { ...end, status: 'completed', outputText: outcome.outputText }
}

// The wall clock is read once, so that a clock that jumps cannot make a call end before it began.
function endOf(subject: RowSubject, durationMs: number): number {
  return subject.startedAt + Math.round(subject.ranAfterMs + durationMs)
}

function statusOf(code: ToolErrorCode): ToolCallFailure['status'] {
  if (code === 'TIMEOUT') return 'timed_out'
  return code === 'CANCELLED' ? 'cancelled' : 'failed'
}

function loggedError({ code, message, data, logData }: CallProblem): LoggedError {
  if (data === undefined && logData === undefined) return { code, message }
  const all: JsonObject = { ...data, ...logData }
  return { code, message, data: all }
}

/** Tells whether a log that failed to write a row is sure that the row is not there; a log that does not say is not. */
export function saysNotStored(error: unknown): boolean {
  try {
    return (error as { data?: { stored?: unknown } } | null)?.data?.stored === 'no'
  } catch {
    return false
  }
}
