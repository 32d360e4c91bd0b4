import { setTimeout as wait } from 'node:timers/promises'
import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import type { LoggedToolCall, ToolCallStart } from '@toolcrib/registry'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startHost } from '../test/child-host.ts'
import { makeCompletion, makeStart } from '../test/sample-calls.ts'
import { createPostgresCallLog, type DurableCallLog } from './index.ts'

let server: RealPostgres
let connectionString: string

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
beforeEach(async () => {
  connectionString = await server.createDatabase()
})

const graceMs = 1000
const open = (): Promise<DurableCallLog> =>
  createPostgresCallLog({ connectionString, graceMs, sweepIntervalMs: 86_400_000 })

async function query(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Makes a host look as it does to others after the network to it has failed for long: silent, its lock gone. */
async function silence(log: DurableCallLog): Promise<void> {
  await query(
    `select pg_terminate_backend(pg_locks.pid) from pg_locks, toolcrib.hosts
      where locktype = 'advisory' and host_id = $1
        and (classid::bigint << 32 | objid::bigint) = lock_key`,
    [log.hostId],
  )
  await query(
    `update toolcrib.hosts set last_seen = now() - interval '1 hour' where host_id = $1`,
    [log.hostId],
  )
}

/** Sweeps a host as soon as it looks dead; on a busy machine its next sign of life may come first. */
async function sweepSilent(host: DurableCallLog, sweeper: DurableCallLog): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    await silence(host)
    // oxlint-disable-next-line no-await-in-loop -- see above
    const swept = await sweeper.sweep()
    if (swept > 0) return swept
  }
  return 0
}

const openCalls = `select s.call_id from toolcrib.tool_calls s where s.kind = 's' and not exists
  (select from toolcrib.tool_calls e where e.call_id = s.call_id and e.kind = 'e')`

/** `pnpm test:long` runs the full hundred. */
const kills = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? 4 : 100

it(`after ${kills} kills with -9 every call that ran has a start row and, once swept, one terminal row`, async () => {
  const sweeper = await open()
  const ran: string[] = []
  const done: string[] = []
  for (let killed = 0; killed < kills; killed += 4) {
    const hosts = await Promise.all(
      Array.from({ length: Math.min(4, kills - killed) }, () =>
        startHost('postgres', connectionString, String(graceMs)),
      ),
    )
    expect(hosts.map((host) => host.firstLine)).toEqual(hosts.map(() => 'open'))
    await Promise.all(hosts.map((host) => wait(30 + Math.random() * 200).then(() => host.kill())))
    for (const host of hosts) {
      ran.push(...host.ran)
      done.push(...host.done)
    }
  }
  expect(ran.length).toBeGreaterThan(kills * 20)
  expect((await query(openCalls)).length).toBeGreaterThan(kills)
  await expect
    .poll(async () => (await sweeper.sweep(), query(openCalls)), { timeout: 15_000, interval: 200 })
    .toEqual([])
  const rows = await query('select call_id, kind, status from toolcrib.tool_calls')
  const started = new Set(rows.filter(({ kind }) => kind === 's').map((row) => row['call_id']))
  const ended = new Map(
    rows.filter(({ kind }) => kind === 'e').map((row) => [row['call_id'], row['status']]),
  )
  expect(ran.filter((callId) => !started.has(callId))).toEqual([])
  expect(done.filter((callId) => ended.get(callId) !== 'completed')).toEqual([])
  expect(rows.filter(({ kind }) => kind === 'e')).toHaveLength(started.size)
  const { interrupted = 0 } = (await sweeper.statistics())[0] ?? {}
  expect(interrupted).toBe(
    started.size - [...ended.values()].filter((status) => status === 'completed').length,
  )
  await sweeper.close()
})

