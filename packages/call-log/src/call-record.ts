import type { LoggedError, LoggedToolCall, ToolCallStatus } from '@toolcrib/registry'
import { dropUndefined } from './drop-undefined.ts'
import type { CallRowKind } from './tables.ts'

/** A row of a call as the database gives it. */
export interface CallRecord {
  readonly callId: string
  readonly kind: CallRowKind
  readonly namespace: string
  readonly toolName: string
  readonly status: ToolCallStatus
  readonly hostId: string
  readonly at: number
  readonly toolVersion: number | null
  readonly toolHash: string | null
  readonly approvalId: string | null
  readonly principalKind: string | null
  readonly principalId: string | null
  readonly input: string | null
  readonly output: string | null
  readonly outputBytes: number | null
  readonly truncated: boolean | null
  readonly durationMs: number | null
  readonly error: string | null
  readonly mayStillBeRunning: boolean | null
  readonly traceId: string | null
  readonly spanId: string | null
  readonly parentCallId: string | null
  readonly sessionId: string | null
  readonly toolCallId: string | null
}

/** The rows of a call, side by side. */
export interface CallRecords {
  readonly start: CallRecord
  readonly end?: CallRecord
  readonly late?: CallRecord
}

const plainColumns = {
  callId: 'call_id',
  kind: 'kind',
  namespace: 'namespace',
  toolName: 'tool_name',
  status: 'status',
  hostId: 'host_id',
  toolHash: 'tool_hash',
  approvalId: 'approval_id',
  principalKind: 'principal_kind',
  principalId: 'principal_id',
  truncated: 'truncated',
  durationMs: 'duration_ms',
  error: 'error',
  mayStillBeRunning: 'may_still_be_running',
  traceId: 'trace_id',
  spanId: 'span_id',
  parentCallId: 'parent_call_id',
  sessionId: 'session_id',
  toolCallId: 'tool_call_id',
} as const

/** The list of what is read of a row; texts are cut when a number of characters is given. */
export function selectRecord(characters: number | undefined): string {
  const text = (column: string): string =>
    characters === undefined ? column : `left(${column}, ${characters})`
  return [
    ...Object.entries(plainColumns).map(([field, column]) => `${column} as "${field}"`),
    `(extract(epoch from at) * 1000)::float8 as "at"`,
    `tool_version::float8 as "toolVersion"`,
    `${text('input')} as "input"`,
    `${text('output')} as "output"`,
    // Writers count only large texts; what is kept in the row is counted here.
    `coalesce(output_bytes, octet_length(output))::float8 as "outputBytes"`,
  ].join(', ')
}

/** Puts rows together by call; calls without a start row are left out. */
export function groupRecords(rows: readonly CallRecord[]): Map<string, CallRecords> {
  const found = new Map<string, Partial<Record<CallRowKind, CallRecord>>>()
  for (const row of rows) found.set(row.callId, { ...found.get(row.callId), [row.kind]: row })
  const calls = new Map<string, CallRecords>()
  for (const [callId, { s: start, e: end, l: late }] of found)
    if (start !== undefined) calls.set(callId, dropUndefined({ start, end, late }))
  return calls
}

/** Makes a logged call of its rows. */
export function toLoggedCall({ start, end, late }: CallRecords): LoggedToolCall {
  return dropUndefined({
    callId: start.callId,
    namespace: start.namespace,
    toolName: start.toolName,
    toolVersion: start.toolVersion ?? undefined,
    toolHash: start.toolHash ?? undefined,
    approvalId: start.approvalId ?? undefined,
    principal: {
      kind: (start.principalKind ?? 'service') as LoggedToolCall['principal']['kind'],
      id: start.principalId ?? '',
    },
    status: end?.status ?? 'started',
    startedAt: start.at,
    endedAt: end?.at,
    durationMs: end?.durationMs ?? undefined,
    inputText: start.input ?? '',
    outputText: end?.output ?? undefined,
    outputBytes: end?.outputBytes ?? undefined,
    truncated: end?.truncated ?? undefined,
    error: readError(end),
    mayStillBeRunning: end?.mayStillBeRunning ?? undefined,
    traceId: start.traceId ?? undefined,
    spanId: start.spanId ?? undefined,
    parentCallId: start.parentCallId ?? undefined,
    sessionId: start.sessionId ?? undefined,
    toolCallId: start.toolCallId ?? undefined,
    hostId: start.hostId,
    late: late === undefined ? undefined : toLate(late),
  })
}

function toLate(late: CallRecord): NonNullable<LoggedToolCall['late']> {
  return dropUndefined({
    status: late.status === 'completed' ? ('completed' as const) : ('failed' as const),
    endedAt: late.at,
    durationMs: late.durationMs ?? 0,
    outputText: late.output ?? undefined,
    error: readError(late),
  })
}

function readError(row: CallRecord | undefined): LoggedError | undefined {
  const text = row?.error ?? undefined
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as LoggedError
  } catch {
    return { code: 'UNKNOWN', message: text }
  }
}
