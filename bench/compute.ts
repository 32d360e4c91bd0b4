/** What a compute program costs beside the same calculation written by hand; the measuring is the package's own. */
import { measureCompute } from '../packages/compute/bench/compute.bench.ts'
import type { BenchmarkRow } from './benchmark-row.ts'

export async function run(): Promise<BenchmarkRow[]> {
  return measureCompute().map(({ program, way, nanoseconds, byHandNanoseconds }) => ({
    part: 'compute',
    what: `${program}, ${way}`,
    value: nanoseconds,
    unit: 'ns',
    baseline: { name: 'by hand', value: byHandNanoseconds },
  }))
}
