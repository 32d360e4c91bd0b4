import { createMemoryCallLog } from '../src/memory.ts'
import { makeBenchCall } from './bench-call.ts'
import { type BenchRow, median } from './bench-row.ts'

/** What one row costs in the memory log. */
export async function benchMemory(): Promise<BenchRow[]> {
  const calls = Array.from({ length: 100_000 }, makeBenchCall)
  const times: number[] = []
  for (let round = 0; round < 7; round += 1) {
    const log = createMemoryCallLog()
    const startedAt = performance.now()
    for (const { start, end } of calls) {
      void log.logToolStart(start)
      void log.logToolComplete(end)
    }
    times.push(((performance.now() - startedAt) * 1000) / (calls.length * 2))
  }
  const microseconds = median(times)
  return [
    {
      name: 'memory: one row',
      value: microseconds,
      unit: 'µs',
      goal: '≤ 0.3',
      met: microseconds <= 0.3,
    },
  ]
}
