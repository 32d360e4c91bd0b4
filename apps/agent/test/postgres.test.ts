import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKernel } from '../src/kernel.ts'
import { makeTemporaryFolder, runToolcrib } from './run-toolcrib.ts'
import { startTemporaryPostgres } from './temporary-postgres.ts'

const folder = makeTemporaryFolder()
let postgres: Awaited<ReturnType<typeof startTemporaryPostgres>>

beforeAll(async () => {
  postgres = await startTemporaryPostgres()
})
afterAll(async () => {
  await postgres.stop()
  folder.remove()
})

test('with DATABASE_URL every call of the host is in that database, a row before and a row after', async () => {
  const environment = { DATABASE_URL: postgres.connectionString }
  const { stdout, exitCode } = await runToolcrib(folder.path, ['start', '--once'], { environment })
  expect(stdout).toMatch(/31\.5 .* started \+ completed logged/)
  expect(exitCode).toBe(0)
  const client = new Client({ connectionString: postgres.connectionString })
  await client.connect()
  const { rows } = await client.query<{ kind: string; count: string }>(
    `select kind::text, count(*) from toolcrib.tool_calls where tool_name = 'shipping_cost' group by 1 order by 1`,
  )
  await client.end()
  expect(rows).toEqual([
    { kind: 'e', count: '1' },
    { kind: 's', count: '1' },
  ])
})

test('two hosts may share one database', async () => {
  const options = { databaseUrl: postgres.connectionString, environment: {} }
  const first = await createKernel({ ...options, data: join(folder.path, 'first') })
  const second = await createKernel({ ...options, data: join(folder.path, 'second') })
  const result = await first.invoker.invoke('toolFactory_listCustomTools', {})
  expect((await second.callLog.get(result.callId))?.status).toBe('completed')
  await first.close()
  await second.close()
})

test('when the database is gone a call is refused before the tool runs, and the record of tools still works', async () => {
  const kernel = await createKernel({
    data: join(folder.path, 'alone'),
    databaseUrl: postgres.connectionString,
    environment: {},
  })
  await postgres.pause()
  try {
    const refused = await kernel.invoker.invoke(
      'toolFactory_listCustomTools',
      {},
      { timeoutMs: 8_000 },
    )
    expect(refused).toMatchObject({ success: false, errorCode: 'LOG_UNAVAILABLE' })
    expect(await kernel.toolsmaker.verifyAudit()).toMatchObject({ ok: true })
  } finally {
    await postgres.resume()
  }
  // Connections are made anew, which takes a moment.
  await expect
    .poll(async () => (await kernel.invoker.invoke('toolFactory_listCustomTools', {})).success, {
      timeout: 20_000,
    })
    .toBe(true)
  await kernel.close()
}, 60_000)
