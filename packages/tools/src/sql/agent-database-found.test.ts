import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRunner } from '../../test/sql-database-contract.ts'
import { type AgentDatabase, createAgentDatabase } from './agent-database.ts'
import { createPostgresDatabase } from './postgres/postgres-database.ts'
import { checkPostgresRole } from './postgres/postgres-role.ts'

let server: RealPostgres
const make = (options: { database?: string; role?: string } = {}): Promise<AgentDatabase> =>
  createAgentDatabase({ administrator: server.addressOf(), ...options })

beforeAll(async () => {
  server = await startPostgres()
  await server.query(`create role app login password 'app'`)
  await server.query('create database app owner app')
  await server.query('create table orders (id int); alter table orders owner to app', 'app')
})

afterAll(() => server.stop())

async function runAsAgent(agent: AgentDatabase, ...queries: string[]): Promise<void> {
  const database = createPostgresDatabase({ connectionString: agent.connectionString })
  const { run } = createRunner(() => database)
  for (const query of queries) await run(query)
  await database.close()
}

describe('making the database again', () => {
  // With an exact match of types, an operator of the agent's comes before the server's own, whatever the search path.
  test.for([
    ['=', 'oid', 'regnamespace'],
    ['=', 'name', 'text'],
    ['=', 'oid', 'oid'],
    ['=', 'oid', 'regclass'],
    ['<>', 'oid', 'oid'],
    ['~~', 'name', 'text'],
  ])('runs no operator of the agent with the administrator’s rights: %j', async (operator) => {
    const [symbol = '', left = '', right = ''] = operator
    const agent = await make()
    const signature = `${left}, ${right}`
    await runAsAgent(
      agent,
      `create or replace function public.take(${signature}) returns boolean language plpgsql as $f$
        begin alter role toolcrib_agent superuser; return true;
        exception when others then return true; end $f$`,
      `create operator public.${symbol} (leftarg = ${left}, rightarg = ${right}, function = public.take)`,
    )
    const again = await make()
    expect(await checkPostgresRole({ connectionString: again.connectionString })).toEqual([])
    await runAsAgent(again, `drop function public.take(${signature}) cascade`)
  })

  test('undoes what the role set for itself in one database, where it stands above all else', async () => {
    await runAsAgent(
      await make(),
      `alter role toolcrib_agent in database toolcrib_agent set local_preload_libraries = 'missing'`,
    )
    await runAsAgent(await make(), 'select 1')
    expect(
      await server.query(
        `select 1 from pg_db_role_setting where setrole = 'toolcrib_agent'::regrole and setdatabase <> 0`,
      ),
    ).toEqual([])
  })

  test('goes on where the host put tables of its own into it', async () => {
    await make()
    await server.query('create table offered (a int)', 'toolcrib_agent')
    await expect(make()).resolves.toMatchObject({ warnings: [] })
  })
})

describe('what serves somebody else is refused and stays as it is', () => {
  const appSignsIn = (): Promise<unknown> =>
    checkPostgresRole({ connectionString: `postgres://app:app@127.0.0.1:${server.port}/app` })

  test('a role that owns things elsewhere keeps its password', async () => {
    await expect(make({ role: 'app', database: 'never' })).rejects.toMatchObject({
      code: 'SQL_OPTION_INVALID',
      message: expect.stringContaining('owns things outside') as string,
    })
    await appSignsIn()
  })

  test('a role that is a member of another keeps its password', async () => {
    await server.query(`create role member login password 'app' in role pg_read_all_data`)
    await expect(make({ role: 'member', database: 'never' })).rejects.toMatchObject({
      code: 'SQL_OPTION_INVALID',
      message: expect.stringContaining('is a member') as string,
    })
    const connectionString = `postgres://member:app@127.0.0.1:${server.port}/app`
    expect(await checkPostgresRole({ connectionString })).toHaveLength(1)
  })

  test('a database with tables of others keeps its rights, and no role is made', async () => {
    await expect(make({ role: 'never', database: 'app' })).rejects.toMatchObject({
      code: 'SQL_OPTION_INVALID',
      message: expect.stringContaining('public.orders') as string,
    })
    expect(
      await server.query(
        `select datacl, (select count(*)::int from pg_roles where rolname = 'never') as roles from pg_database where datname = 'app'`,
      ),
    ).toEqual([{ datacl: null, roles: 0 }])
  })

  test.for(['postgres', 'template1'])('the server’s own database %s', async (database) => {
    await expect(make({ database })).rejects.toMatchObject({
      code: 'SQL_OPTION_INVALID',
      data: { option: 'database' },
    })
  })
})

describe('connection strings of the administrator', () => {
  test.for([
    (port: number) => `postgres://127.0.0.1:${port}/postgres?user=postgres&password=for-tests-only`,
    (port: number) =>
      `postgres:///postgres?user=postgres&password=for-tests-only&host=127.0.0.1&port=${port}`,
  ])('form %# gives one of the agent', async (form) => {
    const agent = await createAgentDatabase({ administrator: form(server.port) })
    expect(agent.connectionString).not.toContain('for-tests-only')
    await runAsAgent(agent, 'select 1')
  })

  test.for(['top/secret', 'top#secret', 'top?secret'])(
    'the password %s, which makes no URL, is in no part of the error',
    async (password) => {
      const administrator = `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`
      const failure = (await createAgentDatabase({ administrator }).catch(
        (error: unknown) => error,
      )) as Error
      expect(failure).toMatchObject({ code: 'SQL_OPTION_INVALID' })
      const { cause, stack, message } = failure
      expect(`${JSON.stringify(failure)}${String(cause)}${stack}${message}`).not.toContain('secret')
    },
  )
})
