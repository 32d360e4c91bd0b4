import { setTimeout as sleep } from 'node:timers/promises'

/** One of several ways to do something, to be timed beside the others. */
export interface Variant {
  readonly name: string
  readonly run: (index: number) => unknown
}

export interface MeasureOptions {
  /** @default 7 */
  readonly rounds?: number
  /** Thread time that one sample takes at least, in milliseconds; the clock may tick every 4 ms. @default 200 */
  readonly sampleMs?: number
  /** Idle time after each round, in which timers that variants left behind come to their end. @default 0 */
  readonly pauseMs?: number
}

/** Microseconds of thread CPU time per operation, one sample a round. */
export class VariantTimes {
  readonly #samples: ReadonlyMap<string, readonly number[]>

  constructor(samples: ReadonlyMap<string, readonly number[]>) {
    this.#samples = samples
  }

  median(name: string): number {
    return median(this.#of(name))
  }

  /** The median over the rounds of what `combine` gives for the two samples of one round. */
  paired(
    name: string,
    baseline: string,
    combine: (value: number, baselineValue: number) => number,
  ): number {
    const beside = this.#of(baseline)
    return median(this.#of(name).map((value, round) => combine(value, beside[round] ?? Number.NaN)))
  }

  ratio(name: string, baseline: string): number {
    return this.paired(name, baseline, (value, beside) => value / beside)
  }

  #of(name: string): readonly number[] {
    const samples = this.#samples.get(name)
    if (samples === undefined) throw new Error(`No variant is named "${name}".`)
    return samples
  }
}

/**
 * Times variants in turns, so that what else the machine does falls on all of them. Each is warmed up first, and again
 * briefly before each sample, because a full collection may discard optimised code.
 */
export async function measureVariants(
  variants: readonly Variant[],
  { rounds = 7, sampleMs = 200, pauseMs = 0 }: MeasureOptions = {},
): Promise<VariantTimes> {
  const counts = new Map<string, number>()
  for (const variant of variants) counts.set(variant.name, await calibrate(variant, sampleMs))
  const samples = new Map<string, number[]>(variants.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < variants.length; turn += 1) {
      const variant = variants[(turn + round) % variants.length]
      if (variant === undefined) continue
      const count = counts.get(variant.name) ?? 1
      collectGarbage()
      await repeat(variant, Math.ceil(count / 10))
      samples.get(variant.name)?.push((await timeOf(variant, count)) / count)
      await sleep(1)
    }
    if (pauseMs > 0) await sleep(pauseMs)
  }
  return new VariantTimes(samples)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Collects garbage where Node was started with `--expose-gc`. */
export function collectGarbage(): void {
  globalThis.gc?.()
}

/** Microseconds of CPU time that this thread has used; of the whole process where Node cannot tell threads apart. */
export function readThreadTime(): number {
  // Older versions of Node have no `threadCpuUsage`, whatever its type says.
  const { threadCpuUsage } = process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>
  const { user, system } = threadCpuUsage?.() ?? process.cpuUsage()
  return user + system
}

/** Finds out how often a variant must run to fill a sample; doing so warms it up. */
async function calibrate(variant: Variant, sampleMs: number): Promise<number> {
  let count = 64
  for (;;) {
    const spent = await timeOf(variant, count)
    if (spent >= sampleMs * 1_000) return Math.ceil((count * sampleMs * 1_000) / spent)
    count *= 2
  }
}

async function timeOf(variant: Variant, count: number): Promise<number> {
  const start = readThreadTime()
  await repeat(variant, count)
  return readThreadTime() - start
}

async function repeat({ run }: Variant, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await run(index)
}
