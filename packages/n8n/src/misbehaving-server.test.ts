import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDouble } from '../test/function-double.ts'
import { addition, numbered } from '../test/function-workflows.ts'
import { type ScriptedServer, startScriptedServer } from '../test/scripted-server.ts'
import { deployFunction } from './deploy-function.ts'
import { executeWorkflow } from './execute-workflow.ts'
import { createN8nClient } from './got-client.ts'
import { createGotTransport } from './got-transport.ts'
import { inspectFunction } from './inspect-function.ts'
import type { N8nFunction } from './n8n-function.ts'
import type { N8nDouble } from './testing.ts'
import { updateFunction } from './update-function.ts'

const fn: N8nFunction = {
  workflowId: 'W1',
  binding: { name: 'FUNCTION test', path: 'a'.repeat(40), webhookId: 'b' },
  hash: '0',
}
let server: ScriptedServer
let double: N8nDouble | undefined

beforeEach(async () => {
  server = await startScriptedServer(() => ({ json: {} }))
})

afterEach(async () => {
  await server.close()
  await double?.close()
  double = undefined
})

const clientOf = (timeoutMs = 5_000): ReturnType<typeof createN8nClient> =>
  createN8nClient({
    baseUrl: server.url,
    apiKey: 'the-secret-key',
    retry: { retries: 0 },
    timeoutMs,
  })

describe('an abort', () => {
  it.each([1, 2])('in the moment of sending ends request number %i', async (number) => {
    const transport = createGotTransport()
    const request = {
      method: 'POST',
      url: new URL(server.url),
      headers: {},
      timeoutMs: 5_000,
      maxResponseBytes: 1_000,
    } as const
    if (number > 1) await transport.send(request)
    const before = server.requests.length
    const controller = new AbortController()
    const sent = transport.send({ ...request, signal: controller.signal })
    controller.abort(new Error('no more'))
    await expect(sent).rejects.toThrow('no more')
    await delay(50)
    expect(server.requests).toHaveLength(before)
    transport.close()
  })
})

describe('an answer of the workflow', () => {
  it.each([
    [404, '<pre>Cannot POST /orders</pre>', 'N8N_RESPONSE_INVALID'],
    [200, 'The page of the shop says: n8n is starting up. Please wait', 'N8N_RESULT_INVALID'],
  ])('of status %i that quotes a server in its start is not run again', async (...args) => {
    const [status, text, code] = args
    server.script = () => ({ status, text, headers: { 'content-type': 'text/html' } })
    const outcome = await executeWorkflow(clientOf(), fn, {}, { retryUnsentMs: 400 })
    expect(outcome).toMatchObject({ ok: false, error: { code } })
    expect(server.requests.filter(({ path }) => path.startsWith('/webhook/'))).toHaveLength(1)
  })

  it('keeps all of a value that has more than the envelope', async () => {
    const page = { ok: true, result: [1, 2], nextPage: 'p2' }
    server.script = () => ({ json: page })
    expect(await executeWorkflow(clientOf(), fn, {})).toMatchObject({ ok: true, result: page })
  })
})

describe('a look-up', () => {
  it('calls no state a failure that it does not know', async () => {
    const run = { id: '7', workflowId: 'W1', status: 'evaluating', mode: 'webhook' }
    const item = {
      json: {
        headers: { 'x-toolcrib-call-id': 'C' },
        webhookUrl: 'u',
        executionMode: 'production',
      },
    }
    const data = { resultData: { runData: { Call: [{ data: { main: [[item]] } }] } } }
    server.script = ({ path }) => {
      if (path.startsWith('/webhook/')) return { status: 502, text: 'Bad Gateway' }
      return path.startsWith('/api/v1/executions/7')
        ? { json: { ...run, data } }
        : { json: { data: [run] } }
    }
    expect(await executeWorkflow(clientOf(), fn, {}, { callId: 'C' })).toMatchObject({
      error: { code: 'N8N_OUTCOME_UNKNOWN' },
      executionId: '7',
      mayStillBeRunning: true,
    })
  })
})

