import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { drizzle } from 'drizzle-orm/node-postgres'
import { and, eq } from 'drizzle-orm'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeCallId, makeCompletion, makeStart } from '../test/sample-calls.ts'
import {
  callLogErrorCatalogue,
  createCallLogTables,
  createPostgresCallLog,
  migrate,
  migrationStatus,
  toolCalls,
} from './index.ts'

let server: RealPostgres
let connectionString: string

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
beforeEach(async () => {
  connectionString = await server.createDatabase()
})

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const day = (iso: string): number => Date.parse(`${iso}T12:00:00Z`)

describe('migrations', () => {
  it('are applied once when 24 hosts boot at once', async () => {
    const logs = await Promise.all(
      Array.from({ length: 24 }, () => createPostgresCallLog({ connectionString, inflight: 1 })),
    )
    expect(await query('select id from toolcrib.call_log_migrations')).toEqual([
      { id: 1 },
      { id: 2 },
    ])
    await Promise.all(logs.map((log) => log.logToolStart(makeStart())))
    expect((await logs[0]?.query())?.calls).toHaveLength(24)
    await Promise.all(logs.map((log) => log.close()))
  })

  it('are listed by a dry run that changes nothing', async () => {
    const planned = await migrate({ connectionString, schema: 'mine', dryRun: true })
    expect(planned.applied).toEqual([])
    expect(planned.pending).toMatchObject([
      { id: 1, name: 'call-log' },
      { id: 2, name: 'reads' },
    ])
    expect(planned.pending[0]?.sql).toContain('create table mine.tool_calls')
    expect(await query(`select from pg_namespace where nspname = 'mine'`)).toEqual([])
    const applied = await migrate({ connectionString, schema: 'mine' })
    expect(applied).toMatchObject({ schema: 'mine', applied: [{ id: 1 }, { id: 2 }], pending: [] })
    expect(await migrationStatus({ connectionString, schema: 'mine' })).toEqual(applied)
    expect((await migrationStatus({ connectionString })).pending).toHaveLength(2)
  })

  it('of a newer version are refused', async () => {
    await migrate({ connectionString })
    await query(`insert into toolcrib.call_log_migrations values (99, 'future', 'x')`)
    await expect(createPostgresCallLog({ connectionString })).rejects.toMatchObject({
      code: 'LOG_SCHEMA_NEWER',
      data: { id: 99 },
    })
    await expect(migrate({ connectionString })).rejects.toMatchObject({ code: 'LOG_SCHEMA_NEWER' })
  })

  it('that differ from what was applied are refused', async () => {
    await migrate({ connectionString })
    await query(`update toolcrib.call_log_migrations set hash = 'edited'`)
    await expect(createPostgresCallLog({ connectionString })).rejects.toMatchObject({
      code: 'LOG_SCHEMA_CHANGED',
    })
  })

  it('are left to the operator when the log was told so', async () => {
    await expect(createPostgresCallLog({ connectionString, migrate: false })).rejects.toMatchObject(
      { code: 'LOG_SCHEMA_OLDER' },
    )
    await migrate({ connectionString })
    await (await createPostgresCallLog({ connectionString, migrate: false })).close()
  })

  it('refuse a database that is not UTF-8', async () => {
    await query(`create database latin encoding 'LATIN1' locale 'C' template template0`)
    await expect(
      migrate({ connectionString: connectionString.replace(/[^/]*$/, 'latin') }),
    ).rejects.toMatchObject({
      code: 'LOG_DATABASE_UNSUPPORTED',
    })
  })
})

