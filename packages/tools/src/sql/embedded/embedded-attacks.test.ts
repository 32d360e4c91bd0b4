import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyEmbeddedFolder } from '../../../test/embedded-folder.ts'
import { createRunner } from '../../../test/sql-database-contract.ts'
import type { SqlDatabase } from '../sql-tool.ts'
import { createEmbeddedDatabase } from './embedded-database.ts'

const directory = join(mkdtempSync(join(tmpdir(), 'toolcrib-embedded-')), 'database')
/** A first start on a busy machine takes its time. */
const startMs = 180_000

let database: SqlDatabase
const { run, codeOf } = createRunner(() => database)
const errorOf = (query: string, limits = {}): Promise<unknown> =>
  run(query, [], limits).then(
    () => undefined,
    (error: unknown) => error,
  )

beforeAll(async () => {
  await copyEmbeddedFolder(directory)
  database = createEmbeddedDatabase({ directory })
  await run('create table kept (a int)')
  await run('insert into kept values (1)')
  await run('create table fresh (a int)')
  await run(`select lo_from_bytea(70001, 'x')`)
}, startMs)
afterAll(async () => {
  await database.close()
  rmSync(dirname(directory), { recursive: true, force: true })
})

/** In the memory of the thread: gone as soon as another one serves. */
const markThread = `copy (select 1) to '/tmp/this-thread'`
const isSameThread = `select (pg_stat_file('/tmp/this-thread', true)).size is not null as same`
const keptRows = `select a from kept`

const asBlock = (query: string): string =>
  `do $$ begin execute '${query.replaceAll("'", "''")}'; end $$`

describe('a statement that would end or break the server', () => {
  const programs = [
    `copy (select 1) to program 'cat'`,
    `copy kept to program 'true'`,
    `copy fresh from program 'echo 1'`,
    `copy fresh from program 'locale -a'`,
    `select pg_import_system_collations('pg_catalog')`,
  ]
  const serverFiles = [
    ...['global/pg_control', 'PG_VERSION', 'global/pg_filenode.map', 'base/5/1259'].flatMap(
      (name) => [
        `copy (select 1) to '/pglite/data/${name}'`,
        `copy (select 1) to '/tmp/../pglite/data/${name}'`,
        `select lo_export(70001, '${name}')`,
        `select lo_export(70001, '/pglite/data/${name}')`,
      ],
    ),
    ...['recovery.signal', 'standby.signal', 'backup_label', 'postmaster.pid'].map(
      (name) => `copy (select 1) to '/pglite/data/${name}'`,
    ),
    `copy fresh from '/dev/blob'`,
    `copy fresh from '/dev/random'`,
    `select pg_read_file('/dev/random')`,
    `copy (select 1) to '/dev/blob'`,
  ]
  const deep = [
    `select (repeat('[', 100000) || repeat(']', 100000))::jsonb`,
    `select repeat('[', 100000)::json`,
    `select 'a' ~ repeat('(', 20000)`,
    `select 'a' similar to repeat('(a|', 20000)`,
  ]

  test.for([...programs, ...programs.map(asBlock), ...serverFiles, ...deep])(
    'is refused, and the server goes on: %s',
    async (query) => {
      await run(markThread)
      expect(await codeOf(query, [], { timeoutMs: 60_000 })).toBe('SQL_FAILED')
      expect((await run(isSameThread)).rows).toEqual([{ same: true }])
      expect((await run(keptRows)).rows).toEqual([{ a: 1 }])
    },
  )

  test('says why where it is a program', async () => {
    expect(await errorOf(programs[0]!)).toMatchObject({
      message: 'could not execute command "cat": Operation not permitted',
    })
  })

  test('is refused where a function calls itself for ever', async () => {
    await run(`create function endless(a int) returns int language plpgsql as
      $$ begin return endless(a + 1); end $$`)
    await run(markThread)
    expect(await errorOf('select endless(1)', { timeoutMs: 60_000 })).toMatchObject({
      code: 'SQL_FAILED',
      message: expect.stringContaining('stack depth limit exceeded') as string,
    })
    expect((await run(isSameThread)).rows).toEqual([{ same: true }])
  })

  test('and can, fails, and the next one finds what was committed', async () => {
    await run(markThread)
    const ending = `do $$ begin perform set_config('exit_on_error', 'on', false); raise exception 'x'; end $$`
    expect(await errorOf(ending)).toMatchObject({
      code: 'SQL_UNAVAILABLE',
      message:
        'The embedded database broke down: the server ended itself. It starts again with the next statement; what had been committed is kept.',
    })
    expect((await run(isSameThread)).rows).toEqual([{ same: false }])
    expect((await run(keptRows)).rows).toEqual([{ a: 1 }])
  })

  test('finds the folder in order when it starts again', async () => {
    expect(await errorOf('select pg_sleep(60)', { timeoutMs: 100 })).toMatchObject({
      code: 'SQL_TIMEOUT',
      message:
        'The statement took longer than 100 ms and was ended. What it had not committed was rolled back, and what had been committed is kept. Ask for less at once, add an index, or raise timeoutMs.',
      data: { timeoutMs: 100, mayStillRun: false, databaseLost: false },
    })
    expect((await run(keptRows)).rows).toEqual([{ a: 1 }])
  })

  test.for([
    'set session authorization nobody',
    `select set_config('session_authorization', 'nobody', false)`,
    'set role nobody',
    asBlock('set session authorization nobody'),
  ])('leaves the next one the rights it had: %s', async (query) => {
    await run(asBlock('create role nobody')).catch(() => undefined)
    await run(markThread)
    await run(query)
    expect((await run(keptRows)).rows).toEqual([{ a: 1 }])
    expect((await run(isSameThread)).rows).toEqual([{ same: true }])
  })

  test('does not end one that changes what sessions begin with', async () => {
    await run(markThread)
    for (const query of ['drop extension plpgsql cascade', 'create extension plpgsql'])
      await run(query)
    expect((await run(isSameThread)).rows).toEqual([{ same: true }])
  })
})

