import type { ToolStatistics } from '@toolcrib/registry'
import { dropUndefined } from './drop-undefined.ts'

/** What statistics need of one call. */
export interface CountedCall {
  readonly toolName: string
  readonly status: string
  readonly durationMs: number | undefined
}

/** Counts calls by tool, sorted by name. Percentiles interpolate, as `percentile_cont` of Postgres does. */
export function computeStatistics(calls: Iterable<CountedCall>): ToolStatistics[] {
  const byTool = Map.groupBy(calls, (call) => call.toolName)
  return [...byTool]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([toolName, ofTool]) => countTool(toolName, ofTool))
}

function countTool(toolName: string, calls: readonly CountedCall[]): ToolStatistics {
  const count = (status: string): number => calls.filter((call) => call.status === status).length
  const durations = calls
    .flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]))
    .toSorted((left, right) => left - right)
  return dropUndefined({
    toolName,
    calls: calls.length,
    completed: count('completed'),
    failed: count('failed'),
    timedOut: count('timed_out'),
    cancelled: count('cancelled'),
    interrupted: count('interrupted'),
    running: count('started'),
    p50Ms: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
    p99Ms: percentile(durations, 0.99),
  })
}

function percentile(sorted: readonly number[], fraction: number): number | undefined {
  const position = (sorted.length - 1) * fraction
  const low = sorted[Math.floor(position)]
  const high = sorted[Math.ceil(position)]
  if (low === undefined || high === undefined) return undefined
  return low + (high - low) * (position - Math.floor(position))
}
