import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { fixed, newPath, plain, webhook, workflowOf } from './recorded-workflows.ts'
import type { ScriptRun } from './script-run.ts'
import { idOf } from './text-of.ts'

const readOnly: JsonObject = {
  active: true,
  id: 'x',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  tags: [],
  versionId: 'x',
  triggerCount: 0,
  isArchived: false,
  meta: {},
  activeVersion: {},
}
const unknown: JsonObject = {
  foo: 1,
  externalId: 'x',
  activeVersionId: 'x',
  versionCounter: 1,
  sourceWorkflowId: 'x',
  description: 'x',
}

/** Bodies of workflows that are refused, and some that one would think are. */
export async function recordBodies({ recorder, created }: ScriptRun): Promise<void> {
  const { record } = recorder
  const create = async (title: string, body: JsonValue): Promise<void> => {
    const { status, json } = await record(title, 'POST /api/v1/workflows', { body })
    if (status === 200) created.workflows.add(idOf(json))
  }
  const path = newPath()
  for (const [key, value] of Object.entries(readOnly))
    await create(`create with ${key}`, { ...plain('body', path), [key]: value })
  for (const [key, value] of Object.entries(unknown))
    await create(`create with ${key}`, { ...plain('body', path), [key]: value })
  for (const key of ['name', 'nodes', 'connections', 'settings']) {
    const { [key]: _left, ...rest } = plain('body', path)
    await create(`create without ${key}`, rest)
  }
  await create('create with pinned data', { ...plain('body', path), pinData: {} })
  await create('create with static data', { ...plain('body', path), staticData: { a: 1 } })
  await create('create with an unknown setting', { ...plain('body', path), settings: { foo: 1 } })
  await create('create with every kind of setting', {
    ...plain('body', path),
    settings: {
      saveExecutionProgress: false,
      saveManualExecutions: true,
      saveDataErrorExecution: 'all',
      saveDataSuccessExecution: 'none',
      executionTimeout: 60,
      timezone: 'Africa/Lagos',
      executionOrder: 'v1',
      callerPolicy: 'workflowsFromSameOwner',
    },
  })
  await create('create with a setting of the wrong type', {
    ...plain('body', path),
    settings: { timezone: 3 },
  })
  await create('create with an unknown time zone', {
    ...plain('body', path),
    settings: { timezone: 'Moon/Sea' },
  })
  await create('create without a name', { ...plain('body', path), name: '' })
  await create('create with a long name', { ...plain('body', path), name: 'x'.repeat(129) })
  await create('create with a number for a name', { ...plain('body', path), name: 5 })
  await create('create with nodes that are no list', { ...plain('body', path), nodes: 'x' })
  await create('create with connections that are a list', {
    ...plain('body', path),
    connections: [],
  })
  await create('create without nodes', { ...plain('body', path), nodes: [], connections: {} })
  await create('create from a list', [])
  const hook = webhook(path)
  const last = fixed({})
  const without = (key: string): JsonObject => {
    const { [key]: _left, ...rest } = hook
    return workflowOf('body', [rest, last], { connections: {} })
  }
  await create('a node with an unknown key', workflowOf('body', [{ ...hook, foo: 1 }, last]))
  for (const key of ['position', 'type', 'name', 'typeVersion', 'parameters'])
    await create(`a node without ${key}`, without(key))
  await create(
    'two nodes of one name',
    workflowOf('body', [hook, { ...last, name: 'Webhook' }], { connections: {} }),
  )
  await create('two nodes of one id', workflowOf('body', [hook, { ...last, id: hook['id'] ?? '' }]))
  const target = { main: [[{ node: 'Last', type: 'main', index: 0 }]] }
  await create(
    'a connection from nowhere',
    workflowOf('body', [hook, last], { connections: { Nowhere: target } }),
  )
  await create(
    'a connection to nowhere',
    workflowOf('body', [hook, last], {
      connections: { Webhook: { main: [[{ node: 'Nowhere', type: 'main', index: 0 }]] } },
    }),
  )
  await create(
    'a connection that is a number',
    workflowOf('body', [hook, last], { connections: { Webhook: 5 } }),
  )
  await create(
    'a node of no known type',
    workflowOf('body', [hook, { ...last, type: 'n8n-nodes-base.doesNotExist' }]),
  )
  await create(
    'a node of no known version',
    workflowOf('body', [hook, { ...last, typeVersion: 99 }]),
  )
  await record('create from broken JSON', 'POST /api/v1/workflows', { text: '{"name":' })
  await record('create from plain text', 'POST /api/v1/workflows', {
    text: '{}',
    headers: { 'content-type': 'text/plain' },
  })
  await record('create without a body', 'POST /api/v1/workflows')
  await record('create from more than 16 MiB', 'POST /api/v1/workflows', {
    text: JSON.stringify({ ...plain('body', path), pinData: { x: 'x'.repeat(17_000_000) } }),
  })
}