it('sweeps to interrupted, outcome unknown', async () => {
  const dead = await open()
  const other = await open()
  const start = makeStart()
  await dead.logToolStart(start)
  expect(await sweepSilent(dead, other)).toBe(1)
  expect(await other.sweep()).toBe(0)
  const call = await other.get(start.callId)
  expect(call).toMatchObject({
    status: 'interrupted',
    hostId: dead.hostId,
    error: {
      code: 'INTERRUPTED',
      data: { outcome: 'unknown', lastSeen: expect.any(Number) as number },
    },
  })
  expect(call?.durationMs).toBeUndefined()
  await dead.close()
  await other.close()
})

it('never sweeps a host that holds its lock, however long it was silent', async () => {
  const busy = await open()
  const other = await open()
  const start = makeStart()
  await busy.logToolStart(start)
  await query(`update toolcrib.hosts set last_seen = now() - interval '1 day' where host_id = $1`, [
    busy.hostId,
  ])
  expect(await other.sweep()).toBe(0)
  await busy.logToolComplete(makeCompletion(start))
  expect((await other.get(start.callId))?.status).toBe('completed')
  await busy.close()
  await other.close()
})

it('never sweeps a host that was seen within the grace, though its lock is free', async () => {
  const [host, other] = [await open(), await open()]
  await host.logToolStart(makeStart())
  await silence(host)
  await query(`update toolcrib.hosts set last_seen = clock_timestamp() where host_id = $1`, [
    host.hostId,
  ])
  expect(await other.sweep()).toBe(0)
  await host.close()
  await other.close()
})

it('sweeps what a host left open when it closed', async () => {
  const [host, other] = [await open(), await open()]
  const start = makeStart()
  await host.logToolStart(start)
  await host.close()
  expect(await other.sweep()).toBe(1)
  expect((await other.get(start.callId))?.status).toBe('interrupted')
  await other.close()
})

it('gives each call one terminal row when several sweep at once', async () => {
  const dead = await open()
  const sweepers = await Promise.all([open(), open(), open(), open()])
  await Promise.all(Array.from({ length: 200 }, () => dead.logToolStart(makeStart())))
  let swept: readonly number[]
  do {
    // A host whose connection was cut comes back by itself, on a slow machine before the first sweep: then none may sweep it.
    await silence(dead)
    swept = await Promise.all(sweepers.map((sweeper) => sweeper.sweep()))
  } while (swept.every((count) => count === 0))
  expect(swept.reduce((sum, count) => sum + count, 0)).toBe(200)
  expect(await query(`select from toolcrib.tool_calls where kind = 'e'`)).toHaveLength(200)
  await Promise.all([dead, ...sweepers].map((log) => log.close()))
})

it('keeps what a host that was swept reports afterwards as late, and lets it go on', async () => {
  const zombie = await open()
  const other = await open()
  const starts = Array.from({ length: 30 }, () => makeStart())
  await Promise.all(starts.map((start) => zombie.logToolStart(start)))
  expect(await sweepSilent(zombie, other)).toBe(30)
  await Promise.all(starts.map((start) => zombie.logToolComplete(makeCompletion(start))))
  const calls: readonly LoggedToolCall[] = (await other.query()).calls
  expect(calls.map((call) => [call.status, call.late?.status])).toEqual(
    starts.map(() => ['interrupted', 'completed']),
  )
  const [first] = starts as [ToolCallStart]
  expect((await other.get(first.callId))?.late).toMatchObject({ outputText: '31.5', durationMs: 5 })
  const again = makeStart()
  await zombie.logToolStart(again)
  expect(await other.sweep()).toBe(0)
  await zombie.close()
  await other.close()
})

it('comes back after its own connection was cut, and cannot be swept then', async () => {
  const host = await open()
  const other = await open()
  const start = makeStart()
  await host.logToolStart(start)
  await silence(host)
  await wait(graceMs)
  expect(await other.sweep()).toBe(0)
  const [row] = await query(
    `select clock_timestamp() - last_seen < interval '1 second' as seen from toolcrib.hosts where host_id = $1`,
    [host.hostId],
  )
  expect(row?.['seen']).toBe(true)
  await host.close()
  await other.close()
})
