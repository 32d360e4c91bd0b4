/** The call log in memory, on PGlite and on a real Postgres; the measuring is the package's own. */
import type { BenchRow } from '../packages/call-log/bench/bench-row.ts'
import { runCallLogBench } from '../packages/call-log/bench/call-log-bench.ts'
import type { BenchmarkRow } from './benchmark-row.ts'

export async function run(): Promise<BenchmarkRow[]> {
  const measured = await runCallLogBench()
  return measured.map((row) => toRow(row))
}

function toRow({ name, value, unit, goal, met }: BenchRow): BenchmarkRow {
  const row = { part: 'call-log', what: name, value, unit }
  return goal === undefined ? row : { ...row, goal: judge(name, goal, met === true) }
}

function judge(name: string, text: string, isMet: boolean): NonNullable<BenchmarkRow['goal']> {
  const limitedBy = limits.find(([beginning]) => name.startsWith(beginning))?.[1]
  return { text, isMet, ...(limitedBy === undefined ? {} : { limitedBy }) }
}

/** What holds a line back, by the beginning of its name; the first that fits. */
const limits: readonly (readonly [string, string])[] = [
  ['memory', 'two checks and two entries of a Map'],
  ['Postgres, 1 at', 'each row is a commit of its own, as with plain inserts'],
  ['Postgres', 'client and server share the processor with everything else that runs'],
  ['PGlite: memory', 'WebAssembly memory never shrinks'],
  ['PGlite', 'the time of WebAssembly on this processor'],
]
