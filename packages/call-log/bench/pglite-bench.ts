import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createPgliteCallLog } from '../src/pglite.ts'
import { type BenchRow, median } from './bench-row.ts'

const run = promisify(execFile)
const repetitions = 3

interface ChildResult {
  readonly perSecond: number
  readonly openMs: number
  readonly rssBytes: number
  readonly peakBytes: number
}

async function runChild(mode: 'open' | 'ours' | 'naive', folder: string): Promise<ChildResult> {
  const script = join(import.meta.dirname, 'pglite-bench-child.ts')
  const { stdout } = await run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--conditions=@toolcrib/source',
    script,
    mode,
    folder,
  ])
  return JSON.parse(stdout) as ChildResult
}

/** Our log on PGlite against two drizzle inserts a call, and its starts and memory, each in a process of its own. */
export async function benchPglite(): Promise<BenchRow[]> {
  const root = await mkdtemp(join(tmpdir(), 'toolcrib-bench-'))
  const ratios: number[] = []
  const rates: number[] = []
  const firsts: ChildResult[] = []
  const again: ChildResult[] = []
  try {
    // Makes the template where it is missing, so that the first start is the one of an installed package.
    await (await createPgliteCallLog({ directory: join(root, 'warm') })).close()
    for (let round = 0; round < repetitions; round += 1) {
      const folder = join(root, String(round))
      // oxlint-disable no-await-in-loop -- measurements must not run at once
      firsts.push(await runChild('open', folder))
      again.push(await runChild('open', folder))
      const naive = await runChild('naive', folder)
      const ours = await runChild('ours', folder)
      // oxlint-enable no-await-in-loop
      ratios.push(ours.perSecond / naive.perSecond)
      rates.push(ours.perSecond)
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  const megabytes = (results: readonly ChildResult[], key: 'rssBytes' | 'peakBytes'): number =>
    median(results.map((result) => result[key])) / 1_000_000
  const firstMs = median(firsts.map(({ openMs }) => openMs))
  const againMs = median(again.map(({ openMs }) => openMs))
  const ratio = median(ratios)
  const memory = megabytes(again, 'rssBytes')
  return [
    { name: 'PGlite, 128 at once: calls', value: median(rates), unit: '/s' },
    {
      name: 'PGlite, 128 at once: against two drizzle inserts',
      value: ratio,
      unit: '×',
      goal: '≥ 10',
      met: ratio >= 10,
    },
    {
      name: 'PGlite: first start of a folder',
      value: firstMs,
      unit: 'ms',
      goal: '≤ 1000',
      met: firstMs <= 1000,
    },
    {
      name: 'PGlite: start of a folder that is there',
      value: againMs,
      unit: 'ms',
      goal: '≤ 400',
      met: againMs <= 400,
    },
    {
      name: 'PGlite: memory (RSS) after 50 calls and two seconds',
      value: memory,
      unit: 'MB',
      goal: '≤ 250',
      met: memory <= 250,
    },
    {
      name: 'PGlite: memory (RSS) right after 50 calls',
      value: megabytes(again, 'peakBytes'),
      unit: 'MB',
    },
  ]
}
