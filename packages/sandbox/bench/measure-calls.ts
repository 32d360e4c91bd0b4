import type { Contestant, OpenContestant } from './contestant.ts'

/** What one contestant needs. */
export interface CallFigures {
  readonly contestant: Contestant
  /** Microseconds from a call to its answer, one after the other. */
  readonly p50: number
  readonly p99: number
  /** With eight calls under way. */
  readonly callsPerSecond: number
  /** Microseconds of one call of the host within a call, one after the other. */
  readonly hostCall: number
  /** Microseconds of CPU time of this process and its threads for one call: says more than the rest on a busy machine. */
  readonly cpuOfCall: number
  readonly cpuOfHostCall: number
  /** Milliseconds until a source that was never seen has given its first answer. */
  readonly load?: number
}

const rounds = 5
const roundMs = 300
const mostCalls = 4_000
const underWay = 8
const asks = 100
const withoutAsks = '{"a":1,"b":2,"asks":0}'
const withAsks = `{"a":1,"b":2,"asks":${asks}}`

/** Measures contestants in turns, so that what else the machine does falls on all of them. */
export async function measureCalls(contestants: readonly Contestant[]): Promise<CallFigures[]> {
  const runs: Run[] = []
  for (const contestant of contestants) runs.push(await openChecked(contestant))
  for (let round = 0; round <= rounds; round += 1) {
    for (const run of runs) {
      const sample = await takeSample(run.open)
      // The first round warms up.
      if (round > 0) run.samples.push(sample)
    }
  }
  const figures: CallFigures[] = []
  for (const { contestant, open, samples } of runs) {
    const of = (key: keyof Sample): number =>
      percentile(
        samples.map((sample) => sample[key]),
        50,
      )
    const load = await measureLoad(contestant)
    figures.push({
      contestant,
      p50: of('p50'),
      p99: of('p99'),
      callsPerSecond: of('callsPerSecond'),
      hostCall: of('hostCall'),
      cpuOfCall: of('cpuOfCall'),
      cpuOfHostCall: of('cpuOfHostCall'),
      ...(load === undefined ? {} : { load }),
    })
    await open.close()
  }
  return figures
}

interface Sample {
  readonly p50: number
  readonly p99: number
  readonly callsPerSecond: number
  readonly hostCall: number
  readonly cpuOfCall: number
  readonly cpuOfHostCall: number
}

interface Run {
  readonly contestant: Contestant
  readonly open: OpenContestant
  readonly samples: Sample[]
}

async function openChecked(contestant: Contestant): Promise<Run> {
  const open = await contestant.open()
  const wanted = JSON.stringify({ total: 3 + (asks * (asks + 1)) / 2 })
  const got = await open.call(withAsks)
  if (got !== wanted) throw new Error(`${contestant.name} gave ${got} in place of ${wanted}`)
  return { contestant, open, samples: [] }
}

async function takeSample(open: OpenContestant): Promise<Sample> {
  const bare = await timeCalls(() => open.call(withoutAsks))
  const callsPerSecond = await countCalls(() => open.call(withoutAsks))
  const busy = await timeCalls(() => open.call(withAsks))
  const p50 = percentile(bare.times, 50)
  return {
    p50,
    p99: percentile(bare.times, 99),
    callsPerSecond,
    hostCall: (percentile(busy.times, 50) - p50) / asks,
    cpuOfCall: bare.cpu,
    cpuOfHostCall: (busy.cpu - bare.cpu) / asks,
  }
}

/** Microseconds of each call of one round, and of CPU time for one. */
async function timeCalls(call: () => Promise<string>): Promise<{ times: number[]; cpu: number }> {
  const times: number[] = []
  const end = performance.now() + roundMs
  const before = process.cpuUsage()
  while (times.length < mostCalls) {
    const begin = performance.now()
    await call()
    const now = performance.now()
    times.push((now - begin) * 1_000)
    if (now > end && times.length >= 3) break
  }
  const { user, system } = process.cpuUsage(before)
  return { times, cpu: (user + system) / times.length }
}

async function countCalls(call: () => Promise<string>): Promise<number> {
  const begin = performance.now()
  const end = begin + roundMs
  let count = 0
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      await call()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: underWay }, lane))
  return (count * 1_000) / (performance.now() - begin)
}

async function measureLoad(contestant: Contestant): Promise<number | undefined> {
  if (contestant.load === undefined) return undefined
  const times: number[] = []
  for (let index = 0; index < 30; index += 1) {
    const begin = performance.now()
    await contestant.load(`const unique = ${index}\n${exampleTool}`)
    times.push(performance.now() - begin)
  }
  return percentile(times, 50)
}

/** About as long as tools are: 120 lines. */
const exampleTool: string = `${Array.from(
  { length: 116 },
  (_, index) =>
    `const step${index} = (value) => ({ ...value, field${index}: String(value.a).padStart(${index}, "0") })`,
).join('\n')}
export default async (input) => {
  return { total: Object.keys(step3(step7(input))).length + unique }
}`

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * part) / 100))] ?? Number.NaN
}
