import { describe, expect, test } from 'vitest'
import {
  clientOf,
  collect,
  failureOf,
  onRelease,
  sampleWorkflow,
  storedSample,
} from '../test/client-fixtures.ts'
import { type Script, htmlPage } from '../test/scripted-server.ts'
import {
  checkHealth,
  createWorkflow,
  deleteWorkflow,
  getExecutions,
  getWorkflow,
  listWorkflows,
  setWorkflowActive,
  triggerWebhook,
} from './client-functions.ts'

describe('executions', () => {
  const run = {
    id: 7,
    workflowId: 'w1',
    status: 'success',
    mode: 'webhook',
    startedAt: 'a',
    stoppedAt: null,
  }

  test('are read as they are', async () => {
    await using part = await clientOf(() => ({
      json: { ...run, customData: { callId: 'c' }, data: { x: 1 }, workflowVersionId: 'v1' },
    }))
    expect(await part.client.executions.get('7', { includeData: true })).toEqual({
      id: '7',
      workflowId: 'w1',
      workflowVersionId: 'v1',
      status: 'success',
      mode: 'webhook',
      startedAt: 'a',
      customData: { callId: 'c' },
      data: { x: 1 },
    })
    expect(part.server.requests[0]?.path).toBe('/api/v1/executions/7?includeData=true')
  })

  test('have a status that is known', async () => {
    await using part = await clientOf(() => ({ json: { ...run, status: 'dreaming' } }))
    expect((await part.client.executions.get('7')).status).toBe('unknown')
  })

  test('are listed with filters on each page', async () => {
    await using part = await clientOf((_request, index) => ({
      json: { data: [run], nextCursor: index === 0 ? 'c' : null },
    }))
    const list = part.client.executions.list({
      workflowId: 'w1',
      status: 'error',
      includeData: true,
      pageSize: 5,
    })
    expect(await collect(list)).toHaveLength(2)
    const query = 'workflowId=w1&status=error&includeData=true&limit=5'
    expect(part.server.requests.map(({ path }) => path.split('?')[1])).toEqual([
      query,
      `${query}&cursor=c`,
    ])
  })

  test('are not listed by a status that is none', async () => {
    await using part = await clientOf(() => ({}))
    expect(() => part.client.executions.list({ status: 'failed' as 'error' })).toThrow(
      /status: must be one of new, running/,
    )
  })

  test.each(['success', 'error', 'crashed', 'canceled', 'waiting', 'unknown'])(
    'are waited for until %s',
    async (status) => {
      const statuses = ['new', 'running', status]
      await using part = await clientOf(({ path }, index) => ({
        json: { ...run, status: path.includes('Data') ? status : statuses[index] },
      }))
      const ended = await part.client.executions.waitFor('7', { pollMs: 40, includeData: true })
      expect(ended.status).toBe(status)
      expect(part.pauses).toEqual([40, 40])
      expect(part.server.requests.map(({ path }) => path.includes('includeData'))).toEqual([
        false,
        false,
        false,
        true,
      ])
    },
  )

  test('are not waited for beyond the deadline', async () => {
    let time = 0
    await using part = await clientOf(() => ({ json: { ...run, status: 'running' } }), {
      now: () => time,
      sleep: async (ms) => {
        await Promise.resolve()
        time += ms
      },
    })
    const error = await failureOf(
      part.client.executions.waitFor('7', { timeoutMs: 1_000, pollMs: 300 }),
    )
    expect(error).toMatchObject({
      code: 'N8N_TIMEOUT',
      data: { executionId: '7', status: 'running' },
    })
    expect(part.server.requests).toHaveLength(4)
  })

  test('are not waited for after an abort', async () => {
    const controller = new AbortController()
    await using part = await clientOf(() => ({ json: { ...run, status: 'running' } }), {
      sleep: async (_ms, signal) => {
        await Promise.resolve()
        controller.abort(new Error('enough'))
        signal?.throwIfAborted()
      },
    })
    await expect(
      part.client.executions.waitFor('7', { signal: controller.signal }),
    ).rejects.toThrow('enough')
  })

  test('are stopped, or were over', async () => {
    await using part = await clientOf((_request, index) =>
      index === 0
        ? { json: run }
        : {
            status: 409,
            json: {
              message: 'Only running or waiting executions can be stopped and 7 is currently error',
            },
          },
    )
    expect(await part.client.executions.stop('7')).toBe(true)
    expect(await part.client.executions.stop('7')).toBe(false)
    expect(part.server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/executions/7/stop',
    })
  })
})

