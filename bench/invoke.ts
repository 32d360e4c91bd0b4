/** What calling a tool through the invoker costs, beside what cannot be avoided and beside other frameworks. */
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { createInvoker } from '@toolcrib/invoke'
import { ToolRegistry, defineTool } from '@toolcrib/registry'
import type { BenchmarkGoal, BenchmarkRow } from './benchmark-row.ts'
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
const stringifyName = 'JSON.stringify'

export async function run(): Promise<BenchmarkRow[]> {
  const rows = await measureSmallOutput()
  for (const [name, output] of Object.entries(largeOutputs))
    rows.push(await measureLargeOutput(name, output))
  return rows
}

async function measureSmallOutput(): Promise<BenchmarkRow[]> {
  const peers = await createPeerCalls()
  const floor: Variant = {
    name: floorName,
    run: async (index) => execute(inputSchema.parse(inputAt(index))),
  }
  const times = await measureVariants([floor, callOurs(execute), ...peers], { pauseMs: 1_100 })
  return [
    compare(times, ownName, floorName),
    measureOverhead(times),
    ...peers.map((peer) => beatPeer(times, peer.name)),
  ]
}

async function measureLargeOutput(name: string, output: object): Promise<BenchmarkRow> {
  const times = await measureVariants([
    { name: stringifyName, run: () => JSON.stringify(output) },
    callOurs(async () => output),
  ])
  const ratio = times.ratio(ownName, stringifyName)
  return {
    ...compare(times, ownName, stringifyName),
    what: `one call that gives ${name}`,
    goal: judge(
      '≤ 1.6 ×',
      ratio <= 1.6,
      'the check that JSON says all of the output walks it once',
    ),
  }
}

function callOurs(work: (input: ExampleInput) => Promise<unknown>): Variant {
  const registry = new ToolRegistry()
  registry.register(
    defineTool({ name: 'answer', description: 'Answers', inputSchema, timeoutMs, execute: work }),
  )
  const invoker = createInvoker({ registry, log: createMemoryCallLog() })
  return {
    name: ownName,
    run: async (index) => {
      const result = await invoker.invoke('answer', inputAt(index))
      if (!result.success) throw new Error(result.error)
      return result
    },
  }
}

function compare(times: VariantTimes, name: string, baseline: string): BenchmarkRow {
  return {
    part: 'invoke',
    what: 'one call, small output, two rows in the memory log',
    value: times.median(name),
    unit: 'µs',
    baseline: { name: baseline, value: times.median(baseline) },
    ratio: times.ratio(name, baseline),
  }
}

function measureOverhead(times: VariantTimes): BenchmarkRow {
  const value = times.paired(ownName, floorName, (own, floor) => own - floor)
  return {
    part: 'invoke',
    what: 'the same call less the floor',
    value,
    unit: 'µs',
    goal: judge(
      '≤ 1.5 µs',
      value <= 1.5,
      'two rows, a timer, an abort controller and the awaits between them',
    ),
  }
}

function beatPeer(times: VariantTimes, peer: string): BenchmarkRow {
  const ratio = times.ratio(ownName, peer)
  return {
    ...compare(times, ownName, peer),
    what: 'the same call beside a framework without a log',
    goal: judge('< 1 ×', ratio < 1, 'see the lines above'),
  }
}

function judge(text: string, isMet: boolean, limitedBy: string): BenchmarkGoal {
  return { text, isMet, limitedBy }
}
