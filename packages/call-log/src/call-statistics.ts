import type { ToolCallStatus, ToolStatistics } from '@toolcrib/registry'
import { type SQL, sql } from 'drizzle-orm'
import type { CallColumns } from './call-record.ts'
import { dropUndefined } from './drop-undefined.ts'

/** What is counted of each tool. */
export function statisticsColumns({ start, end }: CallColumns) {
  const count = (status: ToolCallStatus): SQL<number> =>
    sql<number>`(count(*) filter (where ${end.status} = ${status}))::int`
  return {
    toolName: start.toolName,
    calls: sql<number>`count(*)::int`,
    completed: count('completed'),
    failed: count('failed'),
    timedOut: count('timed_out'),
    cancelled: count('cancelled'),
    interrupted: count('interrupted'),
    running: sql<number>`(count(*) filter (where ${end.status} is null))::int`,
    percentiles: sql<
      number[] | null
    >`percentile_cont(array[0.5, 0.95, 0.99]) within group (order by ${end.durationMs})`,
  }
}

interface CountedTool extends Omit<ToolStatistics, 'p50Ms' | 'p95Ms' | 'p99Ms'> {
  readonly percentiles: number[] | null
}

/** Makes statistics of what the database counted. */
export function toStatistics({ percentiles, ...counts }: CountedTool): ToolStatistics {
  const [p50Ms, p95Ms, p99Ms] = percentiles ?? []
  return { ...counts, ...dropUndefined({ p50Ms, p95Ms, p99Ms }) }
}
