/**
 * Durations counted in buckets, each a fifth wider than the one before, so that a percentile read from them is within ten
 * percent of the duration it stands for. Buckets of several hours, tools or logs add up.
 */
const growth = 1.2
const smallestMs = 0.001

/** How far a percentile may be off, as a share of it. */
export const percentilesWithin = 0.1

/** The bucket of a duration, as an SQL expression; it does what {@link bucketOf} does. */
export const bucketSql = (column: string): string =>
  `(case when ${column} < ${smallestMs} then -1 else floor(ln(${column} / ${smallestMs}) / ln(${growth}::float8)) end)::smallint`

/** The bucket of a duration in milliseconds. */
export function bucketOf(durationMs: number): number {
  return durationMs < smallestMs
    ? -1
    : Math.floor(Math.log(durationMs / smallestMs) / Math.log(growth))
}

/** The duration that stands for a bucket: the one of which both ends are equally far off, nine percent. */
function middleOf(bucket: number): number {
  return bucket < 0 ? 0 : ((2 * growth) / (1 + growth)) * smallestMs * growth ** bucket
}

/** How many calls fell into each bucket. */
export type DurationHistogram = Map<number, number>

/** Adds calls to a bucket. */
export function countDuration(histogram: DurationHistogram, bucket: number, calls: number): void {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + calls)
}

/** Reads percentiles, going from one call to the next in proportion; undefined for a histogram of nothing. */
export function readPercentiles(
  histogram: DurationHistogram,
  fractions: readonly number[],
): (number | undefined)[] {
  const buckets = [...histogram].toSorted(([left], [right]) => left - right)
  const total = buckets.reduce((sum, [, calls]) => sum + calls, 0)
  const valueAt = (rank: number): number => {
    let seen = 0
    for (const [bucket, calls] of buckets) {
      seen += calls
      if (rank < seen) return middleOf(bucket)
    }
    return middleOf(buckets.at(-1)?.[0] ?? -1)
  }
  return fractions.map((fraction) => {
    if (total === 0) return undefined
    const position = (total - 1) * fraction
    const low = valueAt(Math.floor(position))
    return low + (valueAt(Math.ceil(position)) - low) * (position - Math.floor(position))
  })
}
