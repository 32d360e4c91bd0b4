/** What calling a tool through the invoker costs, each case in processes of its own. */
import type { BenchmarkRow } from './benchmark-row.ts'
import { invokeCases } from './invoke-cases.ts'
import { runInChild } from './run-in-child.ts'

/** Odd, so that one of them is in the middle. */
const processes = 3

export async function run(): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = []
  for (const name of Object.keys(invokeCases)) rows.push(...(await runTypically(name)))
  return rows
}

/** What the compiler makes of the same code differs between processes: the one in the middle is taken, whole. */
async function runTypically(name: string): Promise<readonly BenchmarkRow[]> {
  const runs: BenchmarkRow[][] = []
  for (let index = 0; index < processes; index += 1)
    runs.push((await runInChild('invoke-cases.ts', [name])) as BenchmarkRow[])
  const sorted = runs.toSorted((left, right) => costOf(left) - costOf(right))
  return sorted[Math.floor(processes / 2)] ?? []
}

function costOf([first]: readonly BenchmarkRow[]): number {
  return first?.value ?? Number.NaN
}