describe('credentials', () => {
  test('go in, and only their name comes out', async () => {
    await using part = await clientOf(() => ({
      json: { id: 'c1', name: 'call token', type: 'jwtAuth', data: 'x' },
    }))
    const data = { keyType: 'passphrase', secret: 'open-sesame', algorithm: 'HS256' }
    expect(
      await part.client.credentials.create({ name: 'call token', type: 'jwtAuth', data }),
    ).toEqual({ id: 'c1', name: 'call token' })
    expect(JSON.parse(part.server.requests[0]?.body ?? '')).toEqual({
      name: 'call token',
      type: 'jwtAuth',
      data,
    })
  })

  test('show no value when n8n quotes it', async () => {
    await using part = await clientOf(() => ({
      status: 400,
      json: { message: 'bad value "open-sesame" and "nested-secret"' },
    }))
    const data = { secret: 'open-sesame', more: [{ deep: 'nested-secret' }] }
    const error = await failureOf(
      part.client.credentials.create({ name: 'a', type: 'jwtAuth', data }),
    )
    expect(JSON.stringify(error) + String(error.stack)).not.toMatch(/open-sesame|nested-secret/)
  })

  test.each([
    ['credential.name', { name: '' }],
    ['credential.type', { type: '../x' }],
    ['credential.data', { data: 'x' }],
  ])('are refused by %s', async (field, more) => {
    await using part = await clientOf(() => ({}))
    const error = await failureOf(
      part.client.credentials.create({ name: 'a', type: 'jwtAuth', data: {}, ...more } as never),
    )
    expect(error).toMatchObject({ code: 'N8N_OPTION_INVALID', data: { field } })
  })

  test('are listed on 2.x only', async () => {
    const script: Script = () => ({
      json: { data: [{ id: 'c1', name: 'a', type: 'jwtAuth', createdAt: 'x' }], nextCursor: null },
    })
    await using two = await clientOf(onRelease(2, script))
    expect(await collect(two.client.credentials.list())).toEqual([
      { id: 'c1', name: 'a', type: 'jwtAuth' },
    ])
    await using one = await clientOf(onRelease(1, script))
    expect((await failureOf(collect(one.client.credentials.list()))).code).toBe('N8N_UNSUPPORTED')
  })

  test('have schemas', async () => {
    await using part = await clientOf(() => ({ json: { type: 'object' } }))
    expect(await part.client.credentials.schema('jwtAuth')).toEqual({ type: 'object' })
    expect(part.server.requests[0]?.path).toBe('/api/v1/credentials/schema/jwtAuth')
  })
})

describe('tags', () => {
  const known = { data: [{ id: 't1', name: 'crm' }], nextCursor: null }

  test('are made where they are missing, and set by id', async () => {
    await using part = await clientOf(({ method }) => {
      if (method === 'GET') return { json: known }
      return method === 'POST' ? { status: 201, json: { id: 't2', name: 'new' } } : { json: [] }
    })
    await part.client.tags.setOn('w1', ['crm', 'new', 'crm'])
    expect(part.server.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/api/v1/tags?limit=100', ''],
      ['POST', '/api/v1/tags', '{"name":"new"}'],
      ['PUT', '/api/v1/workflows/w1/tags', '[{"id":"t1"},{"id":"t2"}]'],
    ])
  })

  test('that somebody else makes at the same time are found', async () => {
    let isMade = false
    await using part = await clientOf(({ method }) => {
      if (method === 'GET')
        return { json: isMade ? { data: [{ id: 't9', name: 'new' }], nextCursor: null } : known }
      if (method === 'PUT') return { json: [] }
      isMade = true
      return { status: 409, json: { message: 'Tag already exists' } }
    })
    await part.client.tags.setOn('w1', ['new'])
    expect(part.server.requests.at(-1)?.body).toBe('[{"id":"t9"}]')
  })

  test('are taken off by an empty list', async () => {
    await using part = await clientOf(() => ({ json: [] }))
    await part.client.tags.setOn('w1', [])
    expect(part.server.requests.map(({ method, body }) => [method, body])).toEqual([['PUT', '[]']])
  })

  test.each([['crm'], [['']], [[' a']], [['x'.repeat(25)]], [[7]]])(
    'are refused as %j',
    async (names) => {
      await using part = await clientOf(() => ({}))
      expect((await failureOf(part.client.tags.setOn('w1', names as string[]))).code).toBe(
        'N8N_OPTION_INVALID',
      )
      expect(part.server.requests).toEqual([])
    },
  )
})

