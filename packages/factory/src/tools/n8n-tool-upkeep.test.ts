import { afterEach, describe, expect, test } from 'vitest'
// @boundaries-ignore tests of the packages share what sets the scene
import { shippingProgram } from '../../../kind-compute/test/compute-proposal.ts'
import { openHost, type TestHost } from '../../test/open-host.ts'
import { createScriptedN8nKind, type ScriptedN8nKind } from '../../test/scripted-n8n-kind.ts'
import { createFactoryTools } from '../index.ts'

let host: TestHost
let n8n: ScriptedN8nKind

const open = async (options: { readonly healthTimeoutMs?: number } = {}): Promise<void> => {
  n8n = createScriptedN8nKind()
  const { kind } = n8n
  host = await openHost(
    {},
    {
      kinds: [kind],
      makeTools: (toolsmaker) => createFactoryTools({ toolsmaker, n8n: { kind, ...options } }),
    },
  )
}

afterEach(async () => {
  await host.close()
})

const make = async (name = 'notify_order_status'): Promise<void> => {
  await host.call('ada', 'toolFactory_createFromTemplate', {
    template: 'order-status-notify',
    tool_name: name,
    tool_description: 'Tells a customer what became of an order',
  })
}

const remove = (input: object, agent = 'ada'): Promise<Record<string, unknown>> =>
  host.call(agent, 'toolFactory_deleteCustomTool', { tool_name: 'notify_order_status', ...input })

type Listed = Record<string, unknown> & { readonly health?: Record<string, unknown> }

const list = async (input: object = {}): Promise<readonly Listed[]> =>
  (await host.call('ada', 'toolFactory_listCustomTools', input))['tools'] as Listed[]

describe('deleting', () => {
  test('without more keeps the workflow, which is not live any more', async () => {
    await open()
    await make()
    await host.approve('notify_order_status', 1)
    expect(await remove({})).toMatchObject({
      success: true,
      status: 'deactivated',
      n8nWorkflow: 'kept',
    })
    expect(n8n.asked).toEqual(['deploy notify_order_status', 'retire notify_order_status'])
  })

  test('takes the tool out of use first, then the workflow', async () => {
    await open()
    await make()
    await host.approve('notify_order_status', 1)
    n8n.script.remove = async () => {
      expect(host.registry.has('notify_order_status')).toBe(false)
      return { removed: true, left: [] }
    }
    expect(await remove({ delete_n8n_workflow: true })).toEqual({
      success: true,
      toolName: 'notify_order_status',
      status: 'deactivated',
      version: 1,
      contentHash: expect.any(String),
      n8nWorkflow: 'deleted',
      message: expect.stringContaining('deleted from n8n'),
    })
  })

  test('says what is left where n8n is down or refuses, and the tool is out of use all the same', async () => {
    await open()
    await make()
    await host.approve('notify_order_status', 1)
    const left = ['workflow Ab12 (still live)', 'credential Cd34']
    n8n.script.remove = async () => ({
      removed: false,
      left,
      reason: 'N8N_UNREACHABLE: nobody answers.',
    })
    expect(await remove({ delete_n8n_workflow: true })).toMatchObject({
      success: false,
      status: 'deactivated',
      n8nWorkflow: 'left',
      left,
      errorCode: 'WORKFLOW_LEFT',
      error: expect.stringMatching(/out of use.*Ab12.*nobody answers.*once more later/),
    })
    expect(host.registry.has('notify_order_status')).toBe(false)
    expect(host.toolsmaker.listVersions('notify_order_status')[0]?.status).toBe('deactivated')
    // Later it works.
    n8n.script.remove = async () => ({ removed: true, left: [] })
    expect(await remove({ delete_n8n_workflow: true })).toMatchObject({
      success: true,
      n8nWorkflow: 'deleted',
    })
    // And then there is nothing.
    n8n.script.remove = async () => ({ removed: false, left: [] })
    expect(await remove({ delete_n8n_workflow: true })).toMatchObject({
      success: true,
      n8nWorkflow: 'absent',
    })
  })

  test.each([
    ['throws', () => Promise.reject(new Error('socket hang up')), 'socket hang up'],
    [
      'knows nothing for certain',
      async () => ({ removed: false, left: [], reason: 'It was not asked.' }),
      'It was not asked.',
    ],
  ])('never claims success where the kind %s', async (_how, answer, reason) => {
    await open()
    await make()
    n8n.script.remove = answer
    expect(await remove({ delete_n8n_workflow: true })).toMatchObject({
      success: false,
      errorCode: 'WORKFLOW_LEFT',
      left: ['the workflow, as far as is known'],
      error: expect.stringContaining(reason),
    })
  })

  test('is for the owner only: a workflow of another is not touched', async () => {
    await open()
    await make()
    expect(await remove({ delete_n8n_workflow: true }, 'bob')).toMatchObject({
      success: false,
      errorCode: 'CUSTOM_TOOL_NOT_FOUND',
    })
    expect(n8n.asked).toEqual([])
  })

  test('a tool of another kind has no workflow, and n8n is not asked', async () => {
    await open()
    await host.call('ada', 'toolFactory_createCompute', {
      tool_name: 'shipping_cost',
      tool_description: 'Works out what shipping costs',
      tool_parameters: { weight_kg: { type: 'number' } },
      logic: shippingProgram,
    })
    expect(await remove({ tool_name: 'shipping_cost', delete_n8n_workflow: true })).toMatchObject({
      success: true,
      n8nWorkflow: 'absent',
    })
    expect(n8n.asked).toEqual([])
  })

  test('in one line', async () => {
    await open()
    const tool = host.registry.get('toolFactory_deleteCustomTool')
    expect(tool?.describeCall?.({ tool_name: 'x', delete_n8n_workflow: true })).toBe(
      'Delete the made tool "x" and its workflow in n8n',
    )
  })
})

