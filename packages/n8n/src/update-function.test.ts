import { afterEach, describe, expect, it } from 'vitest'
import { startDouble } from '../test/function-double.ts'
import { node, numbered, setNode, webhook, workflowOf } from '../test/function-workflows.ts'
import { deployFunction } from './deploy-function.ts'
import { executeWorkflow } from './execute-workflow.ts'
import { inspectFunction } from './inspect-function.ts'
import { retireFunction } from './retire-function.ts'
import { rollbackFunction } from './rollback-function.ts'
import type { N8nDouble } from './testing.ts'
import { updateFunction } from './update-function.ts'

const versions = ['2.41.1', '1.123.81'] as const
const doubles: N8nDouble[] = []

async function start(
  version: (typeof versions)[number] = '2.41.1',
): ReturnType<typeof startDouble> {
  const started = await startDouble({ version, publishDelayMs: 60 })
  doubles.push(started.double)
  return started
}

afterEach(async () => {
  await Promise.all(doubles.splice(0).map((double) => double.close()))
})

describe('updateFunction', () => {
  it.each(versions)(
    'answers with the new version only, at a new path, on n8n %s',
    async (version) => {
      const { double, client } = await start(version)
      let fn = await deployFunction(client, numbered(0))
      for (let number = 1; number <= 5; number += 1) {
        const next = await updateFunction(client, fn, numbered(number))
        expect(await executeWorkflow(client, next, {})).toMatchObject({
          ok: true,
          result: { version: number },
        })
        expect(await executeWorkflow(client, fn, {})).toMatchObject({
          error: { code: 'N8N_NOT_CALLABLE' },
        })
        expect(next).toMatchObject({ workflowId: fn.workflowId, secret: fn.secret })
        expect(next.binding).toMatchObject({ credential: fn.binding.credential })
        expect(await inspectFunction(client, next, numbered(number))).toEqual({ state: 'intact' })
        fn = next
      }
      expect(double.credentials()).toHaveLength(1)
    },
  )

  it('clears static and pinned data that the new content does not have', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, numbered(1))
    double.edit(fn.workflowId, { staticData: { global: { x: 1 } }, pinData: { Result: [] } })
    const next = await updateFunction(client, fn, numbered(2))
    expect(await inspectFunction(client, next, numbered(2))).toEqual({ state: 'intact' })
  })

  const failures = [
    ['save', { method: 'PUT' }],
    ['publish', { method: 'POST', path: '/publish' }],
    ['ready', { method: 'POST', path: '/webhook/' }],
  ] as const

  it.each(failures)(
    'leaves the old version live when it fails at the step %s',
    async (step, match) => {
      const { double, client } = await start()
      const old = { ...numbered(1), settings: { executionOrder: 'v1', timezone: 'Africa/Lagos' } }
      const fn = await deployFunction(client, old)
      double.failNext({
        ...match,
        status: step === 'ready' ? 200 : 400,
        body: { message: 'No luck today' },
      })
      await expect(
        updateFunction(client, fn, numbered(2), { name: 'other' }),
      ).rejects.toMatchObject({
        code: 'N8N_DEPLOY_FAILED',
        data: { step },
      })
      expect(await inspectFunction(client, fn, old)).toEqual({ state: 'intact' })
      expect(await executeWorkflow(client, fn, {})).toMatchObject({
        ok: true,
        result: { version: 1 },
      })
    },
  )

  it('makes the old version live again when an update is aborted after it was published', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, numbered(1))
    const controller = new AbortController()
    const watch = setInterval(() => {
      if (double.requests.at(-1)?.method === 'OPTIONS') controller.abort(new Error('enough'))
    }, 1)
    const before = double.requests.length
    expect(before).toBeGreaterThan(0)
    const update = updateFunction(client, fn, numbered(2), { signal: controller.signal })
    await expect(update).rejects.toMatchObject({
      code: 'N8N_DEPLOY_FAILED',
      data: { reason: 'enough' },
    })
    clearInterval(watch)
    expect(await inspectFunction(client, fn, numbered(1))).toEqual({ state: 'intact' })
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: true,
      result: { version: 1 },
    })
  })

  it('puts the old content back on n8n 1.x, that of the server or the one that is given', async () => {
    const { double, client } = await start('1.123.81')
    const fn = await deployFunction(client, numbered(1))
    const broken = workflowOf([node('Nobody knows it', 'doesNotExist', {})])
    await expect(updateFunction(client, fn, broken)).rejects.toMatchObject({
      code: 'N8N_DEPLOY_FAILED',
    })
    expect(await inspectFunction(client, fn, numbered(1))).toEqual({ state: 'intact' })
    double.edit(fn.workflowId, { name: 'edited' })
    await expect(
      updateFunction(client, fn, broken, { previous: numbered(1) }),
    ).rejects.toMatchObject({ code: 'N8N_DEPLOY_FAILED' })
    expect(await inspectFunction(client, fn, numbered(1))).toEqual({ state: 'intact' })
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: true,
      result: { version: 1 },
    })
  })

  it('says so when the old version could not be made live again, and when n8n is down', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, numbered(1))
    double.failNext({ method: 'PUT', status: 500, body: { message: 'disk full' } })
    await expect(updateFunction(client, fn, numbered(2))).rejects.toMatchObject({
      code: 'N8N_DEPLOY_FAILED',
      data: { step: 'save' },
    })
    double.failNext({
      method: 'POST',
      path: '/publish',
      times: 5,
      status: 500,
      body: { message: 'disk full' },
    })
    const watch = setInterval(() => {
      if (double.requests.at(-1)?.path.endsWith('/publish') === true)
        double.setActive(fn.workflowId, false)
    }, 1)
    await expect(
      updateFunction(client, fn, numbered(2), { undoTimeoutMs: 300 }),
    ).rejects.toMatchObject({
      code: 'N8N_CLEANUP_INCOMPLETE',
      data: { left: [expect.stringContaining(fn.workflowId)] },
    })
    clearInterval(watch)
    await double.down()
    await expect(updateFunction(client, fn, numbered(2))).rejects.toMatchObject({
      code: 'N8N_UNREACHABLE',
    })
  })

  it.each(versions)(
    'leaves what another update made live meanwhile, on n8n %s',
    async (version) => {
      const { client } = await start(version)
      const fn = await deployFunction(client, numbered(1))
      const settled = await Promise.allSettled(
        [2, 3].map((number) => updateFunction(client, fn, numbered(number))),
      )
      // One after the other both may come through; neither takes back what the other made live.
      expect(settled.map(({ status }) => status)).toContain('fulfilled')
      for (const [index, each] of settled.entries())
        if (each.status === 'rejected')
          expect(each.reason).toMatchObject({
            code: 'N8N_CLEANUP_INCOMPLETE',
            data: { left: [expect.stringContaining('somebody else changed meanwhile')] },
          })
        else {
          expect(await inspectFunction(client, each.value, numbered(index + 2))).toEqual({
            state: 'intact',
          })
          expect(await executeWorkflow(client, each.value, {})).toMatchObject({
            ok: true,
            result: { version: index + 2 },
          })
        }
    },
  )

  it('leaves what somebody saved in the editor while it was published', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, numbered(1))
    const watch = setInterval(() => {
      if (double.requests.at(-1)?.method !== 'OPTIONS') return
      clearInterval(watch)
      double.edit(fn.workflowId, { name: 'theirs', publish: false, nodes: [] })
    }, 1)
    double.failNext({ method: 'POST', path: '/webhook/', status: 200, body: {} })
    await expect(updateFunction(client, fn, numbered(2))).rejects.toMatchObject({
      code: 'N8N_CLEANUP_INCOMPLETE',
      data: { left: [expect.stringContaining('somebody else changed meanwhile')] },
    })
    clearInterval(watch)
    expect(double.workflows()[0]?.name).toBe('theirs')
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: true,
      result: { version: 1 },
    })
  })

  it('tells that a function is gone, and refuses what could not be called, before it changes anything', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, numbered(1))
    await expect(updateFunction(client, fn, { ...numbered(2), nodes: [] })).rejects.toMatchObject({
      code: 'N8N_NO_WEBHOOK',
    })
    expect(await inspectFunction(client, fn, numbered(1))).toEqual({ state: 'intact' })
    double.remove(fn.workflowId)
    await expect(updateFunction(client, fn, numbered(2))).rejects.toMatchObject({
      code: 'N8N_NOT_FOUND',
    })
  })

  it('publishes again what was unpublished, and takes it down again when that fails', async () => {
    const { double, client } = await start()
    const fn = await deployFunction(client, numbered(1))
    expect(await retireFunction(client, fn, { mode: 'unpublish' })).toEqual({
      removed: true,
      left: [],
    })
    double.failNext({ method: 'POST', path: '/webhook/', status: 200, body: {} })
    await expect(updateFunction(client, fn, numbered(2))).rejects.toMatchObject({
      code: 'N8N_DEPLOY_FAILED',
    })
    expect(double.workflows()[0]?.active).toBe(false)
    const next = await updateFunction(client, fn, numbered(2))
    expect(await executeWorkflow(client, next, {})).toMatchObject({
      ok: true,
      result: { version: 2 },
    })
  })
})

