import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RealPostgres, startPostgres } from '@toolcrib-test/databases'
import { makeStart } from '../test/sample-calls.ts'
import { createPostgresCallLog } from './index.ts'

let server: RealPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

const terminateOthers = `select pg_terminate_backend(pid) from pg_stat_activity
  where pid <> pg_backend_pid() and datname = current_database()`

/** `pnpm test:long` cuts them more often. */
const rounds = process.env['TOOLCRIB_LONG_TESTS'] === undefined ? 25 : 60

it(`a host whose connections are cut ${rounds} times under load lives, and what it was told is what is stored`, async () => {
  const connectionString = await server.createDatabase()
  const script = join(import.meta.dirname, '../test/fixtures/hammered-host.ts')
  const host = spawn(
    process.execPath,
    ['--conditions=@toolcrib/source', script, connectionString],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    },
  )
  const errors: string[] = []
  host.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const said = new Map<string, string[]>()
  const lines = createInterface({ input: host.stdout })
  lines.on('line', (line) => {
    const [word = '', callId = ''] = line.split(' ')
    said.set(word, [...(said.get(word) ?? []), callId])
  })
  const exited = once(host, 'exit')
  await expect.poll(() => said.get('done')?.length ?? 0, { timeout: 30_000 }).toBeGreaterThan(0)

  const administrator = new Client({ connectionString })
  await administrator.connect()
  for (let round = 0; round < rounds && host.exitCode === null; round += 1) {
    await administrator.query(terminateOthers)
    await wait(20 + Math.random() * 60)
  }
  if (host.exitCode === null) host.stdin.write('enough\n')
  expect([await exited, errors.join('')]).toEqual([[0, null], ''])
  expect(said.get('closed')).toBeDefined()

  const { rows } = await administrator.query<{ id: string; kinds: string }>(
    `select call_id as id, string_agg(kind::text || ' ' || status, ', ' order by kind) as kinds
       from toolcrib.tool_calls group by 1`,
  )
  await administrator.end()
  const stored = new Map(rows.map(({ id, kinds }) => [id, kinds]))
  expect(said.get('done')?.filter((id) => stored.get(id) !== 'e completed, s started')).toEqual([])
  expect(said.get('started')?.length).toBe(said.get('done')?.length)
  expect(said.get('done')?.length).toBeGreaterThan(rounds)
})

it('a connection that is cut while the pool of the log has lent it out ends nobody', async () => {
  const connectionString = await server.createDatabase()
  const pool = new Pool({ connectionString, max: 4 })
  // The log guards it until it is closed; its connections end after that, as the server may.
  pool.on('error', () => undefined)
  const log = await createPostgresCallLog({ pool })
  await log.logToolStart(makeStart())
  const held = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  const administrator = new Client({ connectionString })
  await administrator.connect()
  await administrator.query(terminateOthers)
  await administrator.end()
  await wait(200)
  for (const client of held) client.release()
  const start = makeStart()
  await log.logToolStart(start)
  expect((await log.get(start.callId))?.status).toBe('started')
  await log.close()
  await pool.end()
})
