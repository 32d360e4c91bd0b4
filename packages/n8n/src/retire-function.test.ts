import { afterEach, describe, expect, it } from 'vitest'
import { startDouble } from '../test/function-double.ts'
import { addition, webhook } from '../test/function-workflows.ts'
import { deployFunction } from './deploy-function.ts'
import { executeWorkflow } from './execute-workflow.ts'
import { inspectFunction } from './inspect-function.ts'
import { retireFunction } from './retire-function.ts'
import type { N8nFunction } from './n8n-function.ts'
import { updateFunction } from './update-function.ts'
import type { N8nDouble, N8nDoubleOptions } from './testing.ts'

const doubles: N8nDouble[] = []

async function start(options: N8nDoubleOptions = {}): ReturnType<typeof startDouble> {
  const started = await startDouble(options)
  doubles.push(started.double)
  return started
}

afterEach(async () => {
  await Promise.all(doubles.splice(0).map((double) => double.close()))
})

describe('retireFunction', () => {
  it.each(['2.41.1', '1.123.81'] as const)(
    'leaves nothing on n8n %s, and can be repeated',
    async (version) => {
      const { double, client } = await start({ version, unpublishDelayMs: 150 })
      const fn = await deployFunction(client, addition)
      expect(await retireFunction(client, fn)).toEqual({ removed: true, left: [] })
      expect([double.workflows(), double.credentials()]).toEqual([[], []])
      expect(await executeWorkflow(client, fn, {})).toMatchObject({
        error: { code: 'N8N_NOT_CALLABLE' },
      })
      expect(await retireFunction(client, fn)).toEqual({ removed: true, left: [] })
    },
  )

  it('only takes it down where that is wanted, and not before it is silent', async () => {
    const { double, client } = await start({ unpublishDelayMs: 150 })
    const fn = await deployFunction(client, addition)
    expect(await retireFunction(client, fn, { mode: 'unpublish' })).toEqual({
      removed: true,
      left: [],
    })
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      error: { code: 'N8N_NOT_CALLABLE' },
    })
    expect(double.workflows()).toMatchObject([{ active: false }])
    expect(double.credentials()).toHaveLength(1)
  })

  it('takes down what an update publishes in the meantime', async () => {
    const { double, client } = await start({ unpublishDelayMs: 150 })
    const fn = await deployFunction(client, addition)
    const isRegistered = client.webhooks.isRegistered.bind(client.webhooks)
    let updated: Promise<N8nFunction> | undefined
    const slow = {
      ...client,
      webhooks: {
        ...client.webhooks,
        isRegistered: async (...parameters: Parameters<typeof isRegistered>) => {
          await (updated ??= updateFunction(client, fn, addition))
          return isRegistered(...parameters)
        },
      },
    }
    const outcome = await retireFunction(slow, fn, { mode: 'unpublish' })
    expect(outcome).toEqual({ removed: true, left: [] })
    expect(double.workflows()).toMatchObject([{ active: false }])
  })

  it('leaves an update nothing to name', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, addition)
    const get = client.workflows.get.bind(client.workflows)
    const busy = {
      ...client,
      workflows: {
        ...client.workflows,
        get: async (...parameters: Parameters<typeof get>) => {
          const stored = await get(...parameters)
          await retireFunction(client, fn).catch(() => undefined)
          return stored
        },
      },
    }
    await expect(updateFunction(busy, fn, addition)).rejects.toMatchObject({
      code: 'N8N_NOT_FOUND',
      message: expect.stringContaining('is gone'),
    })
    expect(double.workflows()).toEqual([])
  })

  it('names everything that is left when n8n is down, and finishes later', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, addition)
    await double.down()
    expect(await retireFunction(client, fn)).toEqual({
      removed: false,
      left: [
        `workflow ${fn.workflowId} (may still be live)`,
        `credential ${fn.binding.credential?.id}`,
      ],
      reason: expect.any(String),
    })
    await double.up()
    expect(await retireFunction(client, fn)).toEqual({ removed: true, left: [] })
    expect([double.workflows(), double.credentials()]).toEqual([[], []])
  })

  it('tries again where n8n fails inside while it takes the webhook down', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, addition)
    double.failNext({
      method: 'DELETE',
      path: '/workflows/',
      times: 2,
      status: 500,
      body: { message: 'Internal server error' },
    })
    expect(await retireFunction(client, fn)).toEqual({ removed: true, left: [] })
    expect(double.workflows()).toEqual([])
  })

  it('leaves nothing of what was live, whoever removes it and however often n8n fails inside', async () => {
    const { double, client } = await start({ failedRemovals: 3, unpublishDelayMs: 3_000 })
    const fn = await deployFunction(client, addition)
    expect(await client.workflows.remove(fn.workflowId)).toBe(true)
    const failed = double.requests.filter(({ method }) => method === 'DELETE')
    expect(failed.length).toBeGreaterThan(4)
    expect(double.workflows()).toEqual([])
  })

  it('names what n8n would not delete', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, addition)
    double.failNext({
      method: 'DELETE',
      path: '/workflows/',
      status: 403,
      body: { message: 'Forbidden' },
    })
    expect(await retireFunction(client, fn)).toMatchObject({
      removed: false,
      left: [`workflow ${fn.workflowId} (not live)`],
    })
  })

  it('keeps the credential of a webhook that will not fall silent', async () => {
    const { double, client } = await start({ unpublishDelayMs: 60_000 })
    const fn = await deployFunction(client, addition)
    expect(await retireFunction(client, fn, { goneTimeoutMs: 100 })).toMatchObject({
      removed: false,
      left: [
        `workflow ${fn.workflowId} (may still be live)`,
        `credential ${fn.binding.credential?.id}`,
      ],
      reason: expect.not.stringContaining(fn.binding.path),
    })
    expect(double.credentials()).toHaveLength(1)
  })

  it('refuses wrong options, and gives the reason of an abort back', async () => {
    const { client } = await start()
    const fn = await deployFunction(client, addition)
    await expect(retireFunction(client, fn, { mode: 'gone' as never })).rejects.toMatchObject({
      code: 'N8N_OPTION_INVALID',
    })
    await expect(retireFunction(client, fn, { goneTimeoutMs: 0 })).rejects.toMatchObject({
      code: 'N8N_OPTION_INVALID',
    })
    const reason = new Error('enough')
    await expect(retireFunction(client, fn, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
  })
})

