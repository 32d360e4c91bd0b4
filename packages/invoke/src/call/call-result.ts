import type { ToolFailure, ToolSuccess, ToolTruncatedSuccess } from '@toolcrib/registry'
import { countBytes, cutText } from './values/bounded-text.ts'
import type { WrittenOutput } from './values/call-output.ts'
import type { CallProblem } from './call-problem.ts'

/** What every result says about its call. */
export interface ResultSubject {
  readonly callId: string
  readonly durationMs: number
}

/** The whole output. */
export function successResult(output: WrittenOutput, subject: ResultSubject): ToolSuccess {
  return {
    success: true,
    truncated: false,
    output: output.value,
    outputText: output.text,
    durationMs: subject.durationMs,
    callId: subject.callId,
  }
}

/** The beginning of an output that is too large. */
export function previewResult(
  output: WrittenOutput,
  previewBytes: number,
  subject: ResultSubject,
): ToolTruncatedSuccess {
  return {
    success: true,
    truncated: true,
    preview: cutText(beginningOf(output, previewBytes), previewBytes),
    outputBytes: output.bytes ?? countBytes(output.text),
    durationMs: subject.durationMs,
    callId: subject.callId,
  }
}

/** Why there is no output. */
export function failureResult(
  { code, message, data }: CallProblem,
  subject: ResultSubject,
  mayStillBeRunning = false,
): ToolFailure {
  return {
    success: false,
    error: message,
    errorCode: code,
    ...(data !== undefined && { errorData: data }),
    durationMs: subject.durationMs,
    callId: subject.callId,
    ...(mayStillBeRunning && { mayStillBeRunning }),
  }
}

/** One character more than bytes, so that no character at the cut is taken for a half. */
function beginningOf({ text, beginning }: WrittenOutput, bytes: number): string {
  return beginning !== undefined && beginning.length > bytes ? beginning : text
}
