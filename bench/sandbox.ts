/**
 * Calls in the sandbox beside other ways to run code, all in one run: `pnpm bench sandbox`, `--json` for rows. On a machine
 * with other work the CPU time says more than the rest.
 */
import { measureCalls, type CallFigures } from '../packages/sandbox/bench/measure-calls.ts'
import { measureMemory } from '../packages/sandbox/bench/memory.ts'
import { createOwn } from '../packages/sandbox/bench/own-contestant.ts'
import { plainContestants } from '../packages/sandbox/bench/plain-contestants.ts'
import type { BenchmarkGoal, BenchmarkRow } from './benchmark-row.ts'

const part = 'sandbox'
const own = '@toolcrib/sandbox, worker'

function atMost(value: number, limit: number, unit: string): BenchmarkGoal {
  return { text: `≤ ${limit} ${unit}`, isMet: value <= limit }
}

function toRows(figures: CallFigures): BenchmarkRow[] {
  const { contestant, p50, p99, callsPerSecond, hostCall, cpuOfCall, cpuOfHostCall, load } = figures
  const engine = contestant.name
  const isOwn = engine === own
  const row = (column: string, value: number, goal?: BenchmarkGoal): BenchmarkRow => ({
    part,
    what: `${engine}: ${column}`,
    value,
    unit: column.endsWith('second') ? '/s' : (column.split(' ').at(-1) ?? ''),
    engine,
    column,
    ...(isOwn && goal !== undefined ? { goal } : {}),
  })
  // What starts anew for each call drowns the calls of the host in it.
  const isSteady = p50 < 10_000
  return [
    row('p50 µs', p50, atMost(p50, 150, 'µs')),
    row('p99 µs', p99, atMost(p99, 1_000, 'µs')),
    row('calls per second', callsPerSecond, {
      text: '≥ 5,000 /s',
      isMet: callsPerSecond >= 5_000,
    }),
    row('CPU µs', cpuOfCall),
    ...(isSteady
      ? [
          row('host call µs', hostCall, atMost(hostCall, 30, 'µs')),
          row('host call CPU µs', cpuOfHostCall),
        ]
      : []),
    ...(load === undefined ? [] : [row('load ms', load, atMost(load, 20, 'ms'))]),
  ]
}

async function loadPeers(): Promise<typeof plainContestants> {
  try {
    return (await import('./isolated-vm-peer.ts')).isolatedVmPeers
  } catch (error) {
    console.error(`isolated-vm: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

/** Over the second half, because the heaps of a fresh process and of its worker grow before they are first collected. */
function toGrowth(what: string, megabytes: readonly number[]): BenchmarkRow {
  const middle = megabytes[Math.floor(megabytes.length / 2)] ?? Number.NaN
  const value = (megabytes.at(-1) ?? Number.NaN) - middle
  return { part, what, value, unit: 'MB', goal: atMost(value, 8, 'MB') }
}

export async function run(): Promise<BenchmarkRow[]> {
  const memory = await measureMemory()
  const contestants = [createOwn('worker'), createOwn('process'), ...plainContestants]
  const figures = await measureCalls([...contestants, ...(await loadPeers())])
  return [
    ...figures.flatMap(toRows),
    toGrowth('growth in the second half of 100,000 calls', memory.calls),
    toGrowth('growth in the second half of 2,000 reloads', memory.reloads),
  ]
}