describe('rollbackFunction', () => {
  it('publishes the older version itself where the history has it', async () => {
    const { double, client } = await start()
    const old = { ...numbered(1), settings: { executionOrder: 'v1', timezone: 'Africa/Lagos' } }
    const first = await deployFunction(client, old)
    const second = await updateFunction(client, first, numbered(2))
    const back = await rollbackFunction(client, second, {
      versionId: first.versionId ?? '',
      workflow: old,
    })
    expect(back).toEqual(first)
    expect(double.workflows()[0]?.activeVersionId).toBe(first.versionId)
    expect(await executeWorkflow(client, back, {})).toMatchObject({
      ok: true,
      result: { version: 1 },
    })
    expect(await inspectFunction(client, back, old)).toEqual({ state: 'intact' })
  })

  it('makes a new version where the older one is not what is expected, or is gone', async () => {
    const { double, client } = await start()
    const first = await deployFunction(client, numbered(1))
    double.edit(first.workflowId, {
      nodes: [webhook, setNode('Result', '{"version":"evil"}')] as never,
    })
    const evil = double.workflows()[0]?.activeVersionId ?? ''
    const second = await updateFunction(client, first, numbered(2))
    for (const versionId of [evil, crypto.randomUUID(), second.versionId ?? '']) {
      const back = await rollbackFunction(client, second, { versionId, workflow: numbered(1) })
      expect(back.versionId).not.toBe(versionId)
      expect(await executeWorkflow(client, back, {})).toMatchObject({
        ok: true,
        result: { version: 1 },
      })
    }
  })

  it('is an update on n8n 1.x, which has no history', async () => {
    const { client } = await start('1.123.81')
    const first = await deployFunction(client, numbered(1))
    const second = await updateFunction(client, first, numbered(2))
    const back = await rollbackFunction(client, second, { versionId: 'any', workflow: numbered(1) })
    expect(await executeWorkflow(client, back, {})).toMatchObject({
      ok: true,
      result: { version: 1 },
    })
  })
})
