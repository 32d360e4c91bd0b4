/** One engine's way to run one workload. */
export interface Contestant {
  readonly engine: string
  readonly workload: string
  readonly run: (values: never) => unknown
  /** Whether each call gives a promise that has to be awaited. */
  readonly isAsync?: boolean
  readonly records: readonly unknown[]
}

/** How long the batches of one contestant go on in one round, in milliseconds. */
const sliceMs = 60
const batchSize = 1_024
const rounds = 3

let sink = 0

/** Nanoseconds per call of each contestant: the median over three rounds of the fastest batch of 1,024 calls. */
export async function measureAll(contestants: readonly Contestant[]): Promise<number[]> {
  // Everything is warm, and every shared call site has seen everything, before anything is timed.
  for (const contestant of contestants) await measureOne(contestant)
  const figures = contestants.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1)
    for (const [index, contestant] of contestants.entries())
      figures[index]?.push(await measureOne(contestant))
  if (sink < 0) throw new Error('Nothing was worked out.')
  return figures.map((values) => values.toSorted((left, right) => left - right)[1] ?? Number.NaN)
}

async function measureOne(contestant: Contestant): Promise<number> {
  const time = contestant.isAsync === true ? timeAsync : timeBatch
  // A batch of a very slow engine is cut short: it has nothing to hide in noise.
  const probe = await time(contestant, 8)
  const calls = probe / 8 > 100_000 ? 8 : batchSize
  let fastest = Number.POSITIVE_INFINITY
  const end = performance.now() + sliceMs
  do fastest = Math.min(fastest, (await time(contestant, calls)) / calls)
  while (performance.now() < end)
  return fastest
}

/** The one loop for all engines, so that none is compiled into it. */
function timeBatch({ run, records }: Contestant, calls: number): number {
  const mask = records.length - 1
  let defined = 0
  const start = performance.now()
  for (let index = 0; index < calls; index += 1)
    if (run(records[index & mask] as never) !== undefined) defined += 1
  const spent = performance.now() - start
  sink += defined
  return spent * 1e6
}

async function timeAsync({ run, records }: Contestant, calls: number): Promise<number> {
  const mask = records.length - 1
  let defined = 0
  const start = performance.now()
  for (let index = 0; index < calls; index += 1)
    if ((await run(records[index & mask] as never)) !== undefined) defined += 1
  const spent = performance.now() - start
  sink += defined
  return spent * 1e6
}

/** Microseconds of one call on average, over calls that each do something different; the fastest of some passes. */
export async function timeEach(count: number, call: (index: number) => unknown): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let pass = 0; pass < 5; pass += 1) {
    const start = performance.now()
    for (let index = 0; index < count; index += 1) {
      const value = call(index)
      if (value instanceof Promise) await value
    }
    fastest = Math.min(fastest, performance.now() - start)
  }
  return (fastest * 1e3) / count
}

/** Bytes of heap that each of many results keeps, or nothing where Node runs without `--expose-gc`. */
export function heapOfEach(count: number, make: (index: number) => unknown): number | undefined {
  if (globalThis.gc === undefined) return undefined
  const kept: unknown[] = Array.from({ length: count }, () => null)
  // What is made once, such as caches and compiled code, is made before.
  for (let index = 0; index < count; index += 1) kept[index] = make(index)
  kept.fill(null)
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < count; index += 1) kept[index] = make(index)
  globalThis.gc()
  const bytes = (process.memoryUsage().heapUsed - before) / count
  return kept.length === count ? bytes : undefined
}
