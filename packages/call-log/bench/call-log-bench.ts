import type { BenchRow } from './bench-row.ts'
import { benchMemory } from './memory-bench.ts'
import { benchPglite } from './pglite-bench.ts'
import { benchPostgres } from './postgres-bench.ts'

/** Measures the three logs; about two minutes. Everything is compared with something measured in the same run. */
export async function runCallLogBench(): Promise<BenchRow[]> {
  return [...(await benchMemory()), ...(await benchPostgres()), ...(await benchPglite())]
}

if (import.meta.main)
  for (const { name, value, unit, goal, met } of await runCallLogBench()) {
    const shown = value >= 100 ? value.toFixed(0) : value.toFixed(2)
    const verdict = goal === undefined ? '' : `   goal ${goal}: ${met === true ? 'met' : 'MISSED'}`
    process.stdout.write(`${name.padEnd(62)} ${shown.padStart(9)} ${unit}${verdict}\n`)
  }
