import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createRunner,
  defaultLimits,
  describeSqlDatabase,
} from '../../../test/sql-database-contract.ts'
import { createAgentDatabase } from '../agent-database.ts'
import { createPostgresDatabase } from './postgres-database.ts'
import { checkPostgresRole } from './postgres-role.ts'
import type { SqlDatabase } from '../sql-tool.ts'

let server: RealPostgres
let connectionString: string

beforeAll(async () => {
  server = await startPostgres(['-c', 'max_prepared_transactions=5'])
  ;({ connectionString } = await createAgentDatabase({ administrator: server.addressOf() }))
})

afterAll(() => server.stop())

describeSqlDatabase({
  name: 'Postgres, with an administrator to end statements',
  open: async () => createPostgresDatabase({ connectionString, terminate: server.addressOf() }),
  fenced: true,
})

const activity = (text: string): Promise<readonly Record<string, unknown>[]> =>
  server.query(
    `select pid from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like '%${text}%'`,
  )

describe('a database on a Postgres server', () => {
  let database: SqlDatabase
  const { run, codeOf } = createRunner(() => database)

  beforeAll(() => {
    database = createPostgresDatabase({ connectionString, lockTimeoutMs: 200 })
  })
  afterAll(() => database.close())

  test('a statement that is out of time has ended on the server, too', async () => {
    expect(await codeOf('select pg_sleep(60), 1001', [], { timeoutMs: 300 })).toBe('SQL_TIMEOUT')
    expect(await activity('1001')).toEqual([])
  })

  test('a statement that ignores being cancelled ends without an administrator, because its client is gone', async () => {
    const query = `do $$ begin loop begin perform pg_sleep(60), 1002; exception when query_canceled then null; end; end loop; end $$`
    const failure = await run(query, [], { timeoutMs: 300 }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'SQL_TIMEOUT', data: { mayStillRun: false } })
    expect(await activity('1002')).toEqual([])
  })

  test('a statement that also hides that its client is gone is reported as possibly still running', async () => {
    const query = `do $$ begin perform set_config('client_connection_check_interval', '0', false), set_config('statement_timeout', '0', false); loop begin perform pg_sleep(60), 1003; exception when query_canceled then null; end; end loop; end $$`
    const failure = await run(query, [], { timeoutMs: 300 }).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'SQL_TIMEOUT',
      message: expect.stringContaining('may still run') as string,
      data: { mayStillRun: true },
    })
    expect(await activity('1003')).toHaveLength(1)
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%1003%' and pid <> pg_backend_pid()`,
    )
  })

  test('the same statement ends where an administrator may end it', async () => {
    const strict = createPostgresDatabase({ connectionString, terminate: server.addressOf() })
    const query = `do $$ begin perform set_config('client_connection_check_interval', '0', false), set_config('statement_timeout', '0', false); loop begin perform pg_sleep(60), 1004; exception when query_canceled then null; end; end loop; end $$`
    const failure = await strict
      .run(
        { query, params: [] },
        { ...defaultLimits, timeoutMs: 300 },
        new AbortController().signal,
      )
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'SQL_TIMEOUT', data: { mayStillRun: false } })
    expect(await activity('1004')).toEqual([])
    await strict.close()
  })

  test('a statement of an aborted call has ended on the server', async () => {
    const controller = new AbortController()
    const running = database.run(
      { query: 'select pg_sleep(60), 1005', params: [] },
      defaultLimits,
      controller.signal,
    )
    while ((await activity('1005')).length === 0);
    controller.abort(new Error('given up'))
    await expect(running).rejects.toThrow('given up')
    expect(await activity('1005')).toEqual([])
  })

  test('a locked table is an error that says so', async () => {
    await run('create table locked_table (a int)')
    const holder = createPostgresDatabase({ connectionString })
    const holding = holder.run(
      { query: 'do $$ begin lock table locked_table; perform pg_sleep(2); end $$', params: [] },
      defaultLimits,
      new AbortController().signal,
    )
    while (
      (
        await server.query(
          `select 1 from pg_locks where mode = 'AccessExclusiveLock' and granted and relation = (select 'locked_table'::regclass)`,
          'toolcrib_agent',
        )
      ).length === 0
    );
    expect(await codeOf('select * from locked_table')).toBe('SQL_LOCKED')
    await holding
    await holder.close()
  })

  test('a flood of rows is cut off, and the answer says whether its changes were undone', async () => {
    await run('create table flooded (a text)')
    const outcome = await run(
      `insert into flooded select repeat('x', 1000000) from generate_series(1, 40) returning a`,
    )
    expect(outcome).toMatchObject({ truncated: true, rows: [] })
    // The cancel may come too late; then everything is there, and the answer does not say otherwise.
    const n = outcome.rolledBack === true ? 0 : 40
    expect((await run('select count(*)::int as n from flooded')).rows).toEqual([{ n }])
  })

  test('rows that are left out by their number are changed all the same', async () => {
    await run('create table many (a int)')
    const outcome = await run('insert into many select generate_series(1, 50) returning a', [], {
      maxRows: 10,
    })
    expect(outcome).toMatchObject({ truncated: true, rows: { length: 10 } })
    expect((await run('select count(*)::int as n from many')).rows).toEqual([{ n: 50 }])
  })

  test('a late cancel does not hit the next statement', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect(await codeOf('copy (select 1) to stdout')).toBe('SQL_FAILED')
      expect((await run('select 1 as a, pg_sleep(0.02)::text as b')).rows).toEqual([
        { a: 1, b: '' },
      ])
    }
  })

  test('statements that cannot run in a transaction run', async () => {
    await run('create table vacuumed (a int)')
    expect(await run('vacuum vacuumed')).toMatchObject({ rowCount: 0 })
    expect(await run('create index concurrently on vacuumed (a)')).toMatchObject({ rowCount: 0 })
  })

  test('a limit that a statement names for its role does not outlive the next connection', async () => {
    await run(
      `do $$ begin execute format('alter role %I set statement_timeout = 0', current_user); execute format('alter role %I set datestyle = ''German''', current_user); end $$`,
    )
    const fresh = createPostgresDatabase({ connectionString })
    const { rows } = await fresh.run(
      {
        query: `select current_setting('statement_timeout') as t, date '2026-01-02' as d`,
        params: [],
      },
      defaultLimits,
      new AbortController().signal,
    )
    // The limit of the call, and a second in which it is cancelled otherwise.
    const statementTimeout = `${defaultLimits.timeoutMs / 1000 + 1}s`
    expect(rows).toEqual([{ t: statementTimeout, d: '2026-01-02' }])
    await fresh.close()
  })

  test('more calls than connections wait for their turn', async () => {
    const narrow = createPostgresDatabase({ connectionString, maxConnections: 1 })
    const runner = createRunner(() => narrow)
    const answers = await Promise.all(
      [1, 2, 3].map(async (n) => (await runner.run('select $1::int as a', [n])).rows[0]?.['a']),
    )
    expect(answers).toEqual([1, 2, 3])
    await narrow.close()
  })

  test('a call that gets no connection in time says so and leaves the queue', async () => {
    const narrow = createPostgresDatabase({ connectionString, maxConnections: 1 })
    const runner = createRunner(() => narrow)
    const long = runner.run('select pg_sleep(1)')
    expect(await runner.codeOf('select 1', [], { timeoutMs: 100 })).toBe('SQL_TIMEOUT')
    await long
    expect((await runner.run('select 1 as a')).rows).toEqual([{ a: 1 }])
    await narrow.close()
  })

  test('after close nothing runs', async () => {
    const closed = createPostgresDatabase({ connectionString })
    await closed.close()
    expect(await createRunner(() => closed).codeOf('select 1')).toBe('SQL_UNAVAILABLE')
  })
})

