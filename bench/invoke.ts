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

export async function run(): Promise<BenchmarkRow[]> {
  const rows = await measureSmallOutput()
  for (const [name, output] of Object.entries(largeOutputs))
    rows.push(...(await measureLargeOutput(name, output)))
  return rows
}

async function measureSmallOutput(): Promise<BenchmarkRow[]> {
  const peers = await createPeerCalls()
  const floor: Variant = {
    name: floorName,
    run: async (index) => execute(inputSchema.parse(inputAt(index))),
  }
  const times = await measureVariants([floor, ...callOurs(execute), ...peers], { pauseMs: 1_100 })
  return [
    compare('a call, small output, memory log', times, { name: ownName, baseline: floorName }),
    ...measureOverhead(times),
    ...peers.map((peer) => beatPeer(times, peer.name)),
  ]
}

async function measureLargeOutput(name: string, output: object): Promise<BenchmarkRow[]> {
  const times = await measureVariants([
    { name: stringifyName, run: () => JSON.stringify(output) },
    ...callOurs(async () => output),
  ])
  const what = `a call that gives ${name}`
  const ratio = times.ratio(ownName, stringifyName)
  return [
    {
      ...compare(`${what}, memory log`, times, { name: ownName, baseline: stringifyName }),
      goal: {
        text: '≤ 1.6 ×',
        isMet: ratio <= 1.6,
        limitedBy:
          'the output is walked once to prove it plain JSON, and 10,000 texts are kept alive',
      },
    },
    compare(`${what}, rows dropped`, times, { name: droppingName, baseline: stringifyName }),
  ]
}

/** The same calls with the memory log, which keeps the last 10,000, and with none that keeps anything. */
function callOurs(work: (input: ExampleInput) => Promise<unknown>): Variant[] {
  const registry = new ToolRegistry()
  registry.register(
    defineTool({ name: 'answer', description: 'Answers', inputSchema, timeoutMs, execute: work }),
  )
  const logs = { [ownName]: createMemoryCallLog(), [droppingName]: droppingLog }
  return Object.entries(logs).map(([name, log]) => {
    const invoker = createInvoker({ registry, log })
    return {
      name,
      run: async (index) => {
        const result = await invoker.invoke('answer', inputAt(index))
        if (!result.success) throw new Error(result.error)
        return result
      },
    }
  })
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
  const value = overFloor(ownName)
  const dropping = overFloor(droppingName)
  return [
    {
      part: 'invoke',
      what: 'the same less the floor',
      value,
      unit: 'µs',
      goal: {
        text: '≤ 1.5 µs',
        isMet: value <= 1.5,
        limitedBy: `the invoker takes ${dropping.toFixed(1)} µs, keeping 10,000 calls the rest`,
      },
    },
    {
      part: 'invoke',
      what: 'the same less the floor, rows dropped',
      value: dropping,
      unit: 'µs',
    },
  ]
}

function beatPeer(times: VariantTimes, peer: string): BenchmarkRow {
  const ratio = times.ratio(ownName, peer)
  return {
    ...compare('the same beside a framework without a log', times, {
      name: ownName,
      baseline: peer,
    }),
    goal: { text: '< 1 ×', isMet: ratio < 1, limitedBy: 'see the lines above' },
  }
}
