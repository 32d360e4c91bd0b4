import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ToolRegistry } from '@toolcrib/registry'
import {
  type Toolsmaker,
  createToolsmaker,
  openFileEventStore,
  openTrustDirectory,
} from '@toolcrib/toolsmaker'
import { createAdderKind } from '../test/adder-kind.ts'
import { makeStore, pricing, proposer } from './made-stores.ts'

// What a start, a background check and a proposal cost with many stored tools, some of them with permissions that a person gave.
//   large-store.ts [tools] [with permissions]    makes the stores, measures, removes them
//   large-store.ts make FOLDER TOOLS             makes a store and keeps it, one tool of 50 with permissions
//   large-store.ts load FOLDER                   a start on it, ended before the background check
const [first = '10000', second, third] = process.argv.slice(2)
if (first === 'make')
  await makeStore(second ?? '', { tools: Number(third), withPermissions: Number(third) / 50 })
else if (first === 'load') await measureLoad(second ?? '')
else if (first === 'start') await measureStart(second ?? '')
else if (first === 'propose') await measureProposals(second ?? '')
else await measure(Number(first), Number(second ?? Number(first) / 50))

async function measure(count: number, withPermissions: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'toolsmaker-large-'))
  try {
    const small = join(folder, 'small')
    const large = join(folder, 'large')
    const began = performance.now()
    await makeStore(small, { tools: 100, withPermissions: 2 })
    await makeStore(large, { tools: count, withPermissions })
    print(`made ${count} tools in ${((performance.now() - began) / 1_000).toFixed(0)} s`)
    for (const what of ['first start, everything to be verified and written', 'any later start']) {
      print(`\n${count} tools, ${withPermissions} with permissions, ${what}:`)
      runSelf('start', large)
    }
    runSelf('start', small)
    print('\nproposals beside 100 tools and beside all:')
    runSelf('propose', small)
    runSelf('propose', large)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runSelf(...words: readonly string[]): void {
  const flags = ['--conditions=@toolcrib/source', import.meta.filename, ...words]
  const { status } = spawnSync(process.execPath, flags, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}.`)
}

async function openStored(root: string): Promise<Toolsmaker> {
  const trust = await openTrustDirectory(join(root, 'trust'))
  const store = await openFileEventStore({ directory: join(root, 'store') })
  const registry = new ToolRegistry()
  return createToolsmaker({ store, trust, kinds: [createAdderKind()], registry })
}

async function measureLoad(root: string): Promise<never> {
  await loadStored(root)
  // Before the readable files of a new store are written, which takes far longer.
  process.exit(0)
}

async function measureStart(root: string): Promise<void> {
  const maker = await loadStored(root)
  const before = cpuSeconds()
  const { failed, restored, written } = await maker.checkProjections()
  print(
    `background check ${(cpuSeconds() - before).toFixed(2)} CPU s: ` +
      `${written.length} written, ${restored.length} restored, ${failed.length} failed`,
  )
  // So that the times of the last files say something at the next start.
  await wait(200)
  await maker.close()
}

async function loadStored(root: string): Promise<Toolsmaker> {
  const loaded = cpuSeconds()
  const maker = await openStored(root)
  const { refused, registered } = await maker.loadActiveTools()
  const bootCpu = cpuSeconds()
  const memory = process.memoryUsage.rss() / 1e6
  print(
    `start ${bootCpu.toFixed(2)} CPU s, ${loaded.toFixed(2)} of it to load the program, ${memory.toFixed(0)} MB: ` +
      `${registered} registered, ${refused.length} refused`,
  )
  return maker
}

async function measureProposals(root: string): Promise<void> {
  const maker = await openStored(root)
  await maker.loadActiveTools()
  await maker.checkProjections()
  const ada = maker.forAgent(proposer)
  const costs: number[] = []
  for (let index = 0; index < 120; index += 1) {
    const before = cpuSeconds()
    // oxlint-disable-next-line no-await-in-loop -- one proposal after the other
    await ada.buildToolFromIntent(pricing(`fresh_${(index * 7919).toString(36)}_${index}`, index))
    if (index >= 20) costs.push((cpuSeconds() - before) * 1_000)
  }
  const median = costs.toSorted((left, right) => left - right)[costs.length >> 1] ?? 0
  print(`a proposal, decided by rule and put into use: ${median.toFixed(2)} CPU ms (median of 100)`)
  await maker.close()
}

function cpuSeconds(): number {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1e6
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
