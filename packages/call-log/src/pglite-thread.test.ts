import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeCompletion, makeStart } from '../test/sample-calls.ts'
import { createPgliteCallLog, type DurableCallLog } from './pglite.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'call-log-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(directory, { recursive: true, force: true })
})

const timeoutMs = 120_000

/** Ends the thread of a log as a crash of its database does. */
async function crash(log: DurableCallLog): Promise<void> {
  const posts = vi.spyOn(Worker.prototype, 'postMessage')
  await log.migrationStatus()
  const [thread] = posts.mock.contexts
  posts.mockRestore()
  await (thread as Worker).terminate()
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error as { code: string }).code,
  )

it('never holds the loop up while it reads', { timeout: timeoutMs }, async () => {
  const log = await createPgliteCallLog()
  const starts = Array.from({ length: 8000 }, (_, place) => makeStart({ startedAt: 1000 + place }))
  await Promise.all(starts.map((start) => log.logToolStart(start)))
  await Promise.all(starts.map((start) => log.logToolComplete(makeCompletion(start))))
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const startedAt = performance.now()
  expect(await log.statistics()).toMatchObject([{ calls: 8000 }])
  const took = performance.now() - startedAt
  delay.disable()
  // In the host's own thread one standstill is as long as the read.
  expect(delay.max / 1e6).toBeLessThan(took / 2)
  await log.close()
})

it(
  'fails what waits for a database in memory whose thread ended, and everything after',
  { timeout: timeoutMs },
  async () => {
    const log = await createPgliteCallLog({ closeTimeoutMs: 100 })
    const start = makeStart()
    await log.logToolStart(start)
    await crash(log)
    expect(await codeOf(log.logToolStart(makeStart()))).toBe('LOG_WRITE_FAILED')
    expect(await codeOf(log.query())).toBe('LOG_READ_FAILED')
    const end = codeOf(log.logToolComplete(makeCompletion(start)))
    await log.close()
    expect(await end).toBe('LOG_CLOSED')
  },
)

it(
  'opens a folder again after its thread ended, and loses no row',
  { timeout: timeoutMs },
  async () => {
    const log = await createPgliteCallLog({ directory })
    const starts = Array.from({ length: 50 }, () => makeStart())
    await Promise.all(starts.map((start) => log.logToolStart(start)))
    const crashed = crash(log)
    const ends = starts.map((start) => log.logToolComplete(makeCompletion(start)))
    await crashed
    await Promise.all(ends)
    const after = makeStart()
    await log.logToolStart(after)
    expect((await log.query({ status: 'completed' })).calls).toHaveLength(50)
    expect((await log.query({ status: 'started' })).calls).toMatchObject([{ callId: after.callId }])
    await log.close()
    const again = await createPgliteCallLog({ directory })
    expect((await again.get(after.callId))?.status).toBe('interrupted')
    await again.close()
  },
)

it(
  'fails what waits when it is closed while it reads, and hangs nowhere',
  { timeout: timeoutMs },
  async () => {
    const log = await createPgliteCallLog()
    await log.logToolStart(makeStart())
    const reads = Array.from({ length: 20 }, () => codeOf(log.query()))
    await log.close()
    for (const code of await Promise.all(reads)) expect(['none', 'LOG_READ_FAILED']).toContain(code)
    expect(await codeOf(log.query())).toBe('LOG_READ_FAILED')
  },
)
