/** The four built-in tools, each within its bounds and each call on record: commands, HTTP, files, SQL. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { invokeWithLogging } from '@toolcrib/invoke'
import { type CallLogWriter, type ToolResult, defineTool } from '@toolcrib/registry'
import { createDefaultRegistry, defaultToolPolicy } from '@toolcrib/tools'
import { createEmbeddedDatabase } from '@toolcrib/tools/sql'
import { z } from 'zod'

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-example-'))
const workspace = join(folder, 'workspace')
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ path: request.url }))
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const address = `127.0.0.1:${(server.address() as AddressInfo).port}`

const database = createEmbeddedDatabase({ directory: join(folder, 'database') })
const registry = createDefaultRegistry(database, {
  workspace,
  // Off until switched on.
  shell: true,
  // As by default in files; over HTTP one server of this machine, which no default would allow.
  policy: {
    ...defaultToolPolicy(workspace),
    http: { origins: [`http://${address}`], privateAddresses: ['127.0.0.1'] },
  },
})

/** A log in memory that also keeps the order in which rows were written. */
const rows: { readonly callId: string; readonly status: string }[] = []
const memory = createMemoryCallLog()
const log: CallLogWriter = {
  logToolStart: (start) => {
    rows.push({ callId: start.callId, status: 'started' })
    return memory.logToolStart(start)
  },
  logToolComplete: (end) => {
    rows.push({ callId: end.callId, status: end.status })
    return memory.logToolComplete(end)
  },
  logToolFailure: (end) => {
    rows.push({ callId: end.callId, status: end.status })
    return memory.logToolFailure(end)
  },
  logToolLate: (late) => memory.logToolLate(late),
}

/** Calls a tool and checks that there is a row from before it ran and one from after. */
async function call(tool: string, input: unknown, timeoutMs?: number): Promise<ToolResult> {
  const result = await invokeWithLogging(registry, log, tool, input, timeoutMs)
  const written = rows.filter(({ callId }) => callId === result.callId).map(({ status }) => status)
  const end = result.success ? 'completed' : result.errorCode === 'TIMEOUT' ? 'timed_out' : 'failed'
  assert.deepEqual(written, ['started', end])
  return result
}

async function ask(tool: string, input: unknown): Promise<Record<string, unknown>> {
  const result = await call(tool, input)
  assert(result.success, result.success ? '' : result.error)
  return result.output as Record<string, unknown>
}

try {
  // The registry has the four, and takes more.
  assert.deepEqual(
    registry.list().map(({ name }) => name),
    ['file', 'http', 'shell', 'sql'],
  )
  registry.register(
    defineTool({
      name: 'reverse',
      description: 'Turns the order of words around',
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }) => text.split(' ').toReversed().join(' '),
    }),
  )
  assert.equal(registry.count(), 5)

  // Commands. Nothing goes through a shell: the arguments are a list.
  const { stdout, exitCode } = await ask('shell', { command: 'echo', args: ['hello'] })
  assert.deepEqual({ stdout, exitCode }, { stdout: 'hello\n', exitCode: 0 })
  const late = await call('shell', { command: 'sleep', args: ['10'] }, 100)
  assert(!late.success && late.errorCode === 'TIMEOUT')
  assert.match(late.error, /shell.*100/)

  // HTTP.
  const { status, parsedBody } = await ask('http', { method: 'GET', url: `http://${address}/get` })
  assert.deepEqual({ status, parsedBody }, { status: 200, parsedBody: { path: '/get' } })
  const elsewhere = await call('http', { url: 'http://169.254.169.254/latest/meta-data' })
  assert(!elsewhere.success && elsewhere.errorCode === 'POLICY_VIOLATION')

  // Files, in the workspace and nowhere else.
  const path = 'notes/today.txt'
  assert.equal((await ask('file', { operation: 'write', path, content: 'milk' }))['result'], true)
  assert.equal((await ask('file', { operation: 'read', path }))['result'], 'milk')
  assert.equal((await ask('file', { operation: 'delete', path }))['result'], true)
  assert.equal((await ask('file', { operation: 'exists', path }))['result'], false)
  const outside = await call('file', { operation: 'read', path: '/etc/passwd' })
  assert(!outside.success && outside.errorCode === 'POLICY_VIOLATION')

  // SQL, on a database of the agent's own.
  const selected = await ask('sql', { query: 'SELECT 1 as test' })
  assert.deepEqual(
    { rowCount: selected['rowCount'], rows: selected['rows'] },
    { rowCount: 1, rows: [{ test: 1 }] },
  )
  await ask('sql', { query: 'CREATE TABLE IF NOT EXISTS tool_test (id int)' })
  await ask('sql', { query: 'INSERT INTO tool_test VALUES ($1)', params: [7] })
  assert.equal((await ask('sql', { query: 'SELECT id FROM tool_test' }))['rowCount'], 1)
  await ask('sql', { query: 'DROP TABLE tool_test' })

  const calls = rows.filter((row) => row.status === 'started').length
  assert.equal(rows.length, 2 * calls)
  console.log(
    `${calls} calls of 4 tools, ${rows.length} rows: each has one from before and one from after`,
  )
} finally {
  await database.close()
  server.close()
  rmSync(folder, { recursive: true })
}
