import type { ToolCallStatus, ToolStatistics } from '@toolcrib/registry'
import type { ClientBase } from 'pg'
import type { CallFilter } from './call-filter.ts'
import { listNamespaces } from './call-namespaces.ts'
import {
  countedCalls,
  findHours,
  type HourScope,
  hourMs,
  rollUpHour,
  inSumTransaction,
} from './statistics-hours.ts'
import { SqlValues } from './sql-values.ts'
import { toStoredText } from './stored-text.ts'
import { ToolStatisticsSum } from './tool-statistics.ts'

/** How statistics are read. */
export interface StatisticsRead {
  readonly schema: string
  readonly signal: AbortSignal | undefined
  /** Runs one piece of the work on a connection. */
  readonly read: <T>(
    work: (client: ClientBase) => Promise<T>,
    signal: AbortSignal | undefined,
  ) => Promise<T>
}

/** An hour is counted for good when it is over and calls have had some time to end. */
const settleMs = 600_000

interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Reads how tools have fared. Hours that are over come from the roll-up, which is brought up to date first; the rest
 * (the hour that runs, and what of an hour a query cuts off) is counted from the calls.
 */
export async function readStatistics(
  filter: CallFilter,
  { schema, signal, read }: StatisticsRead,
): Promise<ToolStatistics[]> {
  const scope = await read(async (client): Promise<HourScope & { now: number }> => {
    const { rows } = await client.query<{ now: number }>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
    )
    const all = await listNamespaces(client, schema)
    return { schema, namespaces: all, now: rows[0]?.now ?? 0 }
  }, signal)
  const { whole, parts } = cutByHours(filter, scope.now)
  const hours =
    whole === undefined
      ? []
      : await read((client) => findHours(client, { ...scope, ...whole }), signal)
  for (const { hour, isCounted } of hours)
    if (!isCounted)
      // oxlint-disable-next-line no-await-in-loop -- a short transaction for each, and a look at the signal before each
      await read((client) => rollUpHour(client, hour, scope), signal)
  const wanted =
    filter.namespace === undefined
      ? scope.namespaces
      : scope.namespaces.filter((name) => name === toStoredText(filter.namespace ?? ''))
  const sum = new ToolStatisticsSum()
  const isWhole = filter.toolName === undefined && wanted.length === scope.namespaces.length
  const adding = { schema, wanted, filter, sum }
  await read(
    (client) =>
      inSumTransaction(client, async () => {
        await addCounted(client, { ...adding, hours: hours.map(({ hour }) => hour) })
        await addParts(client, { ...adding, parts, isWhole })
      }),
    signal,
  )
  return sum.read()
}

/** Which whole hours a query spans that are over, and what is left before and after them. */
function cutByHours(
  { since = 0, until = Infinity }: CallFilter,
  now: number,
): { whole?: Span; parts: readonly Span[] } {
  const settled = Math.floor((now - settleMs) / hourMs) * hourMs
  const from = Math.max(0, Math.ceil(Math.max(0, since) / hourMs) * hourMs)
  const to = Math.min(settled, Math.floor(until / hourMs) * hourMs)
  if (from >= to) return { parts: [{ from: since, to: until }] }
  const parts = [
    { from: since, to: from },
    { from: to, to: until },
  ].filter((part) => part.from < part.to)
  return { whole: { from, to }, parts }
}

interface Adding {
  readonly schema: string
  readonly wanted: readonly string[]
  readonly filter: CallFilter
  readonly sum: ToolStatisticsSum
}

async function addCounted(
  client: ClientBase,
  { schema, wanted, filter, sum, hours }: Adding & { readonly hours: readonly string[] },
): Promise<void> {
  if (hours.length === 0 || wanted.length === 0) return
  const values = new SqlValues()
  const conditions = [
    `h.hour = any(${values.add(hours)}::timestamptz[])`,
    `h.namespace = any(${values.add(wanted)}::text[])`,
    ...(filter.toolName === undefined
      ? []
      : [`h.tool_name = ${values.add(toStoredText(filter.toolName))}::text`]),
  ].join(' and ')
  const { rows } = await client.query<{ toolName: string; status: ToolCallStatus; calls: number }>(
    `select h.tool_name as "toolName", h.status, sum(h.calls)::float8 as calls
       from ${schema}.call_hour_statistics h where ${conditions} group by 1, 2`,
    values.list,
  )
  for (const { toolName, status, calls } of rows) sum.addCalls(toolName, status, calls)
  const durations = await client.query<{ toolName: string; bucket: number; calls: number }>(
    `select h.tool_name as "toolName", b.bucket, sum(b.calls)::float8 as calls
       from ${schema}.call_hour_statistics h
      cross join lateral unnest(h.buckets, h.counts) as b(bucket, calls)
      where ${conditions} group by 1, 2`,
    values.list,
  )
  for (const { toolName, bucket, calls } of durations.rows)
    sum.addDurations(toolName, bucket, calls)
}

async function addParts(
  client: ClientBase,
  {
    schema,
    wanted,
    filter,
    sum,
    parts,
    isWhole,
  }: Adding & {
    readonly parts: readonly Span[]
    readonly isWhole: boolean
  },
): Promise<void> {
  for (const { from, to } of parts) {
    const values = new SqlValues()
    const span = { schema, from, to, namespaces: wanted, toolName: filter.toolName, isWhole }
    const counted = countedCalls(span, values)
    // oxlint-disable-next-line no-await-in-loop -- one connection takes one statement at a time
    const { rows } = await client.query<{
      toolName: string
      status: ToolCallStatus
      bucket: number | null
      calls: number
    }>(
      `select tool_name as "toolName", status, bucket, sum(calls)::float8 as calls from (${counted}) counted group by 1, 2, 3`,
      values.list,
    )
    for (const { toolName, status, bucket, calls } of rows) {
      sum.addCalls(toolName, status, calls)
      if (bucket !== null) sum.addDurations(toolName, bucket, calls)
    }
  }
}
