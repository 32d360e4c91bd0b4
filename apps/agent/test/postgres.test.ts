import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '@toolcrib-test/databases'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKernel } from '../src/host/kernel.ts'
import { canSandbox, makeTemporaryFolder, runToolcrib } from './run-toolcrib.ts'

const folder = makeTemporaryFolder()
let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  folder.remove()
})

test('with DATABASE_URL every call of the host is in that database, a row before and a row after', async () => {
  const environment = { DATABASE_URL: postgres.addressOf() }
  const { stdout, exitCode } = await runToolcrib(folder.path, ['start', '--once'], { environment })
  expect(stdout).toMatch(/31\.5 .* started \+ completed logged/)
  expect(exitCode).toBe(0)
  const client = new Client({ connectionString: postgres.addressOf() })
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
  const options = { databaseUrl: postgres.addressOf(), environment: {} }
  const first = await createKernel({ ...options, data: join(folder.path, 'first') })
  const second = await createKernel({ ...options, data: join(folder.path, 'second') })
  const result = await first.invoker.invoke('toolFactory_listCustomTools', {})
  expect((await second.callLog.get(result.callId))?.status).toBe('completed')
  await first.close()
  await second.close()
})

describe('with a database for the sql tool on the same server', () => {
  const place = makeTemporaryFolder()
  const trust = join(place.path, '.toolcrib/trust')
  const run = (...parameters: string[]): ReturnType<typeof runToolcrib> =>
    runToolcrib(place.path, parameters, {
      environment: {
        DATABASE_URL: postgres.addressOf(),
        ADMIN_URL: postgres.addressOf(),
      },
    })
  const withoutPassword = (text: string): void => {
    expect(text).not.toBe('')
    expect(text).not.toMatch(/for-tests-only/)
  }
  afterAll(() => place.remove())

  test('one command makes it, keeps its address for the owner alone, and prints no password', async () => {
    const made = await run('sql', 'create-database', '--administrator', 'ADMIN_URL')
    expect(made.exitCode, made.stderr).toBe(0)
    expect(made.stdout).toMatch(/Database toolcrib_agent is made/)
    expect(made.stdout).toMatch(/Login role toolcrib_agent without privileges is made/)
    const path = join(trust, 'agent-database.json')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const { connectionString } = JSON.parse(readFileSync(path, 'utf8')) as {
      connectionString: string
    }
    const { password } = new URL(connectionString)
    expect(password.length).toBeGreaterThan(20)
    withoutPassword(made.stdout + made.stderr)
    expect(made.stdout + made.stderr).not.toContain(password)
    expect(connectionString).not.toContain('for-tests-only')
  })

  test('it is not made twice, and what is no administrator is refused without showing it', async () => {
    const again = await run('sql', 'create-database', '--administrator', 'ADMIN_URL')
    expect(again.stderr).toMatch(/AGENT_DATABASE_EXISTS/)
    expect(again.exitCode).toBe(1)
    for (const administrator of ['NOT_THERE', 'mysql://root:for-tests-only@localhost/x']) {
      const wrong = await run('sql', 'create-database', '--administrator', administrator)
      expect(wrong.exitCode).toBe(2)
      withoutPassword(wrong.stderr)
    }
  })

  test('the sql tool works there, as a role that the doctor finds without privileges', async () => {
    const query = 'select current_user::text as role, current_database()::text as database'
    const { stdout, stderr } = await run('tools', 'call', 'sql', JSON.stringify({ query }))
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      rows: [{ role: 'toolcrib_agent', database: 'toolcrib_agent' }],
    })
    const doctor = await run('doctor')
    expect(doctor.stdout).toMatch(/✔ The database of the sql tool is PostgreSQL; its role has no/)
    expect(doctor.exitCode, doctor.stdout).toBe(0)
  })

  test('a program that does nothing but close the database lives until it is closed', async () => {
    const program = `
      import { createPostgresDatabase } from '@toolcrib/tools/sql'
      const { connectionString } = JSON.parse(process.argv[1])
      const limits = { timeoutMs: 5_000, maxRows: 1, maxBytes: 1_000, readOnly: false }
      const database = createPostgresDatabase({ connectionString })
      await database.run({ query: 'select 1', params: [] }, limits, new AbortController().signal)
      await new Promise((done) => setTimeout(done, 100))
      await database.close()
      console.log('closed')`
    const address = readFileSync(join(trust, 'agent-database.json'), 'utf8')
    const flags = ['--conditions=@toolcrib/source', '--input-type=module', '-e', program, address]
    for (let time = 0; time < 5; time += 1)
      expect(
        execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: 'utf8' }),
      ).toBe('closed\n')
  })

  test('neither the log nor a password of the host is within reach of any tool', async () => {
    mkdirSync(join(place.path, '.toolcrib/trust'), { recursive: true })
    const { host } = new URL(postgres.addressOf())
    writeFileSync(
      join(trust, 'tool-settings.json'),
      JSON.stringify({
        policy: { http: { origins: [`http://${host}`], privateAddresses: ['127.0.0.1'] } },
        shell: { enabled: true },
      }),
      { mode: 0o600 },
    )
    const kernel = await createKernel({
      data: join(place.path, '.toolcrib'),
      databaseUrl: postgres.addressOf(),
      environment: {},
    })
    try {
      const call = (tool: string, input: unknown): ReturnType<typeof kernel.invoker.invoke> =>
        kernel.invoker.invoke(tool, input)
      expect(await call('http', { url: `http://${host}/` })).toMatchObject({
        errorData: { toolErrorData: { rule: 'http.host' } },
      })
      expect(await call('sql', { query: 'select * from toolcrib.tool_calls' })).toMatchObject({
        success: false,
      })
      const told = await call('sql', { query: `select 'for-tests-only' as told` })
      expect(told).toMatchObject({ success: true, output: { rows: [{ told: '[redacted]' }] } })
      const shown = await call('shell', { command: 'sh', args: ['-c', 'env; cat /proc/*/environ'] })
      expect(shown.success, JSON.stringify(shown)).toBe(canSandbox())
      withoutPassword(JSON.stringify(shown))
      const { calls } = await kernel.callLog.query({})
      withoutPassword(JSON.stringify(calls))
      withoutPassword(readFileSync(join(place.path, '.toolcrib/host.log'), 'utf8'))
    } finally {
      await kernel.close()
    }
  })
})

test('when the database is gone a call is refused before the tool runs, and the record of tools still works', async () => {
  const kernel = await createKernel({
    data: join(folder.path, 'alone'),
    databaseUrl: postgres.addressOf(),
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
})
