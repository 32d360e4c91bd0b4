import { afterEach, expect, test } from 'vitest'
import { readEngineFacts } from '../engine-facts.ts'
import { HostRun } from '../host/host-run.ts'
import { hashModule } from '../host/module-hash.ts'
import { monotonicMs } from '../host/monotonic-clock.ts'
import { Pool } from '../host/pool.ts'
import type { ModuleMessage } from './protocol.ts'
import { WorkerLane } from './worker-lane.ts'

let pool: Pool | undefined

afterEach(async () => {
  await pool?.close()
})

const mebibyte = 2 ** 20
const hashes = new Map<string, ModuleMessage>()

/** A module whose source is long. */
const addModule = (index: number): string => {
  const module = { source: `export default () => ${index} // ${'x'.repeat(mebibyte)}`, imports: {} }
  const hash = hashModule(module)
  hashes.set(hash, { type: 'module', hash, ...module })
  return hash
}

let opened = 0

const openPool = (): Pool => {
  opened = 0
  pool = new Pool({
    maxLanes: 1,
    runsPerLane: 4,
    maxWaiting: 10,
    graceMs: 100,
    openLane: (events) => {
      opened += 1
      return new WorkerLane(readEngineFacts().module, { slots: 4, maxHeapMb: 24 }, events)
    },
    findModule: (hash) => hashes.get(hash),
  })
  return pool
}

const call = async (to: Pool, hash: string, inputJson = '{}'): Promise<string> => {
  const run = new HostRun({
    type: 'call',
    hash,
    inputJson,
    callJson: '{}',
    operations: {},
    limits: {
      deadline: monotonicMs() + 60_000,
      cpuMs: 60_000,
      memoryBytes: 2 ** 25,
      maxOutputBytes: 1000,
      maxHostCalls: 0,
      maxConcurrentHostCalls: 1,
      maxArgumentBytes: 1000,
      maxLogBytes: 10,
    },
  })
  to.submit(run)
  const { outcome } = await run.finished
  return outcome.ok ? outcome.json : outcome.reason
}

test('a thread that runs out of its own memory loses its calls, and another takes the next one', async () => {
  const current = openPool()
  const given: string[] = []
  // The sources of modules are what a thread keeps.
  for (let index = 0; index < 60 && !given.includes('worker-lost'); index += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after another
    given.push(await call(current, addModule(index)))
  expect(given.at(-1)).toBe('worker-lost')
  expect(await call(current, addModule(1000))).toBe('1000')
})

test('an input that no guest has room for reaches no thread, where it could end the program', async () => {
  const current = openPool()
  const inputOf = (length: number): string => JSON.stringify('x'.repeat(length - 2))
  expect(await call(current, addModule(1), inputOf(2 ** 25 - 1))).toBe('memory')
  expect(opened).toBe(0)
})
