import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { migrate } from '@toolcrib/call-log'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRunner } from '../../test/sql-database-contract.ts'
import { type AgentDatabase, createAgentDatabase } from './agent-database.ts'
import { createPostgresDatabase } from './postgres/postgres-database.ts'
import { checkPostgresRole } from './postgres/postgres-role.ts'
import type { SqlDatabase } from './sql-tool.ts'

let server: RealPostgres
let agent: AgentDatabase
let database: SqlDatabase
const { run, codeOf } = createRunner(() => database)

const address = (role: string, password: string, name: string): string =>
  `postgres://${role}:${password}@127.0.0.1:${server.port}/${name}`

beforeAll(async () => {
  server = await startPostgres()
  await server.query('create database host')
  await migrate({ connectionString: server.addressOf('host') })
  await server.query(`create role host_owner login password 'host'`)
  await server.query('grant connect on database host to host_owner')
  agent = await createAgentDatabase({
    administrator: server.addressOf('host'),
    readOnlyRole: 'toolcrib_reader',
    protect: ['host', 'postgres'],
  })
  database = createPostgresDatabase({ connectionString: agent.connectionString })
})

afterAll(async () => {
  await database.close()
  await server.stop()
})

describe("the agent's database", () => {
  test('is made once, and running it again mends it', async () => {
    expect(agent.created).toEqual({ database: true, roles: ['toolcrib_agent', 'toolcrib_reader'] })
    expect(agent.warnings).toEqual([])
    await run(
      `do $$ begin execute format('alter role %I password ''stolen''', current_user); end $$`,
    )
    agent = await createAgentDatabase({
      administrator: server.addressOf('host'),
      readOnlyRole: 'toolcrib_reader',
    })
    expect(agent.created).toEqual({ database: false, roles: [] })
    expect(await checkPostgresRole({ connectionString: agent.connectionString })).toEqual([])
    await database.close()
    database = createPostgresDatabase({ connectionString: agent.connectionString })
  })

  test('several that make it at once all succeed', async () => {
    const all = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() =>
        // Each with a password of its own: whoever comes second must not change it before the first one has signed in.
        createAgentDatabase({
          administrator: server.addressOf(),
          database: 'twice',
          role: 'twice',
          readOnlyRole: 'twice_reader',
        }),
      ),
    )
    expect(all.filter(({ created }) => created.database)).toHaveLength(1)
  })

  test('belongs to the administrator, and lets in only its own roles', async () => {
    const [row] = await server.query(
      `select pg_get_userbyid(datdba) as owner, has_database_privilege('host_owner', 'toolcrib_agent', 'connect') as open from pg_database where datname = 'toolcrib_agent'`,
    )
    expect(row).toEqual({ owner: 'postgres', open: false })
  })

  test('a role that is somebody else’s is not touched', async () => {
    await server.query('create role important createrole')
    await expect(
      createAgentDatabase({ administrator: server.addressOf(), role: 'important' }),
    ).rejects.toMatchObject({ code: 'SQL_OPTION_INVALID' })
    await expect(
      createAgentDatabase({ administrator: server.addressOf(), role: 'postgres' }),
    ).rejects.toMatchObject({ code: 'SQL_OPTION_INVALID' })
  })

  test('names and passwords are taken as they are, never as SQL', async () => {
    const hostile = {
      administrator: server.addressOf(),
      database: `a"; drop database host; --`,
      role: `b'"\\; $$ é`,
      password: `p'"\\%:/@?#&`,
    }
    const made = await createAgentDatabase(hostile)
    const odd = createPostgresDatabase({ connectionString: made.connectionString })
    const { rows } = await createRunner(() => odd).run(
      'select current_database() as d, current_user as u',
    )
    expect(rows).toEqual([{ d: hostile.database, u: hostile.role }])
    await odd.close()
  })

  test.for(['', 'pg_evil', 'x'.repeat(64), 'a\0b'])('the name %j is refused', async (role) => {
    await expect(
      createAgentDatabase({ administrator: server.addressOf(), role }),
    ).rejects.toMatchObject({ code: 'SQL_OPTION_INVALID', data: { option: 'role' } })
  })

  test('no error says a password', async () => {
    const failure = (await createAgentDatabase({
      administrator: address('host_owner', 'host', 'host'),
      role: 'never_made',
      password: 'secret-word',
    }).catch((error: unknown) => error)) as Error
    expect(failure).toMatchObject({ code: 'SQL_FAILED' })
    expect(`${failure.message}${JSON.stringify(failure)}${String(failure.cause)}`).not.toMatch(
      /secret-word|SCRAM/,
    )
  })

  test('the second role reads what the first makes, and changes nothing', async () => {
    await run('create table shared as select 1 as a')
    const reader = createPostgresDatabase({
      connectionString: agent.readOnlyConnectionString ?? '',
    })
    const second = createRunner(() => reader)
    expect((await second.run('select a from shared')).rows).toEqual([{ a: 1 }])
    for (const query of [
      'delete from shared',
      'create table x (a int)',
      'create temp table x (a int)',
      `do $$ begin set transaction read write; delete from shared; end $$`,
      `do $$ begin perform set_config('transaction_read_only', 'off', false); delete from shared; end $$`,
    ])
      expect(await second.codeOf(query)).toMatch(/SQL_FAILED|SQL_READ_ONLY/)
    expect((await run('select count(*)::int as n from shared')).rows).toEqual([{ n: 1 }])
    await reader.close()
  })
})

