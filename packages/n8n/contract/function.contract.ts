import { describe, expect, it } from 'vitest'
import { ToolError } from '@toolcrib/registry'
import {
  type N8nClient,
  createGotTransport,
  createN8nClient,
  deployFunction,
  executeWorkflow,
  inspectFunction,
  retireFunction,
  rollbackFunction,
  updateFunction,
} from '../src/index.ts'
import { credentialName } from '../src/undo-deployment.ts'
import { addition, node, numbered, workflowOf } from '../test/function-workflows.ts'
import { client, deploy, keep, listLeft, retireAllAfterEach, server } from './function-setup.ts'

retireAllAfterEach()

describe(`a workflow as a function on n8n ${server.version}`, () => {
  it('is deployed, called, and gone after it was retired', async () => {
    const fn = await deploy(addition)
    expect(await executeWorkflow(client, fn, { a: 2, b: 3 })).toMatchObject({
      ok: true,
      result: { sum: 5 },
    })
    expect(await retireFunction(client, fn)).toEqual({ removed: true, left: [] })
    expect(await executeWorkflow(client, fn, { a: 2, b: 3 })).toMatchObject({
      ok: false,
      error: { code: 'N8N_NOT_CALLABLE' },
    })
    await expect(client.workflows.get(fn.workflowId)).rejects.toMatchObject({
      code: 'N8N_NOT_FOUND',
    })
  })

  it(
    'never gives an answer of the old version once an update is done, 20 times in a row',
    { timeout: 240_000 },
    async () => {
      let fn = await deploy(numbered(0))
      for (let version = 1; version <= 20; version += 1) {
        fn = keep(await updateFunction(client, fn, numbered(version)))
        expect(await executeWorkflow(client, fn, {})).toMatchObject({
          ok: true,
          result: { version },
        })
      }
    },
  )

  it(
    'leaves nothing when the answer to any step is lost, or the step is refused',
    { timeout: 180_000 },
    async () => {
      const steps = ['POST /api/v1/workflows', 'POST /api/v1/workflows/:id/', 'OPTIONS /webhook/']
      // Without its answer the id of a credential is lost, and n8n 1.x cannot list them.
      if (server.major === 2) steps.unshift('POST /api/v1/credentials')
      for (const step of steps) {
        const credentials: string[] = []
        const name = `FUNCTION lost ${crypto.randomUUID()}`
        const failed = deployFunction(losingClient(step), addition, {
          name,
          readyTimeoutMs: 1_000,
          onProgress: ({ binding }) => void credentials.push(credentialName(binding.path)),
        })
        await expect(failed, step).rejects.toMatchObject({ code: 'N8N_DEPLOY_FAILED' })
        expect(await listLeft(name, credentials), step).toEqual([])
      }
      const name = `FUNCTION refused ${crypto.randomUUID()}`
      const unknown = workflowOf([node('Unknown', 'doesNotExist', {})])
      await expect(deployFunction(client, unknown, { name })).rejects.toMatchObject({
        code: 'N8N_DEPLOY_FAILED',
        data: { step: 'publish' },
        message: expect.stringContaining('doesNotExist'),
      })
      expect(await listLeft(name, [])).toEqual([])
    },
  )

  it('keeps the old version when an update is refused, and clears what the new one does not have', async () => {
    const rich = {
      ...numbered(1),
      settings: { executionOrder: 'v1', timezone: 'Africa/Lagos', executionTimeout: 60 },
      staticData: { global: { x: 1 } },
    }
    // n8n 1.x takes static data in an update only.
    const first = await deploy(server.major === 2 ? rich : { ...rich, staticData: {} })
    const fn = keep(await updateFunction(client, first, rich))
    const unknown = workflowOf([node('Unknown', 'doesNotExist', {})])
    await expect(updateFunction(client, fn, unknown)).rejects.toMatchObject({
      code: 'N8N_DEPLOY_FAILED',
    })
    expect(await inspectFunction(client, fn, rich)).toEqual({ state: 'intact' })
    expect(await executeWorkflow(client, fn, {})).toMatchObject({
      ok: true,
      result: { version: 1 },
    })
    const next = keep(await updateFunction(client, fn, numbered(2)))
    expect(await inspectFunction(client, next, numbered(2))).toEqual({ state: 'intact' })
    const back = keep(
      await rollbackFunction(client, next, { versionId: fn.versionId ?? 'none', workflow: rich }),
    )
    expect(back.versionId).toBe(fn.versionId)
    expect(await inspectFunction(client, back, rich)).toEqual({ state: 'intact' })
    expect(await executeWorkflow(client, back, {})).toMatchObject({
      ok: true,
      result: { version: 1 },
    })
  })
})

/** Loses the answer to the first request of a kind, after n8n did what it asks; to all of them where they only ask. */
function losingClient(step: string): N8nClient {
  const transport = createGotTransport()
  let isLost = false
  return createN8nClient({
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    retry: { retries: 0 },
    transport: {
      send: async (request) => {
        const answer = await transport.send(request)
        const path = request.url.pathname
          .replace(/\/workflows\/\w+\/.*/, '/workflows/:id/')
          .replace(/(\/webhook\/).*/, '$1')
        if (`${request.method} ${path}` !== step || (isLost && request.method !== 'OPTIONS'))
          return answer
        isLost = true
        throw new ToolError('N8N_UNREACHABLE', 'The answer was lost.', { data: { sent: true } })
      },
    },
  })
}
