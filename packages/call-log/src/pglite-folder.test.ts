import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startHost } from '../test/child-host.ts'
import { makeCompletion, makeStart } from '../test/sample-calls.ts'
import { migrations } from './migration.ts'
import { createPgliteCallLog } from './pglite.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'call-log-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

it('keeps calls from one opening to the next, and sweeps what was left open', async () => {
  const first = await createPgliteCallLog({ directory })
  const [done, left] = [makeStart(), makeStart()]
  await first.logToolStart(done)
  await first.logToolStart(left)
  await first.logToolComplete(makeCompletion(done))
  await first.close()
  const second = await createPgliteCallLog({ directory })
  expect((await second.get(done.callId))?.status).toBe('completed')
  expect(await second.get(left.callId)).toMatchObject({
    status: 'interrupted',
    error: { code: 'INTERRUPTED', data: { outcome: 'unknown' } },
  })
  expect(await second.sweep()).toBe(0)
  await second.close()
})

it('refuses a second owner of the folder, in this process and in another', async () => {
  const log = await createPgliteCallLog({ directory })
  await expect(createPgliteCallLog({ directory })).rejects.toMatchObject({
    code: 'FOLDER_LOCKED',
    data: { holder: { pid: process.pid, purpose: 'call log' } },
  })
  const other = await startHost('pglite', directory)
  expect(other.firstLine).toBe('refused FOLDER_LOCKED')
  await other.kill()
  await log.close()
  await (await createPgliteCallLog({ directory })).close()
})

/** `pnpm test:long` kills more often. */
const kills = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? 2 : 10

it('opens after kill -9 with everything that was acknowledged, and sweeps the rest at once', async () => {
  for (let round = 0; round < kills; round += 1) {
    const host = await startHost('pglite', directory)
    expect(host.firstLine).toBe('open')
    await expect.poll(() => host.ran.length, { timeout: 15_000 }).toBeGreaterThan(0)
    await wait(Math.random() * 200)
    await host.kill()
    const log = await createPgliteCallLog({ directory })
    for (const callId of host.ran) {
      const allowed = host.done.includes(callId) ? ['completed'] : ['completed', 'interrupted']
      expect(allowed).toContain((await log.get(callId))?.status)
    }
    expect((await log.query({ status: 'started' })).calls).toEqual([])
    await log.close()
  }
})

it('starts anew over a first start that never came to its end', async () => {
  const folder = join(directory, 'half')
  await (await createPgliteCallLog({ directory: folder })).close()
  await rm(join(folder, '.complete'))
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), 'torn')
  const log = await createPgliteCallLog({ directory: folder })
  await log.logToolStart(makeStart())
  expect((await log.query()).calls).toHaveLength(1)
  await log.close()
})

it('makes no tables in a new folder where none may be made', async () => {
  for (const schema of ['toolcrib', 'elsewhere'])
    await expect(
      createPgliteCallLog({ directory: join(directory, schema), schema, migrate: false }),
    ).rejects.toMatchObject({ code: 'LOG_SCHEMA_OLDER' })
})

it('begins with the tables of its schema and of no other', async () => {
  const before = Date.now()
  const log = await createPgliteCallLog({ directory, schema: 'elsewhere' })
  await log.logToolStart(makeStart())
  await log.close()
  const database = new PGlite(join(directory, 'postgres'))
  const { rows } = await database.query(
    `select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`,
  )
  expect(rows.map((row) => (row as { nspname: string }).nspname)).toEqual(['elsewhere', 'public'])
  await database.close()

  const usual = join(directory, 'usual')
  await (await createPgliteCallLog({ directory: usual })).close()
  const other = new PGlite(join(usual, 'postgres'))
  const applied = await other.query<{ applied_at: Date }>(
    'select applied_at from toolcrib.call_log_migrations',
  )
  expect(applied.rows).toHaveLength(migrations.length)
  // The template is older than the folder.
  for (const row of applied.rows)
    expect(row.applied_at.getTime()).toBeGreaterThanOrEqual(before - 1)
  await other.close()
})

it('lets timers run while it writes without pause', async () => {
  const log = await createPgliteCallLog()
  const timers = { ticks: 0 }
  const timer = setInterval(() => {
    timers.ticks += 1
  }, 1)
  // Writing that let no timer run would let no deadline of a test end it either.
  const writeOn = async (): Promise<void> => {
    for (let row = 0; row < 20_000 && timers.ticks <= 10; row += 1)
      await log.logToolStart(makeStart())
  }
  await Promise.all([writeOn(), writeOn()])
  clearInterval(timer)
  expect(timers.ticks).toBeGreaterThan(10)
  await log.close()
})

it('drops days, as the log on a server does', async () => {
  const day = Date.parse('2026-03-30T12:00:00Z')
  const log = await createPgliteCallLog({ now: () => day })
  await log.logToolStart(makeStart({ startedAt: day }))
  await log.logToolStart(makeStart({ startedAt: day - 5 * 86_400_000 }))
  expect(await log.dropBefore(new Date('2026-03-31T00:00:00Z'))).toHaveLength(2)
  expect((await log.query()).calls).toEqual([])
  await log.close()
})