describe('ping', () => {
  const ready: Script = ({ path }) =>
    path === '/healthz/readiness'
      ? { json: { status: 'ok' } }
      : { status: 401, json: { message: 'Unauthorized' } }

  test('is ready when the health check and the API say so, and needs no key', async () => {
    await using part = await clientOf(ready)
    expect(await part.client.ping()).toEqual({ ready: true, ms: expect.any(Number) })
    expect(part.server.requests.map(({ path }) => path)).toEqual([
      '/healthz/readiness',
      '/api/v1/workflows?limit=1',
    ])
    expect(part.server.requests.some(({ headers }) => 'x-n8n-api-key' in headers)).toBe(false)
  })

  test.each<[string, Script, RegExp]>([
    ['starts', () => ({ status: 503, json: { status: 'error' } }), /503/],
    [
      'migrates',
      () => ({ text: 'n8n is starting up. Please wait', headers: htmlPage }),
      /starting/,
    ],
    [
      'has no routes yet, as 1.x does',
      ({ path }) =>
        path === '/healthz/readiness'
          ? { json: { status: 'ok' } }
          : { status: 404, text: '<pre>Cannot GET /api/v1/workflows</pre>', headers: htmlPage },
      /no API there/,
    ],
    [
      'hides behind a login page',
      () => ({ text: '<html>Sign in', headers: htmlPage }),
      /expected JSON, got a page/,
    ],
    [
      'hides behind a proxy that asks for a password',
      ({ path }) =>
        path === '/healthz/readiness'
          ? { json: {} }
          : { status: 401, text: '<html>', headers: htmlPage },
      /401/,
    ],
    ['breaks off', () => ({ raw: (response) => response.destroy() }), /broken off/],
  ])('says why a server that %s is not ready', async (_how, script, reason) => {
    await using part = await clientOf(script)
    expect(await part.client.ping()).toMatchObject({
      ready: false,
      reason: expect.stringMatching(reason),
    })
  })

  test('says so of a server that is down or silent, and does not throw', async () => {
    await using silent = await clientOf(() => ({ raw: () => {} }))
    expect(await silent.client.ping({ timeoutMs: 50 })).toMatchObject({
      ready: false,
      reason: expect.stringContaining('50 ms'),
    })
    await silent.server.close()
    expect(await silent.client.ping()).toMatchObject({
      ready: false,
      reason: expect.stringContaining('nothing listens'),
    })
  })

  test('can be aborted', async () => {
    await using part = await clientOf(() => ({ raw: () => {} }))
    await expect(part.client.ping({ signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/)
  })
})

describe('the functions of the same names', () => {
  const script = onRelease(2, ({ method, path }) => {
    if (path.includes('/executions'))
      return {
        json: {
          data: [
            { id: '2', workflowId: 'w1' },
            { id: '1', workflowId: 'w1' },
          ],
          nextCursor: null,
        },
      }
    if (path.includes('/webhook/')) return { json: { sum: 3 } }
    if (method === 'GET' && path.startsWith('/api/v1/workflows?'))
      return { json: { data: ['a', 'b'].map((id) => storedSample({ id })), nextCursor: 'more' } }
    return { json: storedSample({ active: path.endsWith('/publish') }) }
  })

  test('do what the methods do', async () => {
    await using part = await clientOf(script)
    const { client } = part
    expect((await createWorkflow(client, sampleWorkflow)).id).toBe('w1')
    expect((await getWorkflow(client, 'w1')).id).toBe('w1')
    expect((await setWorkflowActive(client, 'w1', { active: true })).active).toBe(true)
    expect((await listWorkflows(client, {}, { limit: 2 })).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(
      (await getExecutions(client, { workflowId: 'w1' }, { limit: 1 })).map(({ id }) => id),
    ).toEqual(['2'])
    expect((await triggerWebhook(client, 'sum', { body: { a: 1 } })).json).toEqual({ sum: 3 })
    expect(await deleteWorkflow(client, 'w1')).toBe(true)
    expect((await checkHealth(client)).ready).toBe(true)
  })

  test('fetch no more pages than are wanted', async () => {
    await using part = await clientOf(script)
    await listWorkflows(part.client, {}, { limit: 1 })
    expect(part.server.requests).toHaveLength(2)
  })

  test.each([0, 1_000_001, 1.5])('refuse the limit %s', async (limit) => {
    await using part = await clientOf(script)
    expect((await failureOf(listWorkflows(part.client, {}, { limit }))).data['field']).toBe('limit')
  })
})
