import type {
  LoggedError,
  ToolCallEnd,
  ToolCallLate,
  ToolCallStart,
  ToolCallStatus,
} from '@toolcrib/registry'
import type { OpenCall } from './open-calls.ts'
import { isRefused } from './refused-call.ts'
import { toStoredText, toTimestamp } from './stored-text.ts'
import type { CallRowKind } from './tables.ts'
import { countBytes, inlineBytes, isLargerThan, previewText } from './text-limits.ts'

/** The columns that a host writes, in the order of {@link CallRow.values}, each with its type. */
export const rowColumns = [
  ['call_id', 'uuid'],
  ['kind', '"char"'],
  ['namespace', 'text'],
  ['tool_name', 'text'],
  ['status', 'text'],
  ['host_id', 'uuid'],
  ['at', 'timestamptz'],
  ['principal_kind', 'text'],
  ['principal_id', 'text'],
  ['input', 'text'],
  ['tool_version', 'bigint'],
  ['tool_hash', 'text'],
  ['approval_id', 'text'],
  ['trace_id', 'text'],
  ['span_id', 'text'],
  ['parent_call_id', 'text'],
  ['session_id', 'text'],
  ['tool_call_id', 'text'],
  ['output', 'text'],
  ['output_bytes', 'bigint'],
  ['truncated', 'boolean'],
  ['duration_ms', 'double precision'],
  ['error_code', 'text'],
  ['error', 'text'],
  ['may_still_be_running', 'boolean'],
  ['started_at', 'timestamptz'],
  ['refused', 'boolean'],
] as const

/** A row on its way to the database. */
export interface CallRow {
  readonly callId: string
  readonly kind: CallRowKind
  /** Texts, in the order of {@link rowColumns}; undefined stands for null. */
  readonly values: readonly (string | undefined)[]
  /** The whole of a text of which the row has only the beginning. */
  readonly largeText: string | undefined
  /** About how much memory the row takes. */
  readonly bytes: number
  /** A start row that may be missing: it is written together with this row, or neither is. */
  readonly before?: CallRow | undefined
  /** A terminal row of a call whose start this host does not know: the database adds what it repeats of it. */
  readonly isAdopted?: boolean
}

/** What of a text goes into the row, and what beside it. */
interface SplitText {
  readonly shown: string | undefined
  readonly large: string | undefined
}

function splitText(text: string | undefined, maxTextBytes: number): SplitText {
  if (text === undefined) return { shown: undefined, large: undefined }
  const stored = toStoredText(text)
  if (!isLargerThan(stored, inlineBytes)) return { shown: stored, large: undefined }
  const large = isLargerThan(stored, maxTextBytes) ? undefined : stored
  return { shown: previewText(stored), large }
}

const optionalText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : toStoredText(text)

const overheadBytes = 500

/** Where rows come from and how large their texts may be. */
export interface RowSource {
  readonly hostId: string
  readonly maxTextBytes: number
}

/** The row of a call that is about to run. */
export function toStartRow(call: ToolCallStart, { hostId, maxTextBytes }: RowSource): CallRow {
  const input = splitText(call.inputText, maxTextBytes)
  const values = [
    call.callId,
    's',
    toStoredText(call.namespace),
    toStoredText(call.toolName),
    'started',
    hostId,
    toTimestamp(call.startedAt),
    toStoredText(call.principal.kind),
    toStoredText(call.principal.id),
    input.shown,
    call.toolVersion === undefined ? undefined : String(call.toolVersion),
    optionalText(call.toolHash),
    optionalText(call.approvalId),
    optionalText(call.traceId),
    optionalText(call.spanId),
    optionalText(call.parentCallId),
    optionalText(call.sessionId),
    optionalText(call.toolCallId),
  ]
  const bytes = overheadBytes + call.inputText.length
  return { callId: call.callId, kind: 's', values, largeText: input.large, bytes }
}

/** What a terminal or late row says. */
export interface RowEnd extends ToolCallEnd {
  readonly status: ToolCallStatus
  readonly error?: LoggedError
  readonly mayStillBeRunning?: boolean
}

const placeholders = Array.from<undefined>({ length: 6 })

/** The row of a call that ended, or of what came late. */
export function toEndRow(
  end: RowEnd,
  kind: Exclude<CallRowKind, 's'>,
  { hostId, maxTextBytes, start }: RowSource & { readonly start?: OpenCall | undefined },
): CallRow {
  const output = splitText(end.outputText, maxTextBytes)
  // Only what did not complete is looked for by what it belonged to.
  const belongings = end.status === 'completed' ? undefined : start
  const values = [
    end.callId,
    kind,
    toStoredText(end.namespace),
    toStoredText(end.toolName),
    end.status,
    hostId,
    toTimestamp(end.endedAt),
    ...placeholders,
    optionalText(belongings?.traceId),
    undefined,
    optionalText(belongings?.parentCallId),
    optionalText(belongings?.sessionId),
    undefined,
    output.shown,
    wholeNumber(end.outputBytes ?? countLarge(end.outputText)),
    end.truncated === undefined ? undefined : String(end.truncated),
    String(end.durationMs),
    end.error === undefined ? undefined : toStoredText(end.error.code),
    end.error === undefined ? undefined : writeError(end.error),
    end.mayStillBeRunning === undefined ? undefined : String(end.mayStillBeRunning),
    start === undefined ? undefined : toTimestamp(start.startedAt),
    isRefused(end) ? 'true' : undefined,
  ]
  const bytes = overheadBytes + (end.outputText?.length ?? 0)
  const isAdopted = kind === 'e' && start === undefined
  return { callId: end.callId, kind, values, largeText: output.large, bytes, isAdopted }
}

/** A terminal row that came too late, because the call was swept meanwhile, as a late row. */
export function toLateRow(row: CallRow): CallRow {
  const [callId, , namespace, toolName, status, ...others] = row.values
  const lateStatus: ToolCallLate['status'] = status === 'completed' ? 'completed' : 'failed'
  const values = [callId, 'l', namespace, toolName, lateStatus, ...others]
  return { ...row, kind: 'l', values, before: undefined, isAdopted: false }
}

/** The size of a text is not worth counting unless it may be too large for the row. */
function countLarge(text: string | undefined): number | undefined {
  return text !== undefined && isLargerThan(text, inlineBytes) ? countBytes(text) : undefined
}

function wholeNumber(value: number | undefined): string | undefined {
  return value !== undefined && Number.isSafeInteger(value) ? String(value) : undefined
}

/** The error as JSON text; data that is not JSON after all is left out rather than losing the row. */
function writeError(error: LoggedError): string {
  const { code, message, data } = error
  try {
    return toStoredText(JSON.stringify({ code, message, data }))
  } catch {
    return toStoredText(JSON.stringify({ code, message }))
  }
}