describe('the role of a database', () => {
  beforeAll(async () => {
    await server.query('create role somebody login')
    await server.query('create role owners')
    await server.query('create database owned owner owners')
    await server.query('create role readers')
    await server.query('grant execute on function pg_read_file(text) to readers')
    await server.query('create role setters')
    await server.query('grant alter system on parameter archive_command to setters')
  })

  test('a superuser is refused, and the finding names it', async () => {
    const administrator = server.addressOf('toolcrib_agent')
    const { codeOf } = createRunner(() =>
      createPostgresDatabase({ connectionString: administrator }),
    )
    expect(await codeOf('select 1')).toBe('SQL_ROLE_PRIVILEGED')
    expect(await checkPostgresRole({ connectionString: administrator })).toEqual([
      expect.stringContaining('SUPERUSER') as string,
    ])
  })

  test('a superuser is taken where that is asked for', async () => {
    const database = createPostgresDatabase({
      connectionString: server.addressOf('toolcrib_agent'),
      allowPrivilegedRole: true,
    })
    expect((await createRunner(() => database).run('select 1 as a')).rows).toEqual([{ a: 1 }])
    await database.close()
  })

  test.for([
    ['create role risky login password $$x$$ createrole', 'CREATEROLE'],
    ['create role risky login password $$x$$ createdb', 'CREATEDB'],
    ['create role risky login password $$x$$ replication', 'REPLICATION'],
    ['create role risky login password $$x$$ bypassrls', 'BYPASSRLS'],
    [
      'create role risky login password $$x$$ noinherit in role pg_read_server_files',
      'pg_read_server_files',
    ],
    [
      'create role risky login password $$x$$ in role pg_execute_server_program',
      'pg_execute_server_program',
    ],
    ['create role risky login password $$x$$ in role pg_signal_backend', 'pg_signal_backend'],
    ['create role risky login password $$x$$ noinherit in role postgres', 'postgres'],
    ['create role risky login password $$x$$ in role somebody', '"somebody", which can sign in'],
    ['create role risky login password $$x$$ noinherit in role owners', 'owns other databases'],
    ['create role risky login password $$x$$ noinherit in role readers', 'pg_read_file'],
    ['create role risky login password $$x$$ in role setters', 'archive_command'],
  ])('a role made by "%s" is refused', async ([create = '', named = '']) => {
    await server.query(create)
    try {
      const risky = `postgres://risky:x@127.0.0.1:${server.port}/postgres`
      const findings = await checkPostgresRole({ connectionString: risky })
      expect(findings.join()).toContain(named)
      const { codeOf } = createRunner(() => createPostgresDatabase({ connectionString: risky }))
      expect(await codeOf('select 1')).toBe('SQL_ROLE_PRIVILEGED')
    } finally {
      await server.query('drop role risky')
    }
  })

  test("a database with the host's own tables is refused, even to a role that cannot read them", async () => {
    await server.query('create database hosting')
    await server.query('create schema toolcrib', 'hosting')
    await server.query('create role plain login password $$x$$')
    const findings = await checkPostgresRole({
      connectionString: `postgres://plain:x@127.0.0.1:${server.port}/hosting`,
    })
    expect(findings).toEqual([expect.stringContaining('schema "toolcrib"') as string])
  })

  test('a database with an extension that reaches out is refused', async () => {
    await server.query('create database reaching')
    await server.query('create extension dblink', 'reaching')
    const findings = await checkPostgresRole({
      connectionString: server.addressOf('reaching'),
    })
    expect(findings.join()).toContain('dblink')
  })
})

