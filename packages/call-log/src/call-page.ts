import type { ToolCallStatus } from '@toolcrib/registry'
import { filterRows, toMoment } from './call-filter.ts'
import type { CheckedQuery } from './call-query.ts'
import { SqlValues } from './sql-values.ts'

/** A statement and its values. */
export interface SqlStatement {
  readonly text: string
  readonly values: unknown[]
}

/** What a page is read with. */
export interface PageScope {
  readonly schema: string
  /** Every namespace that there is, where the query names none: rows are in order only within one. */
  readonly namespaces: readonly string[]
  /** Calls that started before this time, in milliseconds, and are this host's are taken to be over. */
  readonly openSince: number
}

type Source = (page: PageParts) => string

interface PageParts {
  readonly query: CheckedQuery
  readonly scope: PageScope
  readonly values: SqlValues
}

/**
 * The statement that finds the calls of a page, in order: ids and times of start alone. Each status is looked for where
 * it lies in order, so that what is read is about what is shown: what did not complete among the terminal rows, the rest
 * among the start rows. A terminal row is looked up by its call's id, in the only partition where it can be.
 */
export function findPage(query: CheckedQuery, scope: PageScope): SqlStatement {
  const page: PageParts = { query, scope, values: new SqlValues() }
  const sources = [...new Set(query.statuses ?? [undefined])].map((status) =>
    sourceOf(status)(page),
  )
  const [only] = sources
  const direction = query.newestFirst ? 'desc' : 'asc'
  const found =
    sources.length === 1 && only !== undefined
      ? only
      : `select call_id, at from (${sources.map((source) => `(${source})`).join(' union all ')}) sources
          order by at ${direction}, call_id ${direction} limit ${query.limit + 1}`
  return {
    text: `select call_id as "callId", (extract(epoch from at) * 1000)::float8 as "startedAt" from (${found}) page
            order by at ${direction}, call_id ${direction}`,
    values: page.values.list,
  }
}

function sourceOf(status: ToolCallStatus | undefined): Source {
  if (status === undefined) return (page) => rowsInOrder(page, starts(page))
  if (status === 'started') return (page) => rowsInOrder(page, openStarts(page))
  if (status === 'completed') return (page) => rowsInOrder(page, completedStarts(page))
  return (page) => rowsInOrder(page, troubles(page, status))
}

/** Rows that a source reads: from where, which, and by what time they are in order. */
interface SourceRows {
  readonly from: string
  readonly alias: string
  readonly time: string
  readonly conditions: readonly string[]
}

/** Terminal rows of a call, by its id. `limit` keeps this a look-up: as a join it may become a scan of everything. */
const endOf = (schema: string, condition = ''): string =>
  `(select 1 as found from ${schema}.tool_calls e where e.call_id = r.call_id and e.kind = 'e'${condition} limit 1)`

const starts = ({ scope }: PageParts): SourceRows => ({
  from: `${scope.schema}.tool_calls r`,
  alias: 'r',
  time: 'at',
  conditions: [`r.kind = 's'`],
})

function completedStarts(page: PageParts): SourceRows {
  const rows = starts(page)
  const end = endOf(page.scope.schema, ` and e.status = 'completed'`)
  return { ...rows, conditions: [...rows.conditions, `${end} is not null`] }
}

/** Only a living host has open calls, and none that started before the oldest that it knows to be open. */
function openStarts(page: PageParts): SourceRows {
  const rows = starts(page)
  const { schema, openSince } = page.scope
  const since = page.values.add(toMoment(openSince))
  const living = `from ${schema}.hosts where swept_at is null`
  return {
    ...rows,
    conditions: [
      ...rows.conditions,
      `r.host_id = any(array(select host_id ${living}))`,
      `r.at >= (select least(${since}::timestamptz, min(oldest_open_at)) ${living})`,
      `${endOf(schema)} is null`,
    ],
  }
}

const troubles = ({ scope, values }: PageParts, status: ToolCallStatus): SourceRows => ({
  from: `${scope.schema}.tool_calls r`,
  alias: 'r',
  time: 'started_at',
  conditions: [
    `r.kind = 'e'`,
    `r.status <> 'completed'`,
    `r.status = ${values.add(status)}::text`,
    // A terminal row of a call that never had a start row is none of a call.
    'r.started_at is not null',
  ],
})

function rowsInOrder({ query, scope, values }: PageParts, rows: SourceRows): string {
  const { alias, time } = rows
  const direction = query.newestFirst ? 'desc' : 'asc'
  const conditions = [...rows.conditions, ...filterRows(query, { alias, time, values })]
  if (query.after !== undefined)
    conditions.push(
      `(${alias}.${time}, ${alias}.call_id) ${query.newestFirst ? '<' : '>'} (${values.add(toMoment(query.after.startedAt))}::timestamptz, ${values.add(query.after.callId)}::uuid)`,
    )
  const select = (more: readonly string[]): string =>
    `select ${alias}.call_id, ${alias}.${time} as at from ${rows.from}
      where ${[...conditions, ...more].join(' and ')}
      order by ${alias}.${time} ${direction}, ${alias}.call_id ${direction} limit ${query.limit + 1}`
  if (!isSpreadOverNamespaces(query)) return select([])
  const namespaces = values.add(scope.namespaces)
  return `select one.call_id, one.at from unnest(${namespaces}::text[]) as n(namespace)
    cross join lateral (${select([`${alias}.namespace = n.namespace`])}) one
    order by one.at ${direction}, one.call_id ${direction} limit ${query.limit + 1}`
}

/** Tells whether rows that match lie in order only namespace by namespace. */
export function isSpreadOverNamespaces(query: CheckedQuery): boolean {
  const { namespace, traceId, parentCallId, sessionId } = query
  return [namespace, traceId, parentCallId, sessionId].every((value) => value === undefined)
}
