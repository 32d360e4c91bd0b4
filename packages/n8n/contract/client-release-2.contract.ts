import { expect, test } from 'vitest'
import { createN8nClient, getExecutions, listWorkflows } from '../src/index.ts'
import {
  baseUrl,
  client,
  failureOf,
  leaveNothing,
  limitedKey,
  make,
  mark,
  sumWorkflow,
  untilRegistered,
  withSecondNode,
} from './client-setup.ts'

leaveNothing()

const changedSum = { parameters: { mode: 'raw', jsonOutput: '={{ { sum: "changed" } }}' } }

test('credentials are listed without their values', async () => {
  const data = { keyType: 'passphrase', secret: crypto.randomUUID(), algorithm: 'HS256' }
  const made = await client.credentials.create({ name: `${mark} token`, type: 'jwtAuth', data })
  const listed = []
  for await (const one of client.credentials.list()) if (one.id === made.id) listed.push(one)
  await client.credentials.remove(made.id)
  expect(listed).toEqual([{ ...made, type: 'jwtAuth' }])
})

test('a draft does not go live until it is published, and an older version comes back', async () => {
  const workflow = sumWorkflow('versions')
  const id = await make(workflow)
  const first = await client.workflows.publish(id, { name: 'first' })
  await untilRegistered(workflow.path, true)
  const call = async (): Promise<unknown> =>
    (await client.webhooks.trigger(workflow.path, { a: 1, b: 2 })).json

  const draft = await client.workflows.update(id, withSecondNode(workflow, changedSum))
  expect(draft.active).toBe(true)
  expect(draft.versionId).not.toBe(first.versionId)
  expect(draft.activeVersionId).toBe(first.versionId)
  expect((await client.workflows.get(id)).activeVersion?.nodes).toEqual(workflow.nodes)
  expect(await call()).toEqual({ sum: 3 })

  const second = await client.workflows.publish(id, {
    versionId: draft.versionId ?? '',
    name: 'second',
    description: 'd',
  })
  expect(second.activeVersionId).toBe(draft.versionId)
  await expect.poll(call, { timeout: 50_000 }).toEqual({ sum: 'changed' })

  const history = await client.workflows.history(id)
  expect(history.map(({ versionId }) => versionId)).toEqual([draft.versionId, first.versionId])
  expect(history.map(({ name }) => name)).toEqual(['second', 'first'])
  const old = await client.workflows.version(id, first.versionId ?? '')
  expect(old.nodes).toEqual(workflow.nodes)

  const back = await client.workflows.rollback(id, first.versionId ?? '')
  expect(back.activeVersionId).toBe(first.versionId)
  await expect.poll(call, { timeout: 50_000 }).toEqual({ sum: 3 })
  expect((await failureOf(client.workflows.version(id, crypto.randomUUID()))).code).toBe(
    'N8N_NOT_FOUND',
  )
  expect((await failureOf(client.workflows.rollback(id, crypto.randomUUID()))).code).toMatch(
    /N8N_(NOT_FOUND|REQUEST_REFUSED)/,
  )
})

test('what publishing refuses live has been saved as a draft', async () => {
  const workflow = sumWorkflow('refused')
  const id = await make(workflow)
  const first = await client.workflows.publish(id)
  const wrong = withSecondNode(workflow, { type: 'n8n-nodes-base.doesNotExist' })
  const error = await failureOf(client.workflows.update(id, wrong, { mode: 'live' }))
  expect(error).toMatchObject({
    code: 'N8N_REQUEST_REFUSED',
    message: expect.stringContaining('Unrecognized node type'),
  })
  const now = await client.workflows.get(id)
  expect(now.activeVersionId).toBe(first.versionId)
  expect(now.nodes[1]?.type).toBe('n8n-nodes-base.doesNotExist')
})

test('a run is stopped while it runs, and not when it is over', async () => {
  const workflow = sumWorkflow('stop')
  const wait = {
    type: 'n8n-nodes-base.wait',
    typeVersion: 1.1,
    parameters: { amount: 50, unit: 'seconds' },
  }
  const id = await make(withSecondNode(workflow, wait))
  await client.workflows.publish(id)
  await untilRegistered(workflow.path, true)
  const controller = new AbortController()
  const call = client.webhooks
    .trigger(workflow.path, {}, { signal: controller.signal })
    .catch(() => 'gone')
  let running: readonly { readonly id: string }[] = []
  await expect
    .poll(
      async () =>
        (running = await getExecutions(client, { workflowId: id, status: 'running' })).length,
      { timeout: 50_000 },
    )
    .toBe(1)
  const run = running[0]?.id ?? ''
  expect(
    (await failureOf(client.executions.waitFor(run, { timeoutMs: 600, pollMs: 100 }))).code,
  ).toBe('N8N_TIMEOUT')
  expect(await client.executions.stop(run)).toBe(true)
  expect((await client.executions.waitFor(run)).status).toBe('canceled')
  expect(await client.executions.stop(run)).toBe(false)
  controller.abort()
  await call
})

test('a key without the scope is told so', async () => {
  const limited = createN8nClient({ baseUrl, apiKey: limitedKey() })
  expect((await limited.capabilities()).scopes).toEqual(['workflow:list'])
  expect(await listWorkflows(limited, { name: mark })).toEqual([])
  const error = await failureOf(limited.workflows.create(sumWorkflow('forbidden')))
  expect(error).toMatchObject({ code: 'N8N_FORBIDDEN', data: { status: 403, reason: 'scope' } })
})

test('an unknown id that n8n calls a matter of permission is not found', async () => {
  const error = await failureOf(client.workflows.publish('nosuchworkflow12'))
  expect(error).toMatchObject({
    code: 'N8N_NOT_FOUND',
    message: expect.stringContaining('an id that does not exist'),
  })
})