describe('the tables', () => {
  it('refuse UPDATE, DELETE and TRUNCATE, on partitions too', async () => {
    const log = await createPostgresCallLog({ connectionString })
    const start = makeStart({ inputText: 'x'.repeat(300_000) })
    await log.logToolStart(start)
    await log.logToolStart(makeStart({ callId: makeCallId(1) }))
    const today = new Date().toISOString().slice(0, 10).replaceAll('-', '_')
    for (const table of ['tool_calls', `tool_calls_${today}`, 'tool_calls_default'])
      for (const attack of [
        `update toolcrib.${table} set status = 'completed'`,
        `delete from toolcrib.${table}`,
        `truncate toolcrib.${table}`,
      ])
        await expect(query(attack)).rejects.toThrow('append-only')
    for (const table of ['tool_call_texts', `tool_call_texts_${today}`])
      for (const attack of [
        `update toolcrib.${table} set content = ''`,
        `delete from toolcrib.${table}`,
        `truncate toolcrib.${table}`,
      ])
        await expect(query(attack)).rejects.toThrow('append-only')
    await expect(
      query(
        `insert into toolcrib.tool_calls (call_id, kind, namespace, tool_name, status, host_id, at) select call_id, kind, namespace, tool_name, status, host_id, at from toolcrib.tool_calls on conflict (call_id, kind) do update set status = 'failed'`,
      ),
    ).rejects.toThrow('append-only')
    await log.close()
  })

  it('link the rows of a call: the parent of an end is its start', async () => {
    const log = await createPostgresCallLog({ connectionString })
    const start = makeStart()
    await log.logToolStart(start)
    await log.logToolComplete(makeCompletion(start))
    expect(
      await query('select kind, parent_id from toolcrib.tool_calls order by kind desc'),
    ).toEqual([
      { kind: 's', parent_id: null },
      { kind: 'e', parent_id: start.callId },
    ])
    await log.close()
  })

  it('compress texts with lz4 where the server has it, and store large ones as they are elsewhere', async () => {
    await migrate({ connectionString })
    const [setting] = await query(
      `select 'lz4' = any(enumvals) as lz4 from pg_settings where name = 'default_toast_compression'`,
    )
    const columns = await query(
      `select attcompression as compression, attstorage as storage from pg_attribute
        where attrelid = 'toolcrib.tool_call_texts'::regclass and attname = 'content'`,
    )
    const expected =
      setting?.['lz4'] === true
        ? { compression: 'l', storage: 'x' }
        : { compression: '', storage: 'e' }
    expect(columns).toEqual([expected])
  })

  it('can be queried with drizzle by anybody, in any schema', async () => {
    const log = await createPostgresCallLog({ connectionString, schema: 'mine' })
    const start = makeStart({ toolName: 'mine' })
    await log.logToolStart(start)
    await log.logToolComplete(makeCompletion(start, { outputText: '{"a":[1,2]}' }))
    const pool = new Pool({ connectionString })
    pool.on('error', () => undefined)
    const tables = createCallLogTables('mine')
    const rows = await drizzle(pool)
      .select({ id: tables.toolCalls.callId, output: tables.toolCalls.output })
      .from(tables.toolCalls)
      .where(and(eq(tables.toolCalls.toolName, 'mine'), eq(tables.toolCalls.kind, 'e')))
    expect(rows).toEqual([{ id: start.callId, output: '{"a":[1,2]}' }])
    await pool.end()
    expect(
      await query(`select mine.as_jsonb(output)->'a'->1 as two from mine.invocations`),
    ).toEqual([{ two: 2 }])
    expect(await query(`select mine.as_jsonb('"\\u0000"') as nothing`)).toEqual([{ nothing: null }])
    expect(toolCalls.callId.name).toBe('call_id')
    await log.close()
  })
})

