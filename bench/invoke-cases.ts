/** What calling a tool through the invoker costs, beside what cannot be avoided and beside other frameworks. */
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createInvoker } from '@toolcrib/invoke'
import { type CallLogWriter, ToolRegistry, defineTool } from '@toolcrib/registry'
import type { BenchmarkRow } from './benchmark-row.ts'
import { type ExampleInput, execute, inputAt, inputSchema, timeoutMs } from './example-tool.ts'
import { type Variant, type VariantTimes, measureVariants } from './measure-variants.ts'
import { createPeerCalls } from './peer-calls.ts'

const largeOutputs = {
  'a text of 10 KB': { text: 'hello world '.repeat(850) },
  '200 rows, 10 KB': {
    rows: Array.from({ length: 200 }, (_, id) => ({
      id,
      name: `name ${id}`,
      price: id * 1.5,
      ok: true,
    })),
  },
}

const floorName = 'zod parse + await'
const ownName = 'invoke'
const droppingName = 'invoke, rows dropped'
const stringifyName = 'JSON.stringify'

/** A log that forgets: what is left is the invoker's own cost. */
const droppingLog: CallLogWriter = {
  logToolStart: () => dropped,
  logToolComplete: () => dropped,
  logToolFailure: () => dropped,
  logToolLate: () => dropped,
}
const dropped = Promise.resolve()

/** What can be measured, each in a process of its own. */
export const invokeCases: Readonly<Record<string, () => Promise<BenchmarkRow[]>>> = {
  'small output': measureSmallOutput,
  peers: measurePeers,
  ...Object.fromEntries(
    Object.entries(largeOutputs).map(([name, output]) => [
      name,
      () => measureLargeOutput(name, output),
    ]),
  ),
}

if (import.meta.main) {
  const rows = await invokeCases[process.argv[2] ?? '']?.()
  process.stdout.write(JSON.stringify(rows))
  // Timers that a peer left behind must not keep the program waiting.
  process.exitCode = rows === undefined ? 2 : 0
}

async function measureSmallOutput(): Promise<BenchmarkRow[]> {
  const floor: Variant = {
    name: floorName,
    run: async (index) => execute(inputSchema.parse(inputAt(index))),
  }
  const times = await measureVariants([floor, ...(await callOurs(execute))])
  return [
    compare('a call, small output, memory log', times, { name: ownName, baseline: floorName }),
    ...measureOverhead(times),
  ]
}

// Apart from the floor, because what some of them leave behind slows whoever comes after them.
async function measurePeers(): Promise<BenchmarkRow[]> {
  const peers = await createPeerCalls()
  const times = await measureVariants([...(await callOurs(execute)), ...peers], { pauseMs: 1_100 })
  return peers.map((peer) => beatPeer(times, peer.name))
}

async function measureLargeOutput(name: string, output: object): Promise<BenchmarkRow[]> {
  const times = await measureVariants([
    { name: stringifyName, run: () => JSON.stringify(output) },
    ...(await callOurs(async () => output)),
  ])
  const what = `a call that gives ${name}`
  const ratioOf = (variant: string): number => times.ratio(variant, stringifyName)
  const keeping = `keeping 10,000 such texts, ${ratioOf(droppingName).toFixed(2)} × without`
  const walking = 'the output is walked once to prove it plain JSON'
  const goal = (variant: string): NonNullable<BenchmarkRow['goal']> => ({
    text: '≤ 1.6 ×',
    isMet: ratioOf(variant) <= 1.6,
    limitedBy: variant === ownName ? keeping : walking,
  })
  return [
    {
      ...compare(`${what}, memory log`, times, { name: ownName, baseline: stringifyName }),
      goal: goal(ownName),
    },
    {
      ...compare(`${what}, rows dropped`, times, { name: droppingName, baseline: stringifyName }),
      goal: goal(droppingName),
    },
  ]
}

/** The same calls with the memory log, which keeps the last 10,000, and with none that keeps anything. */
async function callOurs(work: (input: ExampleInput) => Promise<unknown>): Promise<Variant[]> {
  const registry = new ToolRegistry()
  registry.register(
    defineTool({ name: 'answer', description: 'Answers', inputSchema, timeoutMs, execute: work }),
  )
  const withMemoryLog = createInvoker({ registry, log: createMemoryCallLog() })
  const withDroppingLog = createInvoker({ registry, log: droppingLog })
  // Asked once, so that looking at results is not measured.
  for (const invoker of [withMemoryLog, withDroppingLog]) {
    const result = await invoker.invoke('answer', inputAt(0))
    if (!result.success) throw new Error(result.error)
  }
  return [
    { name: ownName, run: (index) => withMemoryLog.invoke('answer', inputAt(index)) },
    { name: droppingName, run: (index) => withDroppingLog.invoke('answer', inputAt(index)) },
  ]
}

function compare(
  what: string,
  times: VariantTimes,
  { name, baseline }: { readonly name: string; readonly baseline: string },
): BenchmarkRow {
  return {
    part: 'invoke',
    what,
    value: times.median(name),
    unit: 'µs',
    baseline: { name: baseline, value: times.median(baseline) },
    ratio: times.ratio(name, baseline),
  }
}

function measureOverhead(times: VariantTimes): BenchmarkRow[] {
  const overFloor = (name: string): number =>
    times.paired(name, floorName, (own, floor) => own - floor)
  const dropping = overFloor(droppingName).toFixed(1)
  const row = (what: string, name: string, limitedBy: string): BenchmarkRow => {
    const value = overFloor(name)
    return {
      part: 'invoke',
      what,
      value,
      unit: 'µs',
      goal: { text: '≤ 1.5 µs', isMet: value <= 1.5, limitedBy },
    }
  }
  return [
    row(
      'the same less the floor',
      ownName,
      `the invoker takes ${dropping} µs, keeping 10,000 calls the rest`,
    ),
    row(
      'the same less the floor, rows dropped',
      droppingName,
      'input and output are checked and written as JSON; two rows and a result are made',
    ),
  ]
}

function beatPeer(times: VariantTimes, peer: string): BenchmarkRow {
  const ratio = times.ratio(ownName, peer)
  return {
    ...compare('such a call beside a framework without a log', times, {
      name: ownName,
      baseline: peer,
    }),
    goal: { text: '< 1 ×', isMet: ratio < 1, limitedBy: 'see the lines above' },
  }
}
