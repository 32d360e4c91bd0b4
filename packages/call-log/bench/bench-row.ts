/** One line of the table that the benchmark prints. */
export interface BenchRow {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What is wanted, as text. */
  readonly goal?: string
  readonly met?: boolean
}

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Runs work so many times, so many at once; gives how many a second. */
export async function runConcurrently(
  { times, concurrency }: { readonly times: number; readonly concurrency: number },
  work: () => Promise<void>,
): Promise<number> {
  let left = times
  const startedAt = performance.now()
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      // oxlint-disable-next-line no-await-in-loop -- a worker does one thing at a time
      await work()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return (times / (performance.now() - startedAt)) * 1000
}
