import type { ToolError } from '@toolcrib/registry'
import { afterEach, describe, expect, it } from 'vitest'
import { startDouble } from '../test/function-double.ts'
import { addition, workflowOf } from '../test/function-workflows.ts'
import { bindWorkflow } from './bind-workflow.ts'
import { hashWorkflow } from './canonical-workflow.ts'
import { deployFunction } from './deploy-function.ts'
import { executeWorkflow } from './execute-workflow.ts'
import type { DeploymentProgress } from './n8n-function.ts'
import type { N8nDouble } from './testing.ts'
import { undoDeployment } from './undo-deployment.ts'

const doubles: N8nDouble[] = []

async function start(version: '2.41.1' | '1.123.81' = '2.41.1'): ReturnType<typeof startDouble> {
  const started = await startDouble({ version })
  doubles.push(started.double)
  return started
}

afterEach(async () => {
  await Promise.all(doubles.splice(0).map((double) => double.close()))
})

function expectNothing(double: N8nDouble): void {
  expect({ workflows: double.workflows(), credentials: double.credentials() }).toEqual({
    workflows: [],
    credentials: [],
  })
}

describe('deployFunction', () => {
  it.each(['2.41.1', '1.123.81'] as const)(
    'makes a workflow callable on n8n %s',
    async (version) => {
      const { double, client } = await start(version)
      const fn = await deployFunction(client, addition, { name: 'tool: add', versionName: 'v1' })
      expect(fn.hash).toBe(await hashWorkflow(bindWorkflow(addition, fn.binding)))
      expect(fn.versionId).toBe(
        version === '2.41.1' ? double.workflows()[0]?.activeVersionId : undefined,
      )
      double.onWebhook('tool: add', ({ body }) => ({ result: { got: body } }))
      expect(await executeWorkflow(client, fn, { a: 1 })).toMatchObject({
        ok: true,
        result: { got: { a: 1 } },
      })
    },
  )

  it('gives paths and secrets that cannot be guessed, another each time', async () => {
    const { client } = await start()
    const [one, two] = [
      await deployFunction(client, addition),
      await deployFunction(client, addition),
    ]
    expect(one.binding.path).toMatch(/^[0-9a-f]{40}$/)
    expect(one.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(
      new Set([one.binding.path, two.binding.path, one.binding.webhookId, two.binding.webhookId])
        .size,
    ).toBe(4)
    expect(one.secret).not.toBe(two.secret)
  })

  it('refuses a workflow that could not be called before anything is sent', async () => {
    const { double, client } = await start()
    await expect(deployFunction(client, { ...addition, nodes: [] })).rejects.toMatchObject({
      code: 'N8N_NO_WEBHOOK',
    })
    await expect(
      deployFunction(client, addition, { auth: 'basic' as never }),
    ).rejects.toMatchObject({ code: 'N8N_OPTION_INVALID' })
    await expect(deployFunction(client, addition, { readyTimeoutMs: 0 })).rejects.toMatchObject({
      code: 'N8N_OPTION_INVALID',
    })
    await expect(deployFunction(client, addition, { name: 'x'.repeat(129) })).rejects.toMatchObject(
      { code: 'N8N_OPTION_INVALID' },
    )
    expect(double.requests).toEqual([])
  })

  it('tells before each step what would be left, so that a crash can be cleaned up', async () => {
    const { double, client } = await start()
    const seen: { progress: DeploymentProgress; workflows: number; credentials: number }[] = []
    await deployFunction(client, addition, {
      onProgress: (progress) => {
        seen.push({
          progress,
          workflows: double.workflows().length,
          credentials: double.credentials().length,
        })
      },
    })
    expect(seen.map(({ workflows, credentials }) => [workflows, credentials])).toEqual([
      [0, 0],
      [0, 1],
      [1, 1],
    ])
    expect(seen.map(({ progress }) => Object.keys(progress).toSorted())).toEqual([
      ['binding', 'secret'],
      ['binding', 'credentialId', 'secret'],
      ['binding', 'credentialId', 'secret', 'workflowId'],
    ])
  })

  const steps = [
    ['credential', { method: 'POST', path: '/api/v1/credentials' }],
    ['create', { method: 'POST', path: /\/api\/v1\/workflows$/ }],
    ['read-back', { method: 'GET', path: /\/workflows\/\w+$/ }],
    ['publish', { method: 'POST', path: '/publish' }],
    ['ready', { method: 'POST', path: '/webhook/' }],
  ] as const

  it.each(steps)('leaves nothing when n8n refuses at the step %s', async (step, match) => {
    const { double, client } = await start()
    double.failNext({
      ...match,
      status: step === 'ready' ? 200 : 400,
      body: { message: 'No luck today' },
    })
    await expect(deployFunction(client, addition)).rejects.toMatchObject({
      code: 'N8N_DEPLOY_FAILED',
      data: { step },
      message: expect.stringContaining(step === 'ready' ? 'open to everybody' : 'No luck today'),
    })
    expectNothing(double)
  })

  it.each(steps.slice(0, 4))(
    'leaves nothing when the answer is lost at the step %s',
    async (step, match) => {
      const { double, client } = await start()
      double.cutConnection({ ...match, when: 'after' })
      await expect(deployFunction(client, addition)).rejects.toMatchObject({
        code: 'N8N_DEPLOY_FAILED',
        data: { step, code: 'N8N_UNREACHABLE' },
      })
      expectNothing(double)
    },
  )

  it.each(steps)(
    'leaves nothing when it is aborted at the step %s',
    async (step, { method, path }) => {
      const { double, client } = await start()
      const controller = new AbortController()
      double.slow(40)
      const watch = setInterval(() => {
        const isThere = double.requests.some(
          (request) =>
            request.method === method &&
            (typeof path === 'string' ? request.path.includes(path) : path.test(request.path)),
        )
        if (isThere) controller.abort(new Error('enough'))
      }, 5)
      await expect(
        deployFunction(client, addition, { signal: controller.signal }),
      ).rejects.toMatchObject({
        code: 'N8N_DEPLOY_FAILED',
        data: { step, reason: 'enough' },
      })
      clearInterval(watch)
      double.slow(0)
      expectNothing(double)
    },
  )

  it('leaves nothing when n8n keeps something else than was sent', async () => {
    const { double, client } = await start()
    const failed = deployFunction(client, addition, {
      onProgress: () => {
        for (const { id } of double.workflows()) double.edit(id, { name: 'FUNCTION evil' })
      },
    })
    await expect(failed).rejects.toMatchObject({
      code: 'N8N_DEPLOY_FAILED',
      data: { step: 'live-check', fields: ['name'] },
    })
    expectNothing(double)
  })

  it('leaves nothing when the webhook never answers', async () => {
    const { double, client } = await startDouble({ publishDelayMs: 1_000 })
    doubles.push(double)
    await expect(deployFunction(client, addition, { readyTimeoutMs: 150 })).rejects.toMatchObject({
      data: { step: 'ready', code: 'N8N_TIMEOUT' },
    })
    expectNothing(double)
  })

  it('leaves nothing when the one who keeps the progress fails', async () => {
    const { double, client } = await start()
    const failed = deployFunction(client, addition, {
      onProgress: ({ workflowId }) => {
        if (workflowId !== undefined) throw new Error('disk full')
      },
    })
    await expect(failed).rejects.toMatchObject({
      code: 'N8N_DEPLOY_FAILED',
      data: { step: 'progress', reason: 'disk full' },
    })
    expectNothing(double)
  })

  it('names what is left when it cannot be taken back, without secret and path', async () => {
    const { double, client } = await start()
    let progress: DeploymentProgress | undefined
    const failed = deployFunction(client, addition, {
      onProgress: (now) => {
        progress = now
        if (now.workflowId !== undefined)
          double.failNext({
            method: 'DELETE',
            times: 9,
            status: 500,
            body: { message: 'disk full' },
          })
        if (now.workflowId !== undefined) throw new Error(`no ${now.secret} ${now.binding.path}`)
      },
    })
    const error = (await failed.catch((thrown: unknown) => thrown)) as ToolError
    expect(error).toMatchObject({
      code: 'N8N_CLEANUP_INCOMPLETE',
      data: { left: [`workflow ${progress?.workflowId}`, `credential ${progress?.credentialId}`] },
    })
    expect(error.message + JSON.stringify(error.data)).not.toMatch(
      new RegExp(`${progress?.secret}|${progress?.binding.path}`),
    )
    await double.up()
    if (progress !== undefined)
      expect(await undoDeployment(client, progress)).toEqual({ removed: true, left: [] })
    expectNothing(double)
  })
})

describe('undoDeployment', () => {
  it.each([0, 1, 2])(
    'cleans up after a crash that followed report %i, and can be repeated',
    async (last) => {
      const { double, client } = await start()
      const reports: DeploymentProgress[] = []
      await deployFunction(client, addition, {
        onProgress: (progress) => void reports.push(progress),
      })
      await deployFunction(client, workflowOf([]), { name: 'FUNCTION test too' })
      const progress = reports[last]
      if (progress === undefined) throw new Error('no such report')
      expect(await undoDeployment(client, progress)).toEqual({ removed: true, left: [] })
      expect(await undoDeployment(client, progress)).toEqual({ removed: true, left: [] })
      expect(double.workflows().map(({ name }) => name)).toEqual(['FUNCTION test too'])
      expect(double.credentials()).toHaveLength(1)
    },
  )

  it('says on n8n 1.x, which lists no credentials, which one may be left', async () => {
    const { client } = await start('1.123.81')
    const binding = { name: 'x', path: 'a'.repeat(40), webhookId: 'b' }
    expect(await undoDeployment(client, { binding, secret: 'c'.repeat(64) })).toMatchObject({
      removed: false,
      left: ['credential "toolcrib aaaaaaaaaaaaaaaa", if it was created'],
    })
  })

  it('says what may be left when n8n is down', async () => {
    const { double, client } = await start()
    await double.down()
    const binding = { name: 'x', path: 'a'.repeat(40), webhookId: 'b' }
    expect(
      await undoDeployment(client, {
        binding,
        secret: 's'.repeat(64),
        workflowId: 'W1',
        credentialId: 'C1',
      }),
    ).toMatchObject({
      removed: false,
      left: ['workflow W1', 'credential C1'],
      reason: expect.any(String),
    })
  })
})
