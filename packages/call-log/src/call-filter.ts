import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { CheckedQuery } from './call-query.ts'
import type { CallColumns } from './call-record.ts'
import { latestTime } from './start-check.ts'
import { toStoredText, toTimestamp } from './stored-text.ts'

/** The conditions of a query. */
export function filterCalls(
  query: Partial<CheckedQuery>,
  { start, end }: CallColumns,
): (SQL | undefined)[] {
  return [
    eq(start.kind, 's'),
    same(start.namespace, query.namespace),
    same(start.toolName, query.toolName),
    same(start.traceId, query.traceId),
    same(start.parentCallId, query.parentCallId),
    same(start.sessionId, query.sessionId),
    query.since === undefined ? undefined : sql`${start.at} >= ${moment(query.since)}`,
    query.until === undefined ? undefined : sql`${start.at} < ${moment(query.until)}`,
    filterStatus(query.statuses, { end }),
  ]
}

/** The condition that a page begins where the one before ended. */
export function filterAfter(query: CheckedQuery, { start }: CallColumns): SQL | undefined {
  if (query.after === undefined) return undefined
  const place = sql`(${moment(query.after.startedAt)}, ${query.after.callId}::uuid)`
  return query.newestFirst
    ? sql`(${start.at}, ${start.callId}) < ${place}`
    : sql`(${start.at}, ${start.callId}) > ${place}`
}

const same = (column: Parameters<typeof eq>[0], value: string | undefined): SQL | undefined =>
  value === undefined ? undefined : eq(column, toStoredText(value))

/** Times beyond what a row can carry filter like the nearest one that it can. */
function moment(milliseconds: number): SQL {
  if (milliseconds > latestTime) return sql`'infinity'::timestamptz`
  return sql`${toTimestamp(Math.max(0, milliseconds))}::timestamptz`
}

function filterStatus(
  statuses: CheckedQuery['statuses'],
  { end }: Pick<CallColumns, 'end'>,
): SQL | undefined {
  if (statuses === undefined) return undefined
  const ended = statuses.filter((status) => status !== 'started')
  const isRunning = isNull(end.status)
  if (ended.length === statuses.length)
    return ended.length === 0 ? sql`false` : inArray(end.status, ended)
  return ended.length === 0 ? isRunning : or(isRunning, and(inArray(end.status, ended)))
}