describe('a list', () => {
  test('shows the health of n8n tools, their template and their workflow', async () => {
    await open()
    await make()
    n8n.script.health = async () => ({
      workflowId: 'Ab12',
      isPublished: true,
      state: 'intact',
      lastRun: {
        executionId: '7',
        status: 'success',
        startedAt: '2026-01-01T00:00:00.000Z',
        stoppedAt: '2026-01-01T00:00:01.000Z',
      },
    })
    expect(await list()).toEqual([
      expect.objectContaining({
        name: 'notify_order_status',
        type: 'n8n',
        templateSource: 'order-status-notify',
        n8nWorkflowId: 'Ab12',
        health: {
          reachable: true,
          published: true,
          intact: true,
          lastRun: { status: 'success', at: '2026-01-01T00:00:01.000Z' },
        },
      }),
    ])
  })

  test('says when a workflow was changed, and when that is not known', async () => {
    await open()
    await make()
    n8n.script.health = async () => ({
      workflowId: 'Ab12',
      state: 'changed',
      reason: 'Its nodes differ.',
    })
    expect((await list())[0]?.health).toEqual({
      reachable: true,
      intact: false,
      reason: 'Its nodes differ.',
    })
    n8n.script.health = async () => ({
      workflowId: 'Ab12',
      isReachable: false,
      state: 'unknown',
      reason: 'Nobody answers.',
    })
    expect(await list()).toMatchObject([
      { n8nWorkflowId: 'Ab12', health: { reachable: false, reason: 'Nobody answers.' } },
    ])
    expect((await list())[0]?.health).not.toHaveProperty('intact')
  })

  test('says what should be gone and may not be', async () => {
    await open()
    await make()
    n8n.script.health = async () => ({ leftBehind: 'the credential Cd34' })
    expect((await list())[0]?.health).toEqual({
      reachable: true,
      reason: 'Left in n8n: the credential Cd34',
    })
  })

  test('has no health for what was never put there, nor for other tools', async () => {
    await open()
    await make()
    await host.call('ada', 'toolFactory_createCompute', {
      tool_name: 'shipping_cost',
      tool_description: 'Works out what shipping costs',
      tool_parameters: { weight_kg: { type: 'number' } },
      logic: shippingProgram,
    })
    for (const tool of await list()) {
      expect(tool).not.toHaveProperty('health')
      expect(tool).not.toHaveProperty('n8nWorkflowId')
    }
    expect(n8n.asked).toEqual(['health notify_order_status'])
  })

  test('never fails and never waits long: what is late or broken is said, the others are there', async () => {
    await open({ healthTimeoutMs: 300 })
    const names = Array.from({ length: 20 }, (_, index) => `notify_order_${index + 1}`)
    for (const name of names) await make(name)
    let signal: AbortSignal | undefined
    n8n.script.health = async (name, given) => {
      signal = given
      if (name === 'notify_order_1') throw new Error('broken')
      if (name === 'notify_order_2') return new Promise(() => undefined)
      return { workflowId: name, state: 'intact' }
    }
    const started = performance.now()
    const tools = await list()
    expect(performance.now() - started).toBeLessThan(30_000)
    expect(tools).toHaveLength(20)
    const health = new Map(tools.map((tool) => [tool['name'], tool.health]))
    expect(health.get('notify_order_1')).toEqual({ reachable: false, reason: 'broken' })
    expect(health.get('notify_order_2')).toEqual({
      reachable: false,
      reason: 'There was no answer within 300 ms.',
    })
    expect(health.get('notify_order_20')).toEqual({ reachable: true, intact: true })
    expect(signal?.aborted).toBe(true)
  })

  test('asks n8n about eight tools at once, no more', async () => {
    await open()
    for (let index = 1; index <= 12; index += 1) await make(`notify_order_${index}`)
    let running = 0
    let most = 0
    n8n.script.health = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => {
        setTimeout(resolve, 5)
      })
      running -= 1
      return { state: 'intact' }
    }
    await list()
    expect(most).toBe(8)
  })

  test('ends when its caller goes away', async () => {
    await open()
    await make()
    n8n.script.health = () => new Promise(() => undefined)
    const tool = host.registry.get('toolFactory_listCustomTools')
    const controller = new AbortController()
    const context = { principal: { kind: 'agent', id: 'ada' } } as never
    const call = tool?.execute({ limit: 100 }, controller.signal, context)
    await expect.poll(() => n8n.asked.length).toBe(1)
    controller.abort(new Error('gone'))
    await expect(call).rejects.toThrow('gone')
  })
})
