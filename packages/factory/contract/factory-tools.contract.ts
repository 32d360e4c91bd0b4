import { createN8nClient } from '@toolcrib/n8n'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @boundaries-ignore what the contract job starts is shared by its tests
import { type BusinessStub, startBusinessStub } from '../../n8n/contract/business-stub.ts'
// @boundaries-ignore what the contract job starts is shared by its tests
import { readRealServer } from '../../n8n/contract/real-server.ts'
import { createFactoryTools } from '../src/index.ts'
import { createMemoryN8nDeployments, createN8nKind, importN8nWorkflow } from '@toolcrib/kind-n8n'
import { workflowExample } from '../src/generation/workflow-example.ts'
import { openHost, type TestHost } from '../test/open-host.ts'
import { createScriptedWorkflowModel } from '../test/scripted-workflow-model.ts'

const server = readRealServer()
const namePrefix = `factory contract ${crypto.randomUUID().slice(0, 8)}`
const client = createN8nClient({ baseUrl: server.baseUrl, apiKey: server.apiKey })
let stub: BusinessStub
let host: TestHost

/** The example of the prompt, but at the stub. */
const written = (): string =>
  JSON.stringify(workflowExample).replaceAll('https://shop.example', stub.url)

beforeAll(async () => {
  stub = await startBusinessStub()
  const kind = createN8nKind({ client, deployments: createMemoryN8nDeployments(), namePrefix })
  // Wrong first, so that the repair is part of it.
  const model = createScriptedWorkflowModel([
    written().replace('n8n-nodes-base.httpRequest', 'n8n-nodes-base.httpRequst'),
    `Here it is:\n\`\`\`json\n${written()}\n\`\`\``,
  ])
  host = await openHost(
    {},
    {
      kinds: [kind],
      privateAddresses: ['127.0.0.1'],
      makeTools: (toolsmaker) => createFactoryTools({ toolsmaker, n8n: { kind, model } }),
    },
  )
})

const onServer = async (): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of client.workflows.list({ name: namePrefix })) names.push(name)
  return names
}

afterAll(async () => {
  await host.close()
  await stub.close()
  const left = await onServer()
  if (left.length > 0) throw new Error(`${left.join(', ')} is left on the server.`)
})

const listed = async (name: string): Promise<Record<string, unknown> | undefined> => {
  // A list waits a moment for n8n and then leaves out what it did not say, which is often where the machine is busy.
  for (let left = 20; ; left -= 1) {
    const { tools } = await host.call('ada', 'toolFactory_listCustomTools', { type: 'n8n' })
    const found = (tools as Record<string, unknown>[]).find((tool) => tool['name'] === name)
    const { reachable } = (found?.['health'] ?? {}) as { readonly reachable?: unknown }
    if (reachable === true || left === 0) return found
  }
}

const remove = (toolName: string): Promise<Record<string, unknown>> =>
  host.call('ada', 'toolFactory_deleteCustomTool', {
    tool_name: toolName,
    delete_n8n_workflow: true,
  })

describe('a tool made from a template', () => {
  const order = { orderId: 'A-17', status: 'shipped', phone: '+2348012345678' }

  test('is proposed, and nothing is on the server', async () => {
    const answer = await host.call('ada', 'toolFactory_createFromTemplate', {
      template: 'order-status-notify',
      tool_name: 'notify_order_status',
      tool_description: 'Tells a customer by WhatsApp what became of an order',
      customizations: { messagingBaseUrl: stub.url },
    })
    expect(answer).toMatchObject({ success: true, status: 'approval_required' })
    expect(await onServer()).toEqual([])
  })

  test('is called with arguments once a person approved it', async () => {
    await host.approve('notify_order_status', 1)
    stub.reset({ 'POST /messages': { body: { messages: [{ id: 'm1' }] } } })
    expect(await host.call('ada', 'notify_order_status', order)).toEqual({
      orderId: 'A-17',
      messageId: 'm1',
    })
    expect(stub.seen).toMatchObject([{ body: { to: order.phone } }])
  })

  test('is listed with its health', async () => {
    const tool = await listed('notify_order_status')
    expect(tool).toMatchObject({
      templateSource: 'order-status-notify',
      n8nWorkflowId: expect.any(String),
      health: { reachable: true, published: true, intact: true },
    })
  })

  test('can be imported as it is', async () => {
    const id = String((await listed('notify_order_status'))?.['n8nWorkflowId'])
    expect(Object.keys(await importN8nWorkflow(client, id)).toSorted()).toEqual([
      'connections',
      'name',
      'nodes',
      'settings',
    ])
  })

  test('is deleted with its workflow', async () => {
    expect(await remove('notify_order_status')).toMatchObject({
      success: true,
      n8nWorkflow: 'deleted',
    })
    expect(await onServer()).toEqual([])
    expect(await remove('notify_order_status')).toMatchObject({
      success: true,
      n8nWorkflow: 'absent',
    })
  })
})

describe('a tool that a model wrote', () => {
  const principal = { kind: 'agent', id: 'ada' } as const

  test('is mended once and proposed, and nothing is on the server', async () => {
    const answer = await host.call('ada', 'toolFactory_createFromDescription', {
      tool_name: 'order_status',
      description: `Ask the shop at ${stub.url} where an order is, and give its status.`,
    })
    expect(answer).toMatchObject({
      success: true,
      status: 'approval_required',
      parameters: ['order_id', 'language'],
      modelCalls: 2,
    })
    expect(await onServer()).toEqual([])
  })

  test('is called with arguments and defaults, and its result is checked', async () => {
    await host.approve('order_status', 1)
    stub.reset({ 'POST /orders/find': { body: { status: 'shipped' } } })
    expect(await host.call('ada', 'order_status', { order_id: 'A-17' })).toEqual({
      status: 'shipped',
    })
    expect(stub.seen).toMatchObject([{ body: { id: 'A-17', language: 'en' } }])
    stub.reset({ 'POST /orders/find': { body: { status: 17 } } })
    expect(await host.invoke(principal, 'order_status', { order_id: 'A-17' })).toMatchObject({
      errorCode: 'OUTPUT_INVALID',
    })
  })

  test('fails with what its own error branch says', async () => {
    stub.reset({ 'POST /orders/find': { status: 500, body: { message: 'out of order' } } })
    expect(await host.invoke(principal, 'order_status', { order_id: 'A-17' })).toMatchObject({
      success: false,
      errorCode: 'TOOL_FAILED',
    })
  })

  test('is listed with its last run, and deleted', async () => {
    expect(await listed('order_status')).toMatchObject({
      health: {
        reachable: true,
        published: true,
        intact: true,
        lastRun: { status: expect.any(String), at: expect.any(String) },
      },
    })
    expect(await remove('order_status')).toMatchObject({ success: true, n8nWorkflow: 'deleted' })
  })
})
