import { SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createN8nDouble } from './create-n8n-double.ts'
import type { N8nDouble } from './n8n-double.ts'

const path = 'orders-5e1f'
const workflow = {
  name: 'orders',
  nodes: [
    {
      id: 'hook',
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2.1,
      position: [0, 0],
      webhookId: '4f8b9d9e-8c3b-4b8e-9a52-55c8a3d0a001',
      parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
    },
    {
      id: 'last',
      name: 'Result',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      position: [220, 0],
      parameters: { mode: 'raw', jsonOutput: '{"version":1}', options: {} },
    },
  ],
  connections: { Webhook: { main: [[{ node: 'Result', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
}

interface ItemOfRun {
  readonly json: { readonly headers: Readonly<Record<string, string>> }
}

/** The parts of answers that these tests look at. */
interface AnswerBody {
  readonly id: string
  readonly active: boolean
  readonly message: string
  readonly body: unknown
  readonly data: readonly {
    readonly status: string
    readonly data: {
      readonly resultData: {
        readonly error: { readonly message: string }
        readonly lastNodeExecuted: string
        readonly runData: Readonly<
          Record<string, readonly [{ readonly data: { readonly main: readonly ItemOfRun[][] } }]>
        >
      }
    }
  }[]
}

let double: N8nDouble
let clock = 0

async function ask(
  request: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: AnswerBody; text: string; headers: Headers }> {
  const [method = '', address = ''] = request.split(' ')
  const response = await fetch(double.baseUrl + address, {
    method,
    headers: {
      'x-n8n-api-key': double.apiKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
  const json = (isJson ? JSON.parse(text) : {}) as AnswerBody
  return { status: response.status, json, text, headers: response.headers }
}

async function publishIt(change: object = {}): Promise<string> {
  const { json } = await ask('POST /api/v1/workflows', { ...workflow, ...change })
  await ask(`POST /api/v1/workflows/${json.id}/activate`)
  clock += 1000
  return json.id
}

const registered = async (): Promise<string | null> => {
  const { headers } = await ask(`OPTIONS /webhook/${path}`, undefined, { origin: 'http://x' })
  return headers.get('access-control-allow-methods')
}

describe.each(['2.41.1', '1.123.81'] as const)('the double of %s', (version) => {
  beforeEach(async () => {
    clock = 0
    double = await createN8nDouble({
      version,
      publishDelayMs: 100,
      unpublishDelayMs: 100,
      now: () => clock,
    })
  })
  afterEach(() => double.close())

  test('runs a workflow once it is published, and keeps the run', async () => {
    const id = await publishIt()
    double.onWebhook('orders', ({ body, headers }) => ({
      result: { got: body, call: headers['x-toolcrib-call-id'] ?? null },
    }))
    const answer = await ask(`POST /webhook/${path}`, { a: 1 }, { 'x-toolcrib-call-id': 'c1' })
    expect(answer.json).toEqual({ got: { a: 1 }, call: 'c1' })
    const { json } = await ask(`GET /api/v1/executions?workflowId=${id}&includeData=true`)
    expect(json.data).toHaveLength(1)
    expect(json.data[0]?.status).toBe('success')
    const [run] = json.data[0]?.data.resultData.runData['Webhook'] ?? []
    expect(run?.data.main[0]?.[0]?.json.headers['x-toolcrib-call-id']).toBe('c1')
  })

  test('publishes a moment later on 2.x, at once on 1.x', async () => {
    const { json } = await ask('POST /api/v1/workflows', workflow)
    const published = await ask(`POST /api/v1/workflows/${json.id}/activate`)
    expect(published.json.active).toBe(true)
    expect(await registered()).toBe(version === '2.41.1' ? 'OPTIONS' : 'OPTIONS, POST')
    clock += 100
    expect(await registered()).toBe('OPTIONS, POST')
    expect((await ask(`POST /webhook/${path}`, {})).json).toEqual({ version: 1 })
  })

  test('deletes a live workflow only on 1.x', async () => {
    const id = await publishIt()
    const first = await ask(`DELETE /api/v1/workflows/${id}`)
    expect(first.status).toBe(version === '2.41.1' ? 409 : 200)
    if (version === '1.123.81') return
    await ask(`POST /api/v1/workflows/${id}/unpublish`)
    const second = await ask(`DELETE /api/v1/workflows/${id}`)
    expect(second.json.message).toContain('still being unpublished')
    clock += 100
    expect((await ask(`DELETE /api/v1/workflows/${id}`)).status).toBe(200)
    expect(double.workflows()).toEqual([])
  })

  test('lets callers in by their token only', async () => {
    const secret = 'a-secret-of-enough-bytes-for-hs256'
    const credential = await ask('POST /api/v1/credentials', {
      name: 'callers',
      type: 'jwtAuth',
      data: { keyType: 'passphrase', secret, privateKey: '', publicKey: '', algorithm: 'HS256' },
    })
    await publishIt({
      nodes: [
        {
          ...workflow.nodes[0],
          parameters: { ...workflow.nodes[0]?.parameters, authentication: 'jwtAuth' },
          credentials: { jwtAuth: { id: credential.json.id, name: 'callers' } },
        },
        workflow.nodes[1],
      ],
    })
    const token = (key: string, expires: number): Promise<string> =>
      new SignJWT({})
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(Math.floor(Date.now() / 1000) + expires)
        .sign(new TextEncoder().encode(key))
    const call = async (authorization?: string): Promise<string> => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const { status, text } = await ask(`POST /webhook/${path}`, {}, headers)
      return `${String(status)} ${text}`
    }
    expect(await call()).toBe('401 No token provided')
    expect(await call(`Bearer ${await token('another-secret-of-enough-bytes!', 60)}`)).toBe(
      '403 invalid signature',
    )
    expect(await call(`Bearer ${await token(secret, -60)}`)).toBe('403 jwt expired')
    expect(await call('Bearer nonsense')).toBe('403 jwt malformed')
    expect(await call(`Bearer ${await token(secret, 60)}`)).toBe('200 {"version":1}')
    expect(double.executions()).toHaveLength(1)
    expect(double.requests.at(-1)?.headers['authorization']).toMatch(/^Bearer ey/u)
  })

  test('tells the caller nothing of a failing node, and the execution all', async () => {
    const id = await publishIt()
    double.onWebhook(path, () => ({ fails: { node: 'Result', message: 'no such order' } }))
    const answer = await ask(`POST /webhook/${path}`, {})
    expect([answer.status, answer.json]).toEqual([500, { message: 'Error in workflow' }])
    const { json } = await ask(`GET /api/v1/executions?workflowId=${id}&includeData=true`)
    expect(json.data[0]?.status).toBe('error')
    expect(json.data[0]?.data.resultData.error.message).toBe('no such order')
    expect(json.data[0]?.data.resultData.lastNodeExecuted).toBe('Result')
  })

  test('answers a waiting workflow with what the webhook got', async () => {
    await publishIt()
    double.onWebhook('orders', () => ({ waits: true }))
    const answer = await ask(`POST /webhook/${path}`, { a: 1 })
    expect(answer.status).toBe(200)
    expect(answer.json.body).toEqual({ a: 1 })
    expect(double.executions()[0]?.status).toBe('waiting')
  })

  test('is down, starts, and is itself again', async () => {
    await publishIt()
    await double.down()
    await expect(ask('GET /healthz')).rejects.toThrow('fetch failed')
    await double.up()
    double.starting()
    const page = await ask(`POST /webhook/${path}`, {})
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ])
    expect((await ask('GET /healthz/readiness')).status).toBe(503)
    double.starting('routes')
    expect((await ask(`POST /webhook/${path}`, {})).text).toContain(`Cannot POST /webhook/${path}`)
    double.starting('webhooks')
    expect((await ask(`POST /webhook/${path}`, {})).json.message).toContain('is not registered')
    await double.up()
    expect((await ask(`POST /webhook/${path}`, {})).json).toEqual({ version: 1 })
  })

  test('fails and breaks off as planned, as often as planned', async () => {
    await publishIt()
    double.failNext({ path: '/api/v1/workflows', status: 502, body: 'Bad Gateway' })
    expect((await ask('GET /api/v1/workflows')).status).toBe(502)
    expect((await ask('GET /api/v1/workflows')).status).toBe(200)
    double.cutConnection({ method: 'POST', path: /webhook/u, when: 'after' })
    await expect(ask(`POST /webhook/${path}`, {})).rejects.toThrow('fetch failed')
    expect(double.executions()).toHaveLength(1)
    double.cutConnection({ method: 'POST' })
    await expect(ask(`POST /webhook/${path}`, {})).rejects.toThrow('fetch failed')
    expect(double.executions()).toHaveLength(1)
  })

  test('marks a run as crashed when it is killed in the middle', async () => {
    await publishIt()
    double.onWebhook('orders', async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { result: {} }
    })
    const call = ask(`POST /webhook/${path}`, {})
    await expect.poll(() => double.executions().length).toBe(1)
    await Promise.all([expect(call).rejects.toThrow('fetch failed'), double.down()])
    expect(double.executions()[0]?.status).toBe('crashed')
  })

  test('is edited behind the back of its client', async () => {
    const id = await publishIt()
    const before = double.workflows()[0]?.versionId
    double.edit(id, {
      nodes: [
        workflow.nodes[0],
        { ...workflow.nodes[1], parameters: { mode: 'raw', jsonOutput: '{"version":2}' } },
      ] as never,
    })
    clock += 1000
    expect((await ask(`POST /webhook/${path}`, {})).json).toEqual({ version: 2 })
    expect(double.workflows()[0]?.activeVersionId).not.toBe(before)
  })
})

test('a key with few scopes is refused the rest', async () => {
  double = await createN8nDouble({ scopes: ['workflow:list'] })
  expect((await ask('GET /api/v1/workflows')).status).toBe(200)
  const tags = await ask('GET /api/v1/tags')
  expect([tags.status, tags.json]).toEqual([403, { message: 'Forbidden' }])
  await double.close()
})
