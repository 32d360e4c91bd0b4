import { createN8nClient } from '@toolcrib/n8n'
import { createN8nDouble, type N8nDouble, type WorkflowBehaviour } from '@toolcrib/n8n/testing'
import type { ToolResult } from '@toolcrib/registry'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type N8nHost, openN8nHost } from '../test/n8n-host.ts'
import { adderRequest, adderWorkflow } from '../test/n8n-workflows.ts'

const name = 'add_two_numbers'
let double: N8nDouble
let host: N8nHost

beforeEach(async () => {
  double = await createN8nDouble({ publishDelayMs: 2, unpublishDelayMs: 2 })
  const { apiKey, baseUrl } = double
  const client = createN8nClient({ baseUrl, apiKey, retry: { retries: 0 } })
  host = await openN8nHost({ client, inspectionLastsMs: 60_000 })
  await host.make(adderRequest(adderWorkflow()))
})
afterEach(async () => {
  await host.close()
  await double.close()
})

const call = async (behaviour: WorkflowBehaviour, timeoutMs?: number): Promise<ToolResult> => {
  double.onWebhook(() => true, behaviour)
  return host.call(name, { a: 1, b: 2 }, timeoutMs)
}

test('an envelope is unwrapped, and what does not fit the output schema is no success', async () => {
  const envelope = { ok: true, result: { sum: 3 }, executionId: '7' }
  expect(await call(() => ({ result: envelope }))).toMatchObject({ output: { sum: 3 } })
  expect(await call(() => ({ result: { total: 3 } }))).toMatchObject({
    errorCode: 'OUTPUT_INVALID',
  })
})

test('a node that fails is named, with its message and the run in n8n', async () => {
  const result = await call(() => ({ fails: { node: 'Sum', message: 'a is no number' } }))
  expect(result).toMatchObject({
    errorCode: 'TOOL_FAILED',
    error: expect.stringContaining('a is no number') as string,
    errorData: {
      toolErrorData: {
        n8nCode: 'N8N_EXECUTION_FAILED',
        node: 'Sum',
        executionId: double.executions().at(-1)?.id,
      },
    },
  })
  expect(result).not.toHaveProperty('mayStillBeRunning')
})

test('an error that the workflow answers itself reaches the caller with its details', async () => {
  const envelope = {
    ok: false,
    error: { code: 'NO_LEADS', message: 'There are no leads.' },
    executionId: '9',
  }
  expect(
    await call(() => ({ responds: { status: 200, body: JSON.stringify(envelope) } })),
  ).toMatchObject({
    errorCode: 'TOOL_FAILED',
    error: expect.stringContaining('There are no leads.') as string,
  })
})

test('a workflow that stops to wait gives no result, and may go on', async () => {
  expect(await call(() => ({ waits: true }))).toMatchObject({
    errorCode: 'TOOL_FAILED',
    errorData: { toolErrorData: { n8nCode: 'N8N_EXECUTION_WAITS' } },
    mayStillBeRunning: true,
  })
})

test('a workflow that takes longer than the call has may still run, and the caller is told', async () => {
  const result = await call(async ({ signal }) => {
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true })
      setTimeout(resolve, 5_000)
    })
    return { result: { sum: 3 } }
  }, 500)
  expect(result).toMatchObject({ success: false, mayStillBeRunning: true })
  expect(double.requests.filter(({ path }) => path.startsWith('/webhook/')).length).toBeLessThan(10)
})

test('calls that come together each get their own result', async () => {
  double.onWebhook(
    () => true,
    ({ body }) => {
      const { a, b } = body as { a: number; b: number }
      return { result: { sum: a + b } }
    },
  )
  const results = await Promise.all(
    Array.from({ length: 30 }, (_unused, index) => host.call(name, { a: index, b: 1 })),
  )
  expect(results.map((result) => (result.success ? result.output : result))).toEqual(
    Array.from({ length: 30 }, (_unused, index) => ({ sum: index + 1 })),
  )
})

test('no secret of n8n is in a result, a record or a log', async () => {
  const { function: fn } = (await host.deployments.read(name)) ?? {}
  if (fn?.secret === undefined) throw new Error('It has no secret')
  await call(({ headers }) => ({
    fails: { node: 'Sum', message: `got ${JSON.stringify(headers)}` },
  }))
  const said = JSON.stringify([
    await host.call(name, { a: 1, b: 2 }),
    await host.toolsmaker.history(name),
    await host.toolsmaker.readReview(name, 1),
    await host.kind.health(name),
    await host.kind.listLeftBehind(),
    host.complaints,
  ])
  for (const secret of [fn.secret, double.apiKey, fn.binding.path])
    expect(said).not.toContain(secret)
})
