// Memory of the process over very many calls and reloads, workers included.
// Run: node --expose-gc --conditions=@toolcrib/source packages/sandbox/bench/memory.ts
import { createSandbox } from '@toolcrib/sandbox'

/** Megabytes of the whole process. */
export interface MemoryFigures {
  /** Every tenth of the calls. */
  readonly calls: readonly number[]
  /** Every tenth of the reloads. */
  readonly reloads: readonly number[]
}

const underWay = 8

/** Calls one module very often, then loads, calls and forgets very many. */
export async function measureMemory(
  callCount: number = 100_000,
  reloadCount: number = 2_000,
): Promise<MemoryFigures> {
  const sandbox = createSandbox({ maxWorkers: 1 })
  const load = async (source: string): Promise<string> => {
    const loaded = await sandbox.load({ source })
    if (!loaded.ok) throw new Error(loaded.message)
    return loaded.hash
  }
  const call = async (hash: string): Promise<void> => {
    const outcome = await sandbox.call(hash, '{"a":1}')
    if (!outcome.ok) throw new Error(outcome.message)
  }
  const hash = await load(
    'export default (input) => ({ list: Array.from({ length: 50 }, () => input.a) })',
  )
  await repeat(callCount / 10, () => call(hash))
  const calls: number[] = [readMegabytes()]
  for (let part = 0; part < 10; part += 1) {
    await repeat(callCount / 10, () => call(hash))
    calls.push(readMegabytes())
  }
  let count = 0
  const reload = async (): Promise<void> => {
    count += 1
    const fresh = await load(`export default (input) => input.a + ${count}`)
    await call(fresh)
    sandbox.unload(fresh)
  }
  await repeat(reloadCount / 10, reload)
  const reloads: number[] = [readMegabytes()]
  for (let part = 0; part < 10; part += 1) {
    await repeat(reloadCount / 10, reload)
    reloads.push(readMegabytes())
  }
  await sandbox.close()
  return { calls, reloads }
}

async function repeat(times: number, run: () => Promise<void>): Promise<void> {
  let left = times
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await run()
    }
  }
  await Promise.all(Array.from({ length: underWay }, lane))
}

function readMegabytes(): number {
  globalThis.gc?.()
  return Math.round(process.memoryUsage.rss() / 104_857.6) / 10
}

if (import.meta.main) {
  const { calls, reloads } = await measureMemory()
  process.stdout.write(`MB over 100,000 calls: ${calls.join(', ')}\n`)
  process.stdout.write(`MB over 2,000 reloads: ${reloads.join(', ')}\n`)
}