describe('attacks of the agent', () => {
  test.for(['reset role', 'reset session authorization', `do $$ begin reset role; end $$`])(
    '%s gives no other role',
    async (query) => {
      await codeOf(query)
      expect(await codeOf(`${query}; select 1`)).toMatch(/SQL_SEVERAL_STATEMENTS|SQL_FAILED/)
      expect((await run('select session_user::text as s, current_user::text as c')).rows).toEqual([
        { s: 'toolcrib_agent', c: 'toolcrib_agent' },
      ])
    },
  )

  test.for([
    // Another role.
    'set role postgres',
    'set role host_owner',
    'set role pg_read_server_files',
    'set session authorization postgres',
    `do $$ begin set local role postgres; end $$`,
    `select set_config('role', 'postgres', false)`,
    `select set_config('session_authorization', 'postgres', false)`,
    // More rights.
    'alter role toolcrib_agent superuser',
    'alter role toolcrib_agent createdb',
    'alter role toolcrib_agent createrole',
    'alter role toolcrib_agent connection limit -1',
    `alter role postgres password 'mine'`,
    `alter role host_owner password 'mine'`,
    'grant postgres to toolcrib_agent',
    'grant pg_execute_server_program to toolcrib_agent',
    `create role helper login password 'x'`,
    'create database mine',
    'drop database host',
    'alter database toolcrib_agent owner to toolcrib_agent',
    'alter database toolcrib_agent set session_preload_libraries = $$/tmp/x$$',
    'create schema elsewhere',
    // The server.
    `alter system set shared_preload_libraries = '/tmp/x'`,
    'select pg_reload_conf()',
    'checkpoint',
    `alter role toolcrib_agent set session_preload_libraries = '/tmp/x'`,
    `set log_statement = 'none'`,
    `set temp_file_limit = -1`,
    `load '/tmp/x'`,
    // Files and programs.
    `copy (select 1) to program 'id'`,
    `copy pg_class from program 'id'`,
    `copy (select 1) to '/tmp/toolcrib-attack'`,
    `do $$ begin create temp table lines (line text); copy lines from '/etc/passwd'; end $$`,
    `select pg_read_file('/etc/passwd')`,
    `select pg_read_binary_file('postgresql.conf')`,
    `select pg_ls_dir('.')`,
    `select * from pg_ls_logdir()`,
    `select pg_stat_file('/etc/passwd')`,
    `select lo_import('/etc/passwd')`,
    `select lo_export(1, '/tmp/toolcrib-attack')`,
    `select lo_from_bytea(0, 'x')`,
    `create tablespace mine location '/tmp'`,
    // Code and other servers.
    'create extension dblink',
    'create extension postgres_fdw',
    'create extension file_fdw',
    'create extension plpython3u',
    'create extension adminpack',
    `create function evil() returns int language c as '/tmp/x', 'evil'`,
    `create function evil() returns text language internal as 'pg_read_file_v2'`,
    'create language plperlu',
    'create foreign data wrapper mine',
    `create subscription s connection 'host=127.0.0.1' publication p`,
    'create event trigger t on ddl_command_start execute function f()',
    // Other sessions.
    'select pg_terminate_backend(pid) from pg_stat_activity',
    'select pg_cancel_backend(pid) from pg_stat_activity',
    `do $$ begin perform pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'; end $$`,
    `select pg_notify('toolcrib', 'forged')`,
    // The host's tables.
    'select * from toolcrib.tool_calls',
    'select * from host.toolcrib.tool_calls',
    'select rolpassword from pg_authid',
    'select * from pg_shadow',
    'update pg_authid set rolsuper = true',
    `insert into pg_auth_members select 10, oid, 10, true from pg_roles where rolname = 'toolcrib_agent'`,
    'delete from pg_proc',
    `alter function pg_read_file(text) owner to toolcrib_agent`,
    `create function pg_catalog.now2() returns int language sql as 'select 1'`,
  ])('%s fails', async (query) => {
    expect(await codeOf(query)).toMatch(/^(SQL_FAILED|SQL_SEVERAL_STATEMENTS)$/)
  })

  test('a function of its own that acts for its owner acts for the agent only', async () => {
    await run(
      `create function as_owner() returns text language sql security definer set search_path = public as 'select current_user::text'`,
    )
    expect((await run('select as_owner() as who')).rows).toEqual([{ who: 'toolcrib_agent' }])
    expect(await codeOf('alter function as_owner() owner to postgres')).toBe('SQL_FAILED')
  })

  test('functions that hide those of the server do not fool the check of the role or the reset', async () => {
    await run(
      `create function public.pg_has_role(name, oid, text) returns boolean language sql as 'select false'`,
    )
    await run(
      `create function public.pg_advisory_unlock_all() returns void language sql as 'select null'`,
    )
    await run(`alter role toolcrib_agent set search_path = public, pg_catalog`)
    await run('alter table if exists shared rename to pg_extension')
    const fresh = createPostgresDatabase({ connectionString: agent.connectionString })
    const runner = createRunner(() => fresh)
    await runner.run('select pg_catalog.pg_advisory_lock(7)')
    for (let call = 0; call < 4; call += 1)
      expect(
        (await runner.run(`select 1 from pg_catalog.pg_locks where locktype = 'advisory'`))
          .rowCount,
      ).toBe(0)
    await fresh.close()
    await run('alter role toolcrib_agent reset all')
    await run('drop function public.pg_has_role(name, oid, text)')
  })

  test.for(['host', 'postgres'])('the protected database %s lets it not in', async (name) => {
    const url = new URL(agent.connectionString)
    url.pathname = `/${name}`
    const { run: elsewhere } = createRunner(() =>
      createPostgresDatabase({ connectionString: url.href }),
    )
    await expect(elsewhere('select 1')).rejects.toMatchObject({
      code: 'SQL_UNAVAILABLE',
      message: expect.stringContaining('permission denied for database') as string,
    })
  })

  test('the host itself still gets in', async () => {
    const client = new Client({ connectionString: address('host_owner', 'host', 'host') })
    await client.connect()
    const { rows } = await client.query('select current_database() as name')
    expect(rows).toEqual([{ name: 'host' }])
    await client.end()
  })

  test('its NOTIFY does not arrive where the host listens', async () => {
    const host = new Client({ connectionString: server.addressOf('host') })
    await host.connect()
    const heard: string[] = []
    host.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await host.query('listen toolcrib')
    await run(`notify toolcrib, 'forged'`)
    await server.query(`notify toolcrib, 'real'`, 'host')
    while (heard.length === 0) await host.query('select 1')
    expect(heard).toEqual(['real'])
    await host.end()
  })

  test('what it listens to is forgotten after the call', async () => {
    await run('listen somewhere')
    for (let call = 0; call < 4; call += 1)
      expect((await run('select * from pg_listening_channels()')).rows).toEqual([])
  })

  test('a cursor, a held one too, does not outlive its call', async () => {
    await run('declare c cursor with hold for select 1')
    for (let call = 0; call < 4; call += 1)
      expect((await run('select name from pg_cursors where name = $1', ['c'])).rows).toEqual([])
  })

  test('what other sessions do is hidden', async () => {
    const { rows } = await run(
      `select count(*)::int as n from pg_stat_activity where usename <> current_user and query not in ('', '<insufficient privilege>')`,
    )
    expect(rows).toEqual([{ n: 0 }])
  })

  test("the host's log is whole after all this", async () => {
    const rows = await server.query('select count(*)::int as n from toolcrib.tool_calls', 'host')
    expect(rows).toEqual([{ n: 0 }])
  })
})
