import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { createSqlTool } from './sql-tool.ts'

let server: RealPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

it('a connection that the server cuts in a transaction of a drizzle instance fails the call, and ends nobody', async () => {
  const pool = new Pool({ connectionString: server.addressOf(), max: 2 })
  // What a host does for connections that lie idle; those at work are the tool's.
  pool.on('error', () => undefined)
  const tool = createSqlTool(drizzle(pool), { readOnly: true })
  const signal = new AbortController().signal
  const run = (query: string): Promise<unknown> =>
    Promise.resolve(tool.execute({ query }, signal, undefined as never))
  for (let round = 0; round < 5; round += 1) {
    const running = run('select pg_sleep(20)').catch((error: unknown) => error)
    await expect
      .poll(() =>
        server.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%'`,
        ),
      )
      .not.toEqual([])
    expect(await running).toMatchObject({ code: expect.stringMatching(/^SQL_/) as string })
  }
  expect(await run('select 1 as one')).toMatchObject({ rows: [{ one: 1 }] })
  await pool.end()
}, 60_000)
