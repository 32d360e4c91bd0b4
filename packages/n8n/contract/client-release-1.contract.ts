import { expect, test } from 'vitest'
import { createN8nClient } from '../src/index.ts'
import {
  baseUrl,
  client,
  failureOf,
  leaveNothing,
  limitedKey,
  make,
  sumWorkflow,
  untilRegistered,
  withSecondNode,
} from './client-setup.ts'

leaveNothing()

const changedSum = { parameters: { mode: 'raw', jsonOutput: '={{ { sum: "changed" } }}' } }

test('an update of a live workflow is live at once', async () => {
  const workflow = sumWorkflow('live')
  const id = await make(workflow)
  await client.workflows.publish(id)
  await untilRegistered(workflow.path, true)
  await client.workflows.update(id, withSecondNode(workflow, changedSum), { mode: 'live' })
  await expect
    .poll(async () => (await client.webhooks.trigger(workflow.path, {})).json, {
      timeout: 50_000,
    })
    .toEqual({ sum: 'changed' })
})

test('what it cannot do is said, and nothing is changed', async () => {
  const workflow = sumWorkflow('unsupported')
  const id = await make(workflow)
  for (const call of [
    () => client.workflows.update(id, { ...workflow, name: 'changed' }),
    () => client.workflows.publish(id, { versionId: 'v1' }),
    () => client.workflows.rollback(id, 'v1'),
    () => client.workflows.history(id),
    () => client.workflows.version(id, 'v1'),
    () => client.executions.stop('1'),
    async () => {
      for await (const credential of client.credentials.list()) expect.unreachable(credential.id)
    },
  ])
    expect((await failureOf(call())).code).toBe('N8N_UNSUPPORTED')
  expect(await client.workflows.get(id)).toMatchObject({ name: workflow.name, active: false })
})

test('scopes of a key mean nothing without a licence', async () => {
  const limited = createN8nClient({ baseUrl, apiKey: limitedKey() })
  expect(await limited.capabilities()).toMatchObject({ major: 1 })
  for await (const tag of limited.tags.list()) expect(tag.id).toBeTypeOf('string')
})
