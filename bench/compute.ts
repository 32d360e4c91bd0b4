/**
 * Compute programs beside the same calculations by hand and beside other expression engines, all in one process:
 * `pnpm bench compute`, `--json` for rows.
 */
import { type ComputeLogic, compileCompute } from '@toolcrib/compute'
import {
  type Contestant,
  heapOfEach,
  measureAll,
  timeEach,
} from '../packages/compute/bench/measure.ts'
import { parseRecords, type Workload, workloads } from '../packages/compute/bench/workloads.ts'
import type { BenchmarkRow } from './benchmark-row.ts'
import { measureMoney } from './compute-money.ts'
import { createPeers, type Peer } from './compute-peers.ts'

const own = '@toolcrib/compute'
const byHand = 'by hand'

/** What a run may cost, in times of what it costs by hand. */
const warmGoals: Readonly<Record<string, number>> = { a: 1.5, a2: 5, b: 7, c: 6, d: 7, e: 1.6 }
const compileGoals: Readonly<Record<string, number>> = { a2: 60_000, b: 40_000 }
const heapGoal = 2_048

function compileOwn(logic: ComputeLogic): (values: never) => unknown {
  // oxlint-disable-next-line typescript/unbound-method -- it uses no `this`, and a wrapper would be measured too
  return compileCompute(logic).run
}

const ownEngine: Peer = {
  name: own,
  parsesText: true,
  prepare: (id, variation) => {
    const workload = workloads.find((one) => one.id === id)
    if (workload === undefined) return undefined
    return compileOwn(workload.program(variation))
  },
}

/** What cannot be prepared, or gives another result than by hand, is not measured. */
async function prepareChecked(peer: Peer, workload: Workload): Promise<Contestant | undefined> {
  try {
    const prepared = peer.prepare(workload.id, 0)
    if (prepared === undefined) return undefined
    const records = parseRecords(workload)
    const isSpecial = peer.name === '@bufbuild/cel' && workload.id === 'd'
    for (const values of records.slice(0, 64)) {
      const wanted = workload.byHand(values)
      const got = await prepared(values as never)
      if (!isSpecial && !isClose(got, wanted))
        throw new Error(`gives ${String(got)}, by hand it is ${String(wanted)}`)
    }
    return {
      engine: peer.name,
      workload: workload.id,
      run: prepared,
      records,
      ...(peer.isAsync === true ? { isAsync: true } : {}),
    }
  } catch (error) {
    console.error(
      `${peer.name}, ${workload.id}: ${error instanceof Error ? error.message : String(error)}`,
    )
    return undefined
  }
}

/** Some engines round on the way to text. */
function isClose(got: unknown, wanted: unknown): boolean {
  if (typeof got === 'number' && typeof wanted === 'number')
    return Math.abs(got - wanted) <= 1e-9 * Math.abs(wanted)
  return (
    typeof got === 'string' &&
    typeof wanted === 'string' &&
    got.slice(0, 20) === wanted.slice(0, 20)
  )
}

async function measureWarm(peers: readonly Peer[]): Promise<BenchmarkRow[]> {
  const contestants: Contestant[] = []
  for (const workload of workloads) {
    contestants.push({
      engine: byHand,
      workload: workload.id,
      run: workload.byHand,
      records: parseRecords(workload),
    })
    for (const peer of peers) {
      const contestant = await prepareChecked(peer, workload)
      if (contestant !== undefined) contestants.push(contestant)
    }
  }
  const figures = await measureAll(contestants)
  const find = (engine: string, id: string): number | undefined =>
    figures[contestants.findIndex((one) => one.engine === engine && one.workload === id)]
  return workloads.flatMap(({ id, title }) => {
    const hand = find(byHand, id) ?? Number.NaN
    return peers.flatMap(({ name }) => {
      const value = find(name, id)
      if (value === undefined) return []
      const ratio = value / hand
      const goal = name === own ? warmGoals[id] : undefined
      return {
        part: 'compute',
        what: `${id} ${title}, ${name}`,
        engine: name,
        column: id,
        value,
        unit: 'ns',
        baseline: { name: byHand, value: hand },
        ratio,
        ...(goal === undefined ? {} : { goal: { text: `≤ ${goal} ×`, isMet: ratio <= goal } }),
      }
    })
  })
}