describe('inspectFunction', () => {
  it.each<[string, Parameters<N8nDouble['edit']>[1], string]>([
    ['the name', { name: 'other' }, 'name'],
    ['a setting', { settings: { executionOrder: 'v1', timezone: 'UTC' } }, 'settings.timezone'],
    ['the connections', { connections: {} }, 'connections of "Call"'],
    ['static data', { staticData: { global: { x: 1 } } }, 'staticData'],
    ['pinned data', { pinData: { Result: [] } }, 'pinData'],
    [
      'a node',
      { nodes: [{ ...webhook, name: 'Other' }], connections: {} } as never,
      'node "Other" added',
    ],
    ['that it was archived', { isArchived: true }, 'archived'],
  ])('catches %s', async (_what, change, field) => {
    const { double, client } = await start()
    const fn = await deployFunction(client, addition)
    expect(await inspectFunction(client, fn, addition)).toEqual({ state: 'intact' })
    double.edit(fn.workflowId, change)
    const state = await inspectFunction(client, fn, addition)
    expect(state).toMatchObject({ state: 'changed', fields: expect.arrayContaining([field]) })
  })

  it('looks past drafts, and catches that it was unpublished or deleted', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, addition)
    double.edit(fn.workflowId, { nodes: [], connections: {}, publish: false })
    expect(await inspectFunction(client, fn, addition)).toEqual({ state: 'intact' })
    double.setActive(fn.workflowId, false)
    expect(await inspectFunction(client, fn, addition)).toMatchObject({
      fields: expect.arrayContaining(['active']),
    })
    double.remove(fn.workflowId)
    expect(await inspectFunction(client, fn, addition)).toMatchObject({
      state: 'changed',
      fields: ['deleted'],
    })
  })

  it('does not know while n8n is down, starting, or refuses the key', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, addition)
    double.failNext({ path: '/workflows/', status: 401, body: { message: 'Unauthorized' } })
    expect(await inspectFunction(client, fn, addition)).toMatchObject({ state: 'unknown' })
    double.starting('routes')
    expect(await inspectFunction(client, fn, addition)).toMatchObject({ state: 'unknown' })
    await double.up()
    await double.down()
    expect(await inspectFunction(client, fn, addition)).toMatchObject({ state: 'unknown' })
    const reason = new Error('enough')
    await expect(
      inspectFunction(client, fn, addition, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
  })
})