describe('a server that cannot be reached', () => {
  test('a wrong address, password or database is an error without the password', async () => {
    const wrong = [
      'postgres://nobody:secret-word@127.0.0.1:1/none',
      `postgres://toolcrib_agent:secret-word@127.0.0.1:${server.port}/toolcrib_agent`,
    ]
    for (const address of wrong) {
      const { run } = createRunner(() => createPostgresDatabase({ connectionString: address }))
      const failure = (await run('select 1').catch((error: unknown) => error)) as Error
      expect(failure).toMatchObject({ code: 'SQL_UNAVAILABLE' })
      expect(JSON.stringify(failure) + failure.message).not.toContain('secret-word')
    }
  })

  test('a connection string that is none is refused at once, without being repeated', () => {
    expect(() => createPostgresDatabase({ connectionString: 'secret-word' })).toThrow(
      expect.objectContaining({
        code: 'SQL_OPTION_INVALID',
        message: expect.not.stringContaining('secret-word') as string,
      }) as Error,
    )
  })

  test('a connection that the server drops in the middle is an error, and the next call works', async () => {
    const database = createPostgresDatabase({ connectionString })
    const { run, codeOf } = createRunner(() => database)
    const running = codeOf('select pg_sleep(60), 1006')
    while ((await activity('1006')).length === 0);
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%1006%' and pid <> pg_backend_pid()`,
    )
    expect(await running).toBe('SQL_UNAVAILABLE')
    expect((await run('select 1 as a')).rows).toEqual([{ a: 1 }])
    await database.close()
  })

  test('a server that stops and comes back is used again', async () => {
    const database = createPostgresDatabase({ connectionString })
    const { run, codeOf } = createRunner(() => database)
    await run('select 1')
    await server.pause()
    expect(await codeOf('select 1')).toBe('SQL_UNAVAILABLE')
    await server.resume()
    expect((await run('select 1 as a')).rows).toEqual([{ a: 1 }])
    await database.close()
  })
})
