/** How long a host takes to verify and register 10,000 stored tools, each start in a process of its own. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BenchmarkRow } from './benchmark-row.ts'
import type { BootTimes } from './boot-child.ts'
import { bootFoldersIn, makeStoredTools } from './boot-store.ts'
import { median } from './measure-variants.ts'
import { runInChild } from './run-in-child.ts'

const toolCount = 10_000
const rounds = 5

export async function run(): Promise<BenchmarkRow[]> {
  const root = await makeStoredTools(toolCount)
  const first: BootTimes[] = []
  const again: BootTimes[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      // Without what the trust remembers of the log, everything is verified from its beginning.
      await rm(join(bootFoldersIn(root).trust, 'checkpoints'), { recursive: true, force: true })
      first.push(await boot(root))
      again.push(await boot(root))
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  return [
    summarise('10,000 tools verified and registered, nothing remembered', first),
    summarise('10,000 tools verified and registered, any later start', again),
  ]
}

async function boot(root: string): Promise<BootTimes> {
  const times = (await runInChild('boot-child.ts', [root])) as BootTimes
  if (times.registered !== toolCount)
    throw new Error(`${times.registered} of ${toolCount} tools were registered.`)
  return times
}

function summarise(what: string, starts: readonly BootTimes[]): BenchmarkRow {
  const value = median(starts.map(totalMs))
  const loadShare = median(starts.map((times) => times.loadMs / totalMs(times)))
  return {
    part: 'boot',
    what,
    value,
    unit: 'ms',
    baseline: {
      name: 'read and parse the log',
      value: median(starts.map(({ parseMs }) => parseMs)),
    },
    ratio: median(starts.map((times) => totalMs(times) / times.parseMs)),
    goal: {
      text: '≤ 1,000 ms',
      isMet: value <= 1_000,
      limitedBy:
        loadShare > 0.5
          ? 'each tool has its content hashed and its signature checked'
          : 'the log is read, hashed and folded whole',
    },
  }
}

function totalMs({ openMs, loadMs }: BootTimes): number {
  return openMs + loadMs
}