describe('partitions', () => {
  const names = async (): Promise<string[]> =>
    (
      await query(
        `select relname from pg_class where relname like 'tool_calls_2%' and relkind = 'r' order by 1`,
      )
    ).map((row) => String(row['relname']))

  it('are made for today and the days ahead', async () => {
    const log = await createPostgresCallLog({
      connectionString,
      now: () => day('2026-03-30'),
      daysAhead: 2,
    })
    expect(await names()).toEqual([
      'tool_calls_2026_03_30',
      'tool_calls_2026_03_31',
      'tool_calls_2026_04_01',
    ])
    await log.close()
  })

  it('are made for the next day from two hours before it begins', async () => {
    const open = async (iso: string): Promise<string[]> => {
      const now = (): number => Date.parse(iso)
      await (await createPostgresCallLog({ connectionString, now, daysAhead: 0 })).close()
      return names()
    }
    expect(await open('2026-03-30T21:59:59Z')).toEqual(['tool_calls_2026_03_30'])
    expect(await open('2026-03-30T22:00:00Z')).toEqual([
      'tool_calls_2026_03_30',
      'tool_calls_2026_03_31',
    ])
  })

  it('take in the rows that a clock running ahead had put in the default partition', async () => {
    const first = await createPostgresCallLog({
      connectionString,
      now: () => day('2026-03-30'),
      daysAhead: 0,
    })
    const ahead = makeStart({
      callId: makeCallId(day('2026-04-02')),
      inputText: 'y'.repeat(300_000),
    })
    const far = makeStart({ callId: makeCallId(day('2099-01-01')) })
    for (const start of [ahead, far]) {
      await first.logToolStart(start)
      await first.logToolComplete(makeCompletion(start))
    }
    await first.close()
    expect(await query('select from toolcrib.tool_calls_default')).toHaveLength(4)
    const second = await createPostgresCallLog({
      connectionString,
      now: () => day('2026-04-02'),
      daysAhead: 0,
    })
    expect(await query('select from toolcrib.tool_calls_2026_04_02')).toHaveLength(2)
    expect(await query('select from toolcrib.tool_calls_default')).toHaveLength(2)
    expect((await second.get(ahead.callId))?.inputText).toHaveLength(300_000)
    expect((await second.get(far.callId))?.status).toBe('completed')
    await expect(query('delete from toolcrib.tool_calls_default')).rejects.toThrow('append-only')
    await expect(query('truncate toolcrib.tool_calls_default')).rejects.toThrow('append-only')
    await second.close()
  })

  it('are dropped with the days they hold, and nothing younger', async () => {
    let now = day('2026-03-30')
    const log = await createPostgresCallLog({ connectionString, now: () => now, daysAhead: 3 })
    const days = ['2026-03-29', '2026-03-30', '2026-03-31', '2026-04-01']
    const starts = days.map((iso) =>
      makeStart({ callId: makeCallId(day(iso)), startedAt: day(iso) }),
    )
    for (const start of starts) await log.logToolStart(start)
    now = day('2026-04-01')
    expect(await log.dropBefore(new Date('2026-03-31T23:00:00Z'))).toEqual([
      'tool_call_texts_2026_03_30',
      'tool_calls_2026_03_30',
    ])
    expect(
      (await log.query({ order: 'oldest-first' })).calls.map((call) => call.startedAt),
    ).toEqual([day('2026-03-31'), day('2026-04-01')])
    await log.close()
  })

  it('lose nothing when the clock jumps to and fro', async () => {
    const times = [day('2026-03-30'), day('2031-01-01'), day('2020-01-01'), day('2026-03-30')]
    let now = times[0] as number
    const log = await createPostgresCallLog({ connectionString, now: () => now })
    for (const time of times) {
      now = time
      const start = makeStart({ startedAt: time })
      await log.logToolStart(start)
      await log.logToolComplete(makeCompletion(start))
    }
    expect((await log.query({ status: 'completed' })).calls).toHaveLength(4)
    await log.close()
  })
})

describe('options', () => {
  it.each([
    ['schema', { schema: 'Bad' }],
    ['schema', { schema: 'x; drop table y' }],
    ['schema', { schema: 'pg_mine' }],
    ['schema', { schema: 'x'.repeat(49) }],
    ['maxBatch', { maxBatch: 0 }],
    ['maxBatch', { maxBatch: 10_001 }],
    ['inflight', { inflight: 17 }],
    ['writeTimeoutMs', { writeTimeoutMs: 0 }],
    ['maxPendingRows', { maxPendingRows: 0 }],
    ['maxTextBytes', { maxTextBytes: -1 }],
    ['retentionDays', { retentionDays: 0 }],
    ['daysAhead', { daysAhead: 61 }],
    ['graceMs', { graceMs: 99 }],
    ['pool', { pool: new Pool() }],
  ])('refuse %s out of range', async (option, options) => {
    await expect(createPostgresCallLog({ connectionString, ...options })).rejects.toMatchObject({
      code: 'LOG_OPTION_INVALID',
      data: { option },
    })
  })

  it('name a database that is not there', async () => {
    await expect(
      createPostgresCallLog({ connectionString: 'postgres://x:y@127.0.0.1:1/z' }),
    ).rejects.toMatchObject({
      code: 'LOG_DATABASE_UNAVAILABLE',
    })
  })

  it('list every code once', () => {
    expect(Object.keys(callLogErrorCatalogue)).toContain('LOG_WRITE_FAILED')
  })
})
