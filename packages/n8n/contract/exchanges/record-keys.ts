import type { ScriptRun } from './script-run.ts'

/** Health, keys, addresses that are not there. */
export async function recordKeys({ recorder }: ScriptRun): Promise<void> {
  const { record } = recorder
  await record('healthz', 'GET /healthz')
  await record('readiness', 'GET /healthz/readiness')
  await record('the editor answers every other address', 'GET /nothing/here')
  await record('a write to no address', 'POST /nothing/here', { body: {} })
  await record('no key', 'GET /api/v1/workflows', { key: 'none' })
  await record('a wrong key', 'GET /api/v1/workflows', {
    key: 'none',
    headers: { 'x-n8n-api-key': 'wrong' },
  })
  await record('the key as a bearer token', 'GET /api/v1/workflows', {
    key: 'none',
    headers: { authorization: 'Bearer wrong' },
  })
  await record('no key for a write', 'POST /api/v1/workflows', { key: 'none', body: {} })
  await record('no key and no such address', 'GET /api/v1/nothing', { key: 'none' })
  await record('no key and broken JSON', 'POST /api/v1/workflows', {
    key: 'none',
    text: '{"name":',
  })
  await record('the limited key lists workflows', 'GET /api/v1/workflows?name=record+nothing', {
    key: 'limited',
  })
  await record('the limited key reads tags', 'GET /api/v1/tags?limit=1', { key: 'limited' })
  await record('the limited key asks for a workflow', 'GET /api/v1/workflows/nothing', {
    key: 'limited',
  })
  await record('the limited key deletes a workflow', 'DELETE /api/v1/workflows/nothing', {
    key: 'limited',
  })
  await record('discover', 'GET /api/v1/discover')
  await record('discover with the limited key', 'GET /api/v1/discover', { key: 'limited' })
  await record('no such address', 'GET /api/v1/nothing')
  await record('no such address, written to', 'POST /api/v1/nothing', { body: {} })
  await record('a wrong verb for workflows', 'DELETE /api/v1/workflows')
  await record('a wrong verb for a workflow', 'PATCH /api/v1/workflows/nothing', { body: {} })
  await record('a wrong verb for executions', 'POST /api/v1/executions', { body: {} })
  await record(
    'there is no way to run a workflow by id',
    'POST /api/v1/workflows/nothing/execute',
    { body: {} },
  )
  await record('nor under another name', 'POST /api/v1/workflows/nothing/run', { body: {} })
}
