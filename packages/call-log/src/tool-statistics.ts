import type { ToolCallStatus, ToolStatistics } from '@toolcrib/registry'
import { dropUndefined } from './drop-undefined.ts'
import {
  countDuration,
  type DurationHistogram,
  percentilesWithin,
  readPercentiles,
} from './duration-histogram.ts'

interface ToolCounts {
  readonly calls: Map<ToolCallStatus, number>
  readonly durations: DurationHistogram
}

/** Adds up how tools have fared, from calls or from sums of calls. */
export class ToolStatisticsSum {
  readonly #tools: Map<string, ToolCounts> = new Map()

  /** Adds calls of one tool that ended alike. */
  addCalls(toolName: string, status: ToolCallStatus, calls: number): void {
    const counts = this.#countsOf(toolName).calls
    counts.set(status, (counts.get(status) ?? 0) + calls)
  }

  /** Adds the durations of calls; only those of calls that ran count. */
  addDurations(toolName: string, bucket: number, calls: number): void {
    countDuration(this.#countsOf(toolName).durations, bucket, calls)
  }

  /** Returns the statistics, sorted by name. */
  read(): ToolStatistics[] {
    return [...this.#tools]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([toolName, { calls, durations }]) => {
        const count = (status: ToolCallStatus): number => calls.get(status) ?? 0
        const [p50Ms, p95Ms, p99Ms] = readPercentiles(durations, [0.5, 0.95, 0.99])
        return dropUndefined({
          toolName,
          calls: [...calls.values()].reduce((sum, one) => sum + one, 0),
          completed: count('completed'),
          failed: count('failed'),
          timedOut: count('timed_out'),
          cancelled: count('cancelled'),
          interrupted: count('interrupted'),
          running: count('started'),
          p50Ms,
          p95Ms,
          p99Ms,
          percentilesWithin: p50Ms === undefined ? undefined : percentilesWithin,
        })
      })
  }

  #countsOf(toolName: string): ToolCounts {
    let counts = this.#tools.get(toolName)
    if (counts === undefined) {
      counts = { calls: new Map(), durations: new Map() }
      this.#tools.set(toolName, counts)
    }
    return counts
  }
}