/** Parse and one run, each time of another program. */
async function measureCold(peers: readonly Peer[]): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = []
  for (const { id } of workloads.filter((one) => one.id !== 'c')) {
    const workload = workloads.find((one) => one.id === id)
    if (workload === undefined) continue
    let baseline: BenchmarkRow['baseline']
    for (const peer of peers) {
      if (!peer.parsesText) continue
      const records = parseRecords(workload)
      const make =
        peer.name === own
          ? ownFromPool(workload)
          : (variation: number) => peer.prepare(id, variation)
      const value = await timeEach(2_000, (index) =>
        make(index)?.(records[index & 1_023] as never),
      ).catch(() => undefined)
      if (value === undefined) continue
      baseline ??= { name: own, value }
      rows.push({
        part: 'compute',
        what: `${id} parsed and run once, ${peer.name}`,
        engine: peer.name,
        column: `${id} cold`,
        value,
        unit: 'µs',
        ...(peer.name === own ? {} : { baseline }),
      })
    }
  }
  return rows
}

/** Programs are JSON that somebody else made, so making them is not measured. */
function ownFromPool(workload: Workload): (variation: number) => (values: never) => unknown {
  const pool = Array.from({ length: 10_000 }, (_, variation) => workload.program(variation))
  return (variation) => {
    return compileOwn(pool[variation] ?? workload.program(variation))
  }
}

async function measureCompiling(peers: readonly Peer[]): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = []
  for (const workload of workloads) {
    const goal = compileGoals[workload.id]
    if (goal === undefined) continue
    for (const peer of peers) {
      if (!peer.parsesText) continue
      const make =
        peer.name === own
          ? ownFromPool(workload)
          : (variation: number) => peer.prepare(workload.id, variation)
      const value = 1e6 / (await timeEach(10_000, make))
      const heap = heapOfEach(2_000, make)
      rows.push({
        part: 'compute',
        what: `${workload.id} programs compiled in a second, ${peer.name}`,
        engine: peer.name,
        column: `${workload.id} compiled/s`,
        value,
        unit: '/s',
        ...(peer.name === own
          ? { goal: { text: `≥ ${goal.toLocaleString('en-US')} /s`, isMet: value >= goal } }
          : {}),
      })
      if (heap === undefined) continue
      rows.push({
        part: 'compute',
        what: `${workload.id} heap of one compiled program, ${peer.name}`,
        engine: peer.name,
        column: `${workload.id} heap B`,
        value: heap,
        unit: 'B',
        ...(peer.name === own ? { goal: { text: '≤ 2,048 B', isMet: heap <= heapGoal } } : {}),
      })
    }
  }
  return rows
}

interface Counted {
  readonly run: (values: Readonly<Record<string, unknown>>) => unknown
  readonly giveUps: Readonly<Partial<Record<string, number>>>
}

/** The share of runs that the fast engine leaves to the walker, over all records of each workload. */
function countGiveUps(): BenchmarkRow[] {
  return workloads.map((workload) => {
    const compiled: Counted = compileCompute(workload.program(0))
    const records = parseRecords(workload)
    for (const values of records) compiled.run({ ...values })
    const reasons = Object.entries(compiled.giveUps)
    const left = reasons.reduce((sum, [, count = 0]) => sum + count, 0)
    const why = reasons.map(([reason, count = 0]) => `, ${reason} ${count}`).join('')
    return {
      part: 'compute',
      what: `${workload.id} runs left to the walker${why}`,
      value: (left / records.length) * 100,
      unit: '%',
      goal: { text: '≤ 0 %', isMet: left === 0 },
    }
  })
}

export async function run(): Promise<BenchmarkRow[]> {
  const peers = [ownEngine, ...createPeers()]
  const warm = await measureWarm(peers)
  const money = await measureMoney().catch((error: unknown) => {
    console.error(`money: ${String(error)}`)
    return []
  })
  const others = [...(await measureCold(peers)), ...(await measureCompiling(peers)), ...money]
  return [...warm, ...countGiveUps(), ...others]
}
