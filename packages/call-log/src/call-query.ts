import type { ToolCallQuery, ToolCallStatus } from '@toolcrib/registry'
import { type CallPosition, readCursor } from './call-cursor.ts'
import { logError } from './log-error.ts'

/** How many calls a page holds unless told, and at most. */
const defaultPageSize = 100
const maxPageSize = 1000

const statuses: readonly ToolCallStatus[] = [
  'started',
  'completed',
  'failed',
  'timed_out',
  'cancelled',
  'interrupted',
]

/** A query with its defaults filled in and its fields checked. */
export interface CheckedQuery {
  readonly namespace?: string | undefined
  readonly toolName?: string | undefined
  readonly statuses?: readonly ToolCallStatus[]
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly traceId?: string | undefined
  readonly parentCallId?: string | undefined
  readonly sessionId?: string | undefined
  readonly newestFirst: boolean
  readonly limit: number
  readonly after?: CallPosition
}

/**
 * Checks a query.
 *
 * @throws {ToolError} LOG_QUERY_INVALID when a field is out of range.
 */
export function checkQuery(query: ToolCallQuery, namespace?: string): CheckedQuery {
  const { limit = defaultPageSize, order = 'newest-first', status, cursor, since, until } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPageSize)
    refuse('limit', `must be a whole number from 1 to ${maxPageSize}`, limit)
  if (order !== 'newest-first' && order !== 'oldest-first')
    refuse('order', 'must be "newest-first" or "oldest-first"', order)
  const wanted = typeof status === 'string' ? [status] : status
  for (const entry of wanted ?? [])
    if (!statuses.includes(entry)) refuse('status', `must be one of ${statuses.join(', ')}`, entry)
  if (since !== undefined && Number.isNaN(since)) refuse('since', 'must be a number', since)
  if (until !== undefined && Number.isNaN(until)) refuse('until', 'must be a number', until)
  return {
    ...confine(query, namespace),
    newestFirst: order === 'newest-first',
    limit,
    ...(wanted === undefined ? {} : { statuses: wanted }),
    ...(cursor === undefined ? {} : { after: readCursor(cursor) }),
  }
}

/** The plain filters of a query. A log confined to a namespace never reads beyond it. */
export function confine(
  query: ToolCallQuery,
  namespace?: string,
): Pick<
  CheckedQuery,
  'namespace' | 'toolName' | 'since' | 'until' | 'traceId' | 'parentCallId' | 'sessionId'
> {
  const { toolName, since, until, traceId, parentCallId, sessionId } = query
  if (namespace !== undefined && query.namespace !== undefined && query.namespace !== namespace)
    refuse('namespace', `must be "${namespace}", to which this log is confined`, query.namespace)
  return {
    namespace: namespace ?? query.namespace,
    toolName,
    since,
    until,
    traceId,
    parentCallId,
    sessionId,
  }
}

function refuse(field: string, rule: string, value: unknown): never {
  const shown = String(value).slice(0, 100)
  throw logError('LOG_QUERY_INVALID', `Field ${field} ${rule}, and is "${shown}".`, {
    data: { field, value: shown },
  })
}
