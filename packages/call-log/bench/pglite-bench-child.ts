import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { createPgliteCallLog } from '../src/pglite.ts'
import { makeBenchCall } from './bench-call.ts'
import { runConcurrently } from './bench-row.ts'

// Usage: pglite-bench-child.ts open|ours|naive <folder>; prints one line of JSON. A process each, for a true RSS.
const [mode, folder = ''] = process.argv.slice(2)
const times = 6000
const concurrency = 128

const logCall = async (log: Awaited<ReturnType<typeof createPgliteCallLog>>): Promise<void> => {
  const { start, end } = makeBenchCall()
  await log.logToolStart(start)
  await log.logToolComplete(end)
}

const result: Record<string, number> = {}
if (mode === 'naive') {
  const database = new PGlite(join(folder, 'postgres'))
  await database.waitReady
  if (!existsSync(folder)) throw new Error('Open the log once before.')
  // Loaded here only, because drizzle would count as memory of the log.
  const { drizzle } = await import('drizzle-orm/pglite')
  const { logNaively } = await import('./naive-log.ts')
  const naive = drizzle(database)
  await runConcurrently({ times: 200, concurrency }, () => logNaively(naive))
  result['perSecond'] = await runConcurrently({ times: times / 6, concurrency }, () =>
    logNaively(naive),
  )
  await database.close()
} else {
  const startedAt = performance.now()
  const log = await createPgliteCallLog({ directory: folder })
  result['openMs'] = performance.now() - startedAt
  if (mode === 'ours') {
    await runConcurrently({ times: 1000, concurrency }, () => logCall(log))
    result['perSecond'] = await runConcurrently({ times, concurrency }, () => logCall(log))
  } else await runConcurrently({ times: 50, concurrency: 1 }, () => logCall(log))
  result['peakBytes'] = process.memoryUsage.rss()
  // What the compiler of WebAssembly took goes back to the system within moments.
  await wait(2000)
  result['rssBytes'] = process.memoryUsage.rss()
  await log.close()
}
process.stdout.write(`${JSON.stringify(result)}\n`)