describe('a workflow that is none', () => {
  const good = { id: 'W1', name: 'x', active: true, nodes: [], connections: {}, settings: {} }

  it.each([
    ['nodes that are no list', { ...good, nodes: {} }],
    ['a node that is null', { ...good, nodes: [null] }],
    ['connections that are a text', { ...good, connections: 'x' }],
    ['a live version without nodes', { ...good, activeVersionId: 'v', activeVersion: {} }],
  ])('with %s is an error that says so, for all who read it', async (_what, json) => {
    server.script = ({ path }) => ({ json: path.includes('/discover') ? { data: {} } : json })
    const client = clientOf()
    await expect(client.workflows.get('W1')).rejects.toMatchObject({ code: 'N8N_RESPONSE_INVALID' })
    expect(await inspectFunction(client, fn, addition)).toMatchObject({ state: 'unknown' })
    expect(await executeWorkflow(client, 'W1', {})).toMatchObject({
      error: { code: 'N8N_RESPONSE_INVALID' },
    })
  })
})

describe('a list', () => {
  it('of empty pages without end ends', async () => {
    server.script = (_request, index) => ({ json: { data: [], nextCursor: `c${index}` } })
    const list = clientOf().executions.list()[Symbol.asyncIterator]()
    await expect(list.next()).rejects.toMatchObject({ code: 'N8N_RESPONSE_INVALID' })
    expect(server.requests.length).toBeLessThan(50)
  })

  it('takes no more than the time of the call that needs all of it', async () => {
    server.script = (_request, index) => ({
      raw: (response) => {
        const page = { data: [{ id: `${index}`, name: `t${index}` }], nextCursor: `c${index}` }
        setTimeout(() => {
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify(page))
        }, 150)
      },
    })
    await expect(clientOf(500).tags.setOn('W1', ['red'])).rejects.toMatchObject({
      code: 'N8N_TIMEOUT',
    })
    expect(server.requests.length).toBeLessThan(6)
  })
})

describe('an update that is aborted', () => {
  it('right after n8n said "published" leaves the old version callable from the first moment', async () => {
    const started = await startDouble({ publishDelayMs: 60, unpublishDelayMs: 60 })
    ;({ double } = started)
    const live = await deployFunction(started.client, numbered(1))
    const controller = new AbortController()
    const transport = createGotTransport()
    const client = createN8nClient({
      baseUrl: double.baseUrl,
      apiKey: double.apiKey,
      transport: {
        send: async (request) => {
          const isReadiness = request.method === 'OPTIONS'
          if (isReadiness) controller.abort(new Error('enough'))
          return await transport.send(request)
        },
      },
    })
    await expect(
      updateFunction(client, live, numbered(2), { signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'N8N_DEPLOY_FAILED' })
    for (let call = 0; call < 20; call += 1) {
      expect(await executeWorkflow(started.client, live, {})).toMatchObject({
        ok: true,
        result: { version: 1 },
      })
      await delay(10)
    }
    transport.close()
  })
})

describe('what an error shows', () => {
  it('is not the path of the webhook where an update could not be taken back', async () => {
    const started = await startDouble()
    ;({ double } = started)
    const { client } = started
    const live = await deployFunction(client, numbered(1))
    double.failNext({ method: 'PUT', status: 500, body: { message: 'no' } })
    double.failNext({ method: 'OPTIONS', status: 500, body: { message: 'no' }, times: 99 })
    const error: unknown = await updateFunction(client, live, numbered(2), {
      undoTimeoutMs: 300,
    }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'N8N_CLEANUP_INCOMPLETE' })
    const { message, data } = error as { message: string; data: object }
    expect(message + JSON.stringify(data)).not.toContain(live.binding.path)
  })

  it('nor in the cause of a deployment that failed', async () => {
    const started = await startDouble()
    ;({ double } = started)
    double.failNext({ method: 'OPTIONS', status: 500, body: { message: 'no' }, times: 99 })
    let path = 'none'
    const error: unknown = await deployFunction(started.client, addition, {
      readyTimeoutMs: 200,
      onProgress: ({ binding }) => void ({ path } = binding),
    }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'N8N_DEPLOY_FAILED', data: { step: 'ready' } })
    const { cause } = error as { cause: { message: string; data?: object } }
    expect(cause.message + JSON.stringify(cause.data ?? {})).not.toContain(path)
  })
})