describe('an embedded database in memory', () => {
  test(
    'says that it was lost, to the statement that was ended and to the next one, and then goes on',
    async () => {
      const memory = createEmbeddedDatabase()
      const runner = createRunner(() => memory)
      const failing = (query: string, limits = {}): Promise<unknown> =>
        runner.run(query, [], limits).catch((error: unknown) => error)
      const lost = {
        code: 'SQL_DATABASE_LOST',
        message: expect.stringContaining('This statement did not run.') as string,
      }
      await runner.run('create table kept (a int)')
      expect(await failing('select pg_sleep(60)', { timeoutMs: 100 })).toMatchObject({
        code: 'SQL_TIMEOUT',
        message:
          'The statement took longer than 100 ms and was ended. The database lives in memory and was lost with it: all tables and rows are gone. Ask for less at once, add an index, or raise timeoutMs.',
        data: { databaseLost: true },
      })
      expect(await failing('create table if not exists kept (a int)')).toMatchObject(lost)
      expect(await runner.codeOf('select * from kept')).toBe('SQL_FAILED')

      // Where the caller gave up, only the next one can be told.
      const controller = new AbortController()
      const limits = { timeoutMs: 60_000, maxRows: 1, maxBytes: 1000, readOnly: false }
      const call = { query: 'select pg_sleep(60)', params: [] }
      const given = memory.run(call, limits, controller.signal)
      setTimeout(() => controller.abort(new Error('given up')), 200)
      await expect(given).rejects.toThrow('given up')
      expect(await failing('select 1')).toMatchObject(lost)

      await memory.close()
      expect(await runner.codeOf('select 1')).toBe('SQL_UNAVAILABLE')
    },
    startMs,
  )
})
