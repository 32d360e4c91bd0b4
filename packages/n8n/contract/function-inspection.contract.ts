import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { describe, expect, it } from 'vitest'
import {
  type FunctionState,
  type N8nFunction,
  type N8nWorkflow,
  createN8nClient,
  executeWorkflow,
  hashWorkflow,
  bindWorkflow,
  inspectFunction,
  updateFunction,
} from '../src/index.ts'
import {
  addition,
  chain,
  node,
  numbered,
  setNode,
  webhook,
  workflowOf,
} from '../test/function-workflows.ts'
import { client, deploy, keep, retireAllAfterEach, server } from './function-setup.ts'

retireAllAfterEach()

const isTwo = server.major === 2

/** Everything that a workflow can have. */
const rich: N8nWorkflow = {
  ...workflowOf([
    setNode('First', '={{ $json.body }}'),
    setNode('Result', '{ "done": true }', 440),
  ]),
  settings: { executionOrder: 'v1', timezone: 'Africa/Lagos', executionTimeout: 60 },
}

type Raw = Record<string, JsonValue>

/** What an editor does: the public API itself, past the client. */
async function call(method: string, path: string, body?: object): Promise<Raw> {
  const response = await fetch(`${server.baseUrl}/api/v1${path}`, {
    method,
    headers: {
      'x-n8n-api-key': server.apiKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as Raw
  expect({ status: response.status, message: response.ok ? '' : json['message'] }).toEqual({
    status: 200,
    message: '',
  })
  return json
}

/** Changes what is live, as somebody in the editor would. */
async function edit(
  fn: N8nFunction,
  change: (workflow: Record<string, never>) => void,
): Promise<void> {
  const { name, nodes, connections, settings } = structuredClone(
    await call('GET', `/workflows/${fn.workflowId}`),
  )
  const { callerPolicy: _policy, availableInMCP: _mcp, ...own } = settings as JsonObject
  const workflow = { name, nodes, connections, settings: own }
  change(workflow as never)
  await call('PUT', `/workflows/${fn.workflowId}`, workflow)
}

async function stateAfter(
  change: (workflow: {
    name: string
    nodes: Record<string, never>[]
    connections: Record<string, unknown>
    settings: Record<string, unknown>
    staticData?: unknown
    pinData?: unknown
  }) => void,
): Promise<FunctionState> {
  const fn = await deploy(rich)
  expect(await inspectFunction(client, fn, rich)).toEqual({ state: 'intact' })
  await edit(fn, change as never)
  return await inspectFunction(client, fn, rich)
}

const set = (target: unknown, key: string, value: unknown): void => {
  ;(target as Record<string, unknown>)[key] = value
}

type Change = [string, string, Parameters<typeof stateAfter>[0]]

describe(`inspection on n8n ${server.version}`, () => {
  const other = 'Aaaaaaaaaaaaaaaa'
  const changes: Change[] = [
    [
      'a parameter of a node',
      'node "First" parameters.jsonOutput',
      ({ nodes }) => set(nodes[1]?.['parameters'], 'jsonOutput', '{ "evil": true }'),
    ],
    [
      'a parameter that is new',
      'node "First" parameters.includeOtherFields',
      ({ nodes }) => set(nodes[1]?.['parameters'], 'includeOtherFields', true),
    ],
    [
      'a connection',
      'connections of "Call"',
      ({ connections }) =>
        set(connections, 'Call', { main: [[{ node: 'Result', type: 'main', index: 0 }]] }),
    ],
    ['a setting', 'settings.timezone', ({ settings }) => set(settings, 'timezone', 'UTC')],
    [
      'a setting that is new',
      'settings.saveDataSuccessExecution',
      ({ settings }) => set(settings, 'saveDataSuccessExecution', 'none'),
    ],
    [
      'the error workflow',
      'settings.errorWorkflow',
      ({ settings }) => set(settings, 'errorWorkflow', other),
    ],
    [
      'the id of a credential',
      'node "Call" credentials',
      ({ nodes }) => set(nodes[0], 'credentials', { jwtAuth: { id: other, name: 'x' } }),
    ],
    [
      'the authentication of the webhook',
      'node "Call" parameters.authentication',
      ({ nodes }) => set(nodes[0]?.['parameters'], 'authentication', 'none'),
    ],
    [
      'the path of the webhook',
      'node "Call" parameters.path',
      ({ nodes }) => set(nodes[0]?.['parameters'], 'path', crypto.randomUUID()),
    ],
    [
      'an added node',
      'node "Extra" added',
      ({ nodes }) => nodes.push(setNode('Extra', '{}', 900) as never),
    ],
    [
      'a removed node',
      'node "Result" removed or renamed',
      (workflow) => {
        workflow.nodes.pop()
        delete workflow.connections['First']
      },
    ],
    ['a disabled node', 'node "First" disabled', ({ nodes }) => set(nodes[1], 'disabled', true)],
    [
      'how a node fails',
      'node "First" onError',
      ({ nodes }) => set(nodes[1], 'onError', 'continueRegularOutput'),
    ],
    ['a position', 'node "First" position', ({ nodes }) => set(nodes[1], 'position', [220, 40])],
    [
      'the version of a node',
      'node "First" typeVersion',
      ({ nodes }) => set(nodes[1], 'typeVersion', 3.3),
    ],
    ['the name', 'name', (workflow) => set(workflow, 'name', 'FUNCTION renamed')],
    ['static data', 'staticData', (workflow) => set(workflow, 'staticData', { global: { x: 1 } })],
  ]
  if (isTwo)
    changes.push([
      'pinned data',
      'pinData',
      (workflow) => set(workflow, 'pinData', { First: [{ json: { x: 1 } }] }),
    ])

  for (const [what, field, change] of changes)
    it(`catches ${what}`, async () => {
      const state = await stateAfter(change)
      expect(state).toMatchObject({ state: 'changed', fields: expect.arrayContaining([field]) })
    })

  it('catches that it was unpublished, and that it was deleted', async () => {
    const fn = await deploy(rich)
    await client.workflows.unpublish(fn.workflowId)
    expect(await inspectFunction(client, fn, rich)).toMatchObject({
      state: 'changed',
      fields: ['active'],
    })
    await client.workflows.remove(fn.workflowId)
    expect(await inspectFunction(client, fn, rich)).toMatchObject({
      state: 'changed',
      fields: ['deleted'],
    })
  })

  it('catches that it was archived, which n8n 1.x cannot do to one that is live', async () => {
    const fn = await deploy(rich)
    if (isTwo) await call('POST', `/workflows/${fn.workflowId}/archive`)
    else await client.workflows.unpublish(fn.workflowId)
    expect(await inspectFunction(client, fn, rich)).toMatchObject({
      state: 'changed',
      fields: expect.arrayContaining(isTwo ? ['archived', 'active'] : ['active']),
    })
  })

  it('judges what is live: a draft is not, another version is once it is published', async () => {
    const fn = await deploy(numbered(1))
    const evil = bindWorkflow(numbered(2), fn.binding)
    const { versionId } = await client.workflows.update(fn.workflowId, evil, {
      mode: isTwo ? 'draft' : 'live',
    })
    const changed = { state: 'changed', fields: ['node "Result" parameters.jsonOutput'] }
    expect(await inspectFunction(client, fn, numbered(1))).toMatchObject(
      isTwo ? { state: 'intact' } : changed,
    )
    await client.workflows.publish(fn.workflowId, versionId === undefined ? {} : { versionId })
    expect(await inspectFunction(client, fn, numbered(1))).toMatchObject(changed)
  })

  it('finds an untouched workflow intact after calls, a schedule that fired, and many questions', async () => {
    const schedule = node('Every second', 'scheduleTrigger@1.2', {
      rule: {
        interval: [
          { field: 'cronExpression', expression: '* * * * * *' },
          { field: 'hours', hoursInterval: 5 },
        ],
      },
    })
    const nodes = [webhook, setNode('Result', '{ "done": true }')]
    const scheduled = workflowOf([...nodes, { ...schedule, position: [0, 200] }], {
      connections: {
        ...chain(nodes),
        'Every second': { main: [[{ node: 'Result', type: 'main', index: 0 }]] },
      },
    })
    const fn = await deploy(scheduled)
    for (let calls = 0; calls < 3; calls += 1)
      expect(await executeWorkflow(client, fn, {})).toMatchObject({ ok: true })
    await expect
      .poll(
        async () => {
          const modes = []
          for await (const { mode } of client.executions.list({ workflowId: fn.workflowId }))
            modes.push(mode)
          return modes
        },
        { timeout: 180_000, interval: 500 },
      )
      .toContain('trigger')
    for await (const workflow of client.workflows.list({ name: 'FUNCTION' }))
      expect(workflow.id).toBeTruthy()
    expect(await inspectFunction(client, fn, scheduled)).toEqual({ state: 'intact' })
    const stored = await client.workflows.get(fn.workflowId)
    expect(stored.staticData).toMatchObject({
      'node:Every second': { recurrenceRules: expect.any(Array) },
    })
    expect(await hashWorkflow(bindWorkflow(scheduled, fn.binding))).toBe(fn.hash)
    const next = keep(await updateFunction(client, fn, scheduled))
    expect(await inspectFunction(client, next, scheduled)).toEqual({ state: 'intact' })
  })

  it('says that it does not know when n8n is down', async () => {
    const fn = await deploy(addition)
    const down = createN8nClient({
      baseUrl: 'http://127.0.0.1:9',
      apiKey: server.apiKey,
      retry: { retries: 0 },
    })
    expect(await inspectFunction(down, fn, addition)).toMatchObject({ state: 'unknown' })
  })
})
