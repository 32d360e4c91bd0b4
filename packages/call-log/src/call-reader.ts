import {
  type CallLog,
  type LoggedToolCall,
  type ToolCallPage,
  type ToolCallQuery,
  ToolError,
} from '@toolcrib/registry'
import type { ClientBase, Pool } from 'pg'
import { writeCursor } from './call-cursor.ts'
import { findPage, isSpreadOverNamespaces } from './call-page.ts'
import { checkQuery, confine } from './call-query.ts'
import {
  type CallRecord,
  type CallRecords,
  groupRecords,
  selectRecord,
  toLoggedCall,
} from './call-record.ts'
import { listNamespaces } from './call-namespaces.ts'
import { readStatistics } from './call-statistics.ts'
import { describeCause, logError } from './log-error.ts'
import { withClient } from './pooled-client.ts'
import { isCallId } from './start-check.ts'
import { inlineBytes, previewCharacters } from './text-limits.ts'

/** The reading half of a call log. */
export type CallReader = Pick<CallLog, 'query' | 'get' | 'readOutput' | 'statistics'>

/** What the reader of one log works with. */
export interface CallReaderOptions {
  readonly pool: Pool
  readonly schema: string
  readonly namespace?: string | undefined
  /** Since when a call may be open, in milliseconds since the epoch. */
  readonly openSince: () => number
}

/** How long one read may take, in milliseconds; statistics of many hours are read hour by hour. */
const readTimeoutMs = 60_000

/** Makes the reader of one log. */
export function createCallReader({
  pool,
  schema,
  namespace,
  openSince,
}: CallReaderOptions): CallReader {
  const table = `${schema}.tool_calls`
  const read = <T>(
    work: (client: ClientBase) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> =>
    readable(() => withClient(pool, { timeoutMs: readTimeoutMs, signal }, work), signal)

  const readCalls = async (
    client: ClientBase,
    callIds: readonly string[],
    characters: number | undefined,
  ): Promise<Map<string, CallRecords>> => {
    const { rows } = await client.query<CallRecord>(
      `select ${selectRecord(characters)} from ${table} where call_id = any($1::uuid[])`,
      [callIds],
    )
    return groupRecords(rows)
  }
  const readOne = async (client: ClientBase, callId: string): Promise<CallRecords | undefined> => {
    const call = (await readCalls(client, [callId], undefined)).get(callId)
    return namespace === undefined || call?.start.namespace === namespace ? call : undefined
  }
  const readText = async (
    client: ClientBase,
    { callId, kind }: CallRecord,
  ): Promise<string | undefined> => {
    const { rows } = await client.query<{ content: string }>(
      `select content from ${schema}.tool_call_texts where call_id = $1 and kind = $2`,
      [callId, kind],
    )
    return rows[0]?.content
  }

  const query = async (asked: ToolCallQuery = {}): Promise<ToolCallPage> => {
    const checked = checkQuery(asked, namespace)
    if (checked.statuses?.length === 0) return { calls: [] }
    return read(async (client) => {
      const namespaces = isSpreadOverNamespaces(checked) ? await listNamespaces(client, schema) : []
      const { text, values } = findPage(checked, { schema, namespaces, openSince: openSince() })
      const { rows } = await client.query<{ callId: string; startedAt: number }>(text, values)
      const page = rows.slice(0, checked.limit)
      const last = page.at(-1)
      if (last === undefined) return { calls: [] }
      const found = await readCalls(
        client,
        page.map(({ callId }) => callId),
        previewCharacters,
      )
      const calls = page.flatMap(({ callId }) => {
        const call = found.get(callId)
        return call === undefined ? [] : [toLoggedCall(call)]
      })
      return rows.length > checked.limit ? { calls, nextCursor: writeCursor(last) } : { calls }
    }, asked.signal)
  }
  const get: CallReader['get'] = async (callId, { signal } = {}) => {
    if (!isCallId(callId)) return undefined
    return read(async (client): Promise<LoggedToolCall | undefined> => {
      const call = await readOne(client, callId)
      if (call === undefined) return undefined
      const { start, end, late } = call
      const whole = isPreview(start.input) ? await readText(client, start) : undefined
      return toLoggedCall({
        start: whole === undefined ? start : { ...start, input: whole },
        ...(end === undefined ? {} : { end }),
        ...(late === undefined ? {} : { late }),
      })
    }, signal)
  }
  const readOutput: CallReader['readOutput'] = async (callId, { signal } = {}) => {
    if (!isCallId(callId)) return undefined
    return read(async (client) => {
      const call = await readOne(client, callId)
      const row = [call?.end, call?.late].find((one) => (one?.output ?? null) !== null)
      if (row === undefined || row.output === null) return undefined
      if (!isPreview(row.output)) return row.output
      const whole = await readText(client, row)
      if (whole !== undefined) return whole
      // Larger than the log was told to keep: the beginning is not passed off as the whole.
      return (row.outputBytes ?? 0) > inlineBytes ? undefined : row.output
    }, signal)
  }
  const statistics: CallReader['statistics'] = async (asked = {}) => {
    const filter = confine(asked, namespace)
    return readStatistics(filter, { schema, signal: asked.signal, read })
  }
  return { query, get, readOutput, statistics }
}

/** Tells whether a text may be the beginning of a larger one. */
function isPreview(text: string | null): boolean {
  return (
    text !== null && (text.length === previewCharacters || text.length === previewCharacters - 1)
  )
}

/** Names failures of the database. */
async function readable<T>(read: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (signal?.aborted === true || ToolError.is(error)) throw error
    throw logError('LOG_READ_FAILED', `The call log could not be read: ${describeCause(error)}.`, {
      cause: error,
    })
  }
}
