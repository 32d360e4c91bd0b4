import type { CheckedQuery } from './call-query.ts'
import type { SqlValues } from './sql-values.ts'
import { latestTime } from './start-check.ts'
import { toStoredText, toTimestamp } from './stored-text.ts'

/** The plain filters of a query. */
export type CallFilter = Omit<CheckedQuery, 'statuses' | 'newestFirst' | 'limit' | 'after'>

const columns = {
  namespace: 'namespace',
  toolName: 'tool_name',
  traceId: 'trace_id',
  parentCallId: 'parent_call_id',
  sessionId: 'session_id',
} as const

/** What calls belong to, the narrowest first: where one is given, its index is the one to read. */
const belongings = ['parentCallId', 'traceId', 'sessionId'] as const

/**
 * The conditions of a query on rows of the table `alias`, whose calls started at `time`. They hold for start rows and
 * for terminal rows of calls that did not complete. A condition that is only to be checked, because rows are found by a
 * narrower one, is written so that no index serves it; the server
 * still knows how many rows it leaves.
 */
export function filterRows(
  filter: CallFilter,
  { alias, time, values }: { alias: string; time: string; values: SqlValues },
): string[] {
  const narrowest = belongings.find((field) => filter[field] !== undefined)
  const isChecked = (field: string): boolean =>
    narrowest !== undefined && field !== narrowest && field !== 'toolName'
  const conditions = Object.entries(columns).flatMap(([field, column]) => {
    const wanted = filter[field as keyof typeof columns]
    if (wanted === undefined) return []
    const value = `${values.add(toStoredText(wanted))}::text`
    return isChecked(field)
      ? [`not (${alias}.${column} is distinct from ${value})`]
      : [`${alias}.${column} = ${value}`]
  })
  if (filter.since !== undefined)
    conditions.push(`${alias}.${time} >= ${values.add(toMoment(filter.since))}::timestamptz`)
  if (filter.until !== undefined)
    conditions.push(`${alias}.${time} < ${values.add(toMoment(filter.until))}::timestamptz`)
  return conditions
}

/** Writes a time; those beyond what a row can carry filter like the nearest one that it can. */
export function toMoment(milliseconds: number): string {
  return milliseconds > latestTime ? 'infinity' : toTimestamp(Math.max(0, milliseconds))
}
