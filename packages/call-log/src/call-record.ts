import type { LoggedError, LoggedToolCall } from '@toolcrib/registry'
import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { dropUndefined } from './drop-undefined.ts'
import type { createCallLogTables } from './tables.ts'

type ToolCalls = ReturnType<typeof createCallLogTables>['toolCalls']

/** The three rows of a call, side by side. */
export interface CallColumns {
  readonly start: ToolCalls
  readonly end: ToolCalls
  readonly late: ToolCalls
}

const milliseconds = (column: AnyPgColumn): SQL<number | null> =>
  sql<number | null>`(extract(epoch from ${column}) * 1000)::float8`

const beginning = (column: AnyPgColumn, characters: number | undefined): SQL<string | null> =>
  characters === undefined
    ? sql<string | null>`${column}`
    : sql<string | null>`left(${column}, ${characters})`

/** What is read of a call; texts are cut when a number of characters is given. */
export function selectColumns({ start, end, late }: CallColumns, characters: number | undefined) {
  return {
    callId: start.callId,
    namespace: start.namespace,
    toolName: start.toolName,
    toolVersion: start.toolVersion,
    toolHash: start.toolHash,
    approvalId: start.approvalId,
    principalKind: start.principalKind,
    principalId: start.principalId,
    hostId: start.hostId,
    traceId: start.traceId,
    spanId: start.spanId,
    parentCallId: start.parentCallId,
    sessionId: start.sessionId,
    toolCallId: start.toolCallId,
    startedAt: milliseconds(start.at),
    inputText: beginning(start.input, characters),
    status: end.status,
    endedAt: milliseconds(end.at),
    durationMs: end.durationMs,
    outputText: beginning(end.output, characters),
    // Writers count only large texts; what is kept in the row is counted here.
    outputBytes: sql<
      number | null
    >`coalesce(${end.outputBytes}, octet_length(${end.output}))::float8`,
    truncated: end.truncated,
    error: end.error,
    mayStillBeRunning: end.mayStillBeRunning,
    lateStatus: late.status,
    lateEndedAt: milliseconds(late.at),
    lateDurationMs: late.durationMs,
    lateOutputText: beginning(late.output, characters),
    lateOutputBytes: late.outputBytes,
    lateError: late.error,
  }
}

type Columns = ReturnType<typeof selectColumns>
type Value<Column> =
  Column extends SQL<infer T>
    ? T
    : Column extends { readonly _: { readonly data: infer T } }
      ? T | null
      : never

/** A call as the database gives it. */
export type CallRecord = { readonly [Key in keyof Columns]: Value<Columns[Key]> }

/** Makes a logged call of what the database gave. */
export function toLoggedCall(row: CallRecord): LoggedToolCall {
  return dropUndefined({
    callId: row.callId ?? '',
    namespace: row.namespace ?? '',
    toolName: row.toolName ?? '',
    toolVersion: row.toolVersion ?? undefined,
    toolHash: row.toolHash ?? undefined,
    approvalId: row.approvalId ?? undefined,
    principal: {
      kind: (row.principalKind ?? 'service') as LoggedToolCall['principal']['kind'],
      id: row.principalId ?? '',
    },
    status: row.status ?? 'started',
    startedAt: row.startedAt ?? 0,
    endedAt: row.endedAt ?? undefined,
    durationMs: row.durationMs ?? undefined,
    inputText: row.inputText ?? '',
    outputText: row.outputText ?? undefined,
    outputBytes: row.outputBytes ?? undefined,
    truncated: row.truncated ?? undefined,
    error: readError(row.error),
    mayStillBeRunning: row.mayStillBeRunning ?? undefined,
    traceId: row.traceId ?? undefined,
    spanId: row.spanId ?? undefined,
    parentCallId: row.parentCallId ?? undefined,
    sessionId: row.sessionId ?? undefined,
    toolCallId: row.toolCallId ?? undefined,
    hostId: row.hostId ?? undefined,
    late: toLate(row),
  })
}

function toLate(row: CallRecord): LoggedToolCall['late'] | undefined {
  if (row.lateStatus === null || row.lateEndedAt === null) return undefined
  return dropUndefined({
    status: row.lateStatus === 'completed' ? ('completed' as const) : ('failed' as const),
    endedAt: row.lateEndedAt,
    durationMs: row.lateDurationMs ?? 0,
    outputText: row.lateOutputText ?? undefined,
    error: readError(row.lateError),
  })
}

function readError(text: string | null): LoggedError | undefined {
  if (text === null) return undefined
  try {
    return JSON.parse(text) as LoggedError
  } catch {
    return { code: 'UNKNOWN', message: text }
  }
}
