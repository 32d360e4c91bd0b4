import {
  type CallLog,
  type LoggedToolCall,
  type ToolCallPage,
  type ToolCallQuery,
  ToolError,
} from '@toolcrib/registry'
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { alias, type PgDatabase, type PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { writeCursor } from './call-cursor.ts'
import { filterAfter, filterCalls } from './call-filter.ts'
import { checkQuery, confine } from './call-query.ts'
import { type CallColumns, type CallRecord, selectColumns, toLoggedCall } from './call-record.ts'
import { statisticsColumns, toStatistics } from './call-statistics.ts'
import { describeCause, logError } from './log-error.ts'
import { isCallId } from './start-check.ts'
import { createCallLogTables } from './tables.ts'
import { inlineBytes, previewCharacters } from './text-limits.ts'

/** The reading half of a call log. */
export type CallReader = Pick<CallLog, 'query' | 'get' | 'readOutput' | 'statistics'>

/** The database as drizzle sees it, through any of its drivers. */
export type LogDatabase = PgDatabase<PgQueryResultHKT>

/** Makes the reader of one log. */
export function createCallReader(
  database: LogDatabase,
  { schema, namespace }: { readonly schema: string; readonly namespace?: string | undefined },
): CallReader {
  const { toolCalls, toolCallTexts } = createCallLogTables(schema)
  const named = (name: string): typeof toolCalls =>
    alias(toolCalls, name) as unknown as typeof toolCalls
  const tables: CallColumns = { start: named('s'), end: named('e'), late: named('l') }
  const { start, end, late } = tables

  const select = (characters: number | undefined) =>
    database
      .select(selectColumns(tables, characters))
      .from(start)
      .leftJoin(end, and(eq(end.callId, start.callId), eq(end.kind, 'e')))
      .leftJoin(late, and(eq(late.callId, start.callId), eq(late.kind, 'l')))
      .$dynamic()
  const isOwn = (callId: string): SQL | undefined =>
    and(
      eq(start.kind, 's'),
      eq(start.callId, callId),
      namespace === undefined ? undefined : eq(start.namespace, namespace),
    )
  const readOne = async (callId: string): Promise<CallRecord | undefined> => {
    const rows: readonly CallRecord[] = await select(undefined).where(isOwn(callId))
    return rows.at(0)
  }
  const readText = async (callId: string, kind: 's' | 'e' | 'l'): Promise<string | undefined> => {
    const [found] = await database
      .select({ content: toolCallTexts.content })
      .from(toolCallTexts)
      .where(and(eq(toolCallTexts.callId, callId), eq(toolCallTexts.kind, kind)))
    return found?.content
  }

  const query = async (asked: ToolCallQuery = {}): Promise<ToolCallPage> => {
    const checked = checkQuery(asked, namespace)
    const direction = checked.newestFirst ? desc : asc
    const rows = await select(previewCharacters)
      .where(and(...filterCalls(checked, tables), filterAfter(checked, tables)))
      .orderBy(direction(start.at), direction(start.callId))
      .limit(checked.limit + 1)
    const calls = rows.slice(0, checked.limit).map((row) => toLoggedCall(row))
    const last = calls.at(-1)
    return last !== undefined && rows.length > checked.limit
      ? { calls, nextCursor: writeCursor(last) }
      : { calls }
  }
  const get = async (callId: string): Promise<LoggedToolCall | undefined> => {
    if (!isCallId(callId)) return undefined
    const row = await readOne(callId)
    if (row === undefined) return undefined
    const whole = isPreview(row.inputText) ? await readText(callId, 's') : undefined
    return toLoggedCall(whole === undefined ? row : { ...row, inputText: whole })
  }
  const readOutput = async (callId: string): Promise<string | undefined> => {
    if (!isCallId(callId)) return undefined
    const row = await readOne(callId)
    if (row === undefined) return undefined
    const inline = row.outputText ?? row.lateOutputText
    if (inline === null) return undefined
    if (!isPreview(inline)) return inline
    const whole = await readText(callId, row.outputText === null ? 'l' : 'e')
    if (whole !== undefined) return whole
    // Larger than the log was told to keep: the beginning is not passed off as the whole.
    return (row.outputBytes ?? row.lateOutputBytes ?? 0) > inlineBytes ? undefined : inline
  }
  const statistics: CallLog['statistics'] = async (asked = {}) => {
    const checked = confine(asked, namespace)
    const rows = await database
      .select(statisticsColumns(tables))
      .from(start)
      .leftJoin(end, and(eq(end.callId, start.callId), eq(end.kind, 'e')))
      .where(and(...filterCalls(checked, tables)))
      .groupBy(start.toolName)
      .orderBy(sql`${start.toolName} collate "C"`)
    return rows.map(toStatistics)
  }
  return {
    query: (asked) => readable(() => query(asked), asked?.signal),
    get: (callId) => readable(() => get(callId)),
    readOutput: (callId) => readable(() => readOutput(callId)),
    statistics: (asked) => readable(() => statistics(asked)),
  }
}

/** Tells whether a text may be the beginning of a larger one. */
function isPreview(text: string | null): boolean {
  return (
    text !== null && (text.length === previewCharacters || text.length === previewCharacters - 1)
  )
}

/** Names failures of the database, and stops waiting when the signal is aborted. */
export async function readable<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted()
  const { promise: aborted, reject: abort } = Promise.withResolvers<never>()
  const onAbort = (): void => abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([read(), aborted])
  } catch (error) {
    if (signal?.aborted === true || ToolError.is(error)) throw error
    // drizzle wraps the driver's error together with the whole statement.
    const cause = (error as Error).cause ?? error
    throw logError('LOG_READ_FAILED', `The call log could not be read: ${describeCause(cause)}.`, {
      cause,
    })
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
