import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { clientOf, failureOf } from '../test/client-fixtures.ts'
import { htmlPage } from '../test/scripted-server.ts'

describe('address', () => {
  test.each([
    ['sum', '/webhook/sum'],
    ['/sum', '/webhook/sum'],
    ['orders/new', '/webhook/orders/new'],
    ['a b?c#d%2f', '/webhook/a%20b%3Fc%23d%252f'],
    ['Ä', '/webhook/%C3%84'],
  ])('of %s is %s', async (path, expected) => {
    await using part = await clientOf(() => ({}))
    expect(part.client.webhooks.address(path).href).toBe(`${part.server.url}${expected}`)
  })

  test.each([
    [''],
    ['/'],
    ['..'],
    ['a/../../api/v1'],
    ['./a'],
    ['a//b'],
    ['a/'],
    ['x'.repeat(501)],
    [undefined],
  ])('of %s is refused', async (path) => {
    await using part = await clientOf(() => ({}))
    const { webhooks } = part.client
    expect(() => webhooks.address(path as string)).toThrow(
      expect.objectContaining({ code: 'N8N_OPTION_INVALID' }),
    )
    expect((await failureOf(webhooks.trigger(path as string, {}))).code).toBe('N8N_OPTION_INVALID')
    expect((await failureOf(webhooks.isRegistered(path as string))).code).toBe('N8N_OPTION_INVALID')
    expect(part.server.requests).toEqual([])
  })

  test('follows the options', async () => {
    await using part = await clientOf(() => ({}), {
      webhookBaseUrl: 'https://hooks.example.com/n8n/',
      webhookEndpoint: 'hook/s',
    })
    expect(part.client.webhooks.address('x').href).toBe('https://hooks.example.com/n8n/hook/s/x')
  })
})

describe('trigger', () => {
  test('posts JSON and gives what came', async () => {
    await using part = await clientOf(() => ({ json: { sum: 3 }, headers: { 'x-a': 'b' } }))
    const answer = await part.client.webhooks.trigger(
      'sum',
      { a: 1 },
      { headers: { 'X-Call': '7' } },
    )
    expect(answer).toMatchObject({
      status: 200,
      body: '{"sum":3}',
      json: { sum: 3 },
      headers: { 'x-a': 'b' },
    })
    expect(answer.ms).toBeGreaterThan(0)
    expect(part.server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/webhook/sum',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', 'x-call': '7' },
    })
  })

  test.each(['PUT', 'PATCH', 'DELETE'] as const)('sends %s with its body', async (method) => {
    await using part = await clientOf(() => ({ json: 1 }))
    await part.client.webhooks.trigger('x', [1], { method })
    expect(part.server.requests[0]).toMatchObject({ method, body: '[1]' })
  })

  test('sends GET without a body', async () => {
    await using part = await clientOf(() => ({ json: 1 }))
    await part.client.webhooks.trigger('x', null, { method: 'GET' })
    expect(part.server.requests[0]).toMatchObject({ method: 'GET', body: '' })
    expect(
      (await failureOf(part.client.webhooks.trigger('x', {}, { method: 'GET' }))).data['field'],
    ).toBe('body')
  })

  test.each([200, 204, 302, 401, 403, 404, 422, 500, 503])(
    'gives %i as it is, once',
    async (status) => {
      await using part = await clientOf(() => ({
        status,
        text: 'text',
        headers: { location: '/elsewhere' },
      }))
      const answer = await part.client.webhooks.trigger('x', {})
      expect(answer.status).toBe(status)
      expect(answer).not.toHaveProperty('json')
      expect(part.server.requests).toHaveLength(1)
    },
  )

  test.each([
    ['text/html', '{"a":1}', false],
    ['application/json', '{"a":', false],
    ['application/json', '', false],
    ['application/jsonp', '{}', false],
    ['application/json; charset=utf-8', 'null', true],
    ['Application/JSON', '0', true],
    ['application/problem+json', '{}', true],
  ])('takes %s with %s for JSON: %s', async (type, text, isJson) => {
    await using part = await clientOf(() => ({ text, headers: { 'content-type': type } }))
    expect('json' in (await part.client.webhooks.trigger('x', {}))).toBe(isJson)
  })

  test('is never sent again, whatever happens', async () => {
    await using part = await clientOf(() => ({ raw: (response) => response.destroy() }))
    const error = await failureOf(part.client.webhooks.trigger('x', {}))
    expect(error).toMatchObject({ code: 'N8N_UNREACHABLE', data: { sent: true } })
    expect(part.server.requests).toHaveLength(1)
  })

  test('says that nothing was sent where nothing listens', async () => {
    const part = await clientOf(() => ({}))
    await part.server.close()
    expect(await failureOf(part.client.webhooks.trigger('x', {}))).toMatchObject({
      code: 'N8N_UNREACHABLE',
      data: { sent: false },
    })
  })

  test('shows no token of its headers', async () => {
    const token = 'eyJ0b2tlbiI6MX0.abcdef'
    await using part = await clientOf(() => ({}), {
      transport: {
        send: async ({ headers }) => {
          await Promise.resolve()
          throw new Error(`failed with ${headers['authorization']} and ${headers['x-shop-token']}`)
        },
      },
    })
    const error = await failureOf(
      part.client.webhooks.trigger(
        'x',
        {},
        { headers: { Authorization: `Bearer ${token}`, 'X-Shop-Token': 'a-shop-token' } },
      ),
    )
    expect(inspect(error, { depth: 9 })).not.toMatch(/eyJ0|a-shop-token/)
  })

  test.each([
    [{ Host: 'x' }],
    [{ 'content-length': '1' }],
    [{ 'Transfer-Encoding': 'chunked' }],
    [{ 'content-type': 'text/plain' }],
    [{ 'a b': 'x' }],
    [{ 'x-a': 'b\r\nx-b: c' }],
    [{ 'x-a': '字' }],
    [{ 'x-a': 1 }],
  ])('refuses the headers %j', async (headers) => {
    await using part = await clientOf(() => ({}))
    const error = await failureOf(
      part.client.webhooks.trigger('x', {}, { headers: headers as Record<string, string> }),
    )
    expect(error.code).toBe('N8N_OPTION_INVALID')
    expect(part.server.requests).toEqual([])
  })

  test('refuses what is no JSON', async () => {
    const circular: { self?: object } = {}
    circular.self = circular
    await using part = await clientOf(() => ({}))
    for (const body of [undefined, circular, 1n, () => 1])
      expect(await failureOf(part.client.webhooks.trigger('x', body as never))).toMatchObject({
        code: 'N8N_OPTION_INVALID',
        data: { field: 'body' },
      })
    expect(part.server.requests).toEqual([])
  })
})

describe('isRegistered', () => {
  const allow = (methods: string) => ({
    status: 204,
    headers: { 'access-control-allow-methods': methods },
  })

  test('asks by OPTIONS, which runs nothing, and without what makes n8n fail', async () => {
    await using part = await clientOf(() => allow('OPTIONS, POST'))
    expect(await part.client.webhooks.isRegistered('sum')).toBe(true)
    const [request] = part.server.requests
    expect(request).toMatchObject({
      method: 'OPTIONS',
      path: '/webhook/sum',
      headers: { origin: part.server.url },
    })
    expect(request?.headers).not.toHaveProperty('access-control-request-method')
  })

  test.each([
    ['OPTIONS', 'POST', false],
    ['OPTIONS, POST', 'POST', true],
    ['OPTIONS, GET', 'POST', false],
    ['OPTIONS,GET', 'get', true],
  ])('reads %s for %s as %s', async (methods, method, expected) => {
    await using part = await clientOf(() => allow(methods))
    expect(await part.client.webhooks.isRegistered('sum', { method })).toBe(expected)
  })

  test('asks again while n8n starts, and then says that it does', async () => {
    const page = { text: 'n8n is starting up. Please wait', headers: htmlPage }
    await using part = await clientOf((_request, index) =>
      index < 2 ? page : allow('OPTIONS, POST'),
    )
    expect(await part.client.webhooks.isRegistered('sum')).toBe(true)
    part.server.script = () => page
    expect((await failureOf(part.client.webhooks.isRegistered('sum'))).code).toBe('N8N_STARTING')
  })

  test.each([
    [{ status: 204 }],
    [{ status: 200, json: {} }],
    [{ status: 200, text: '<html>', headers: htmlPage }],
    [{ status: 500, text: '<html>', headers: htmlPage }],
    [{ status: 302, text: '', headers: { location: 'https://login.example.com/x' } }],
  ])('never takes %j for an answer', async (answer) => {
    await using part = await clientOf(() => answer)
    expect((await failureOf(part.client.webhooks.isRegistered('sum'))).code).toBe(
      'N8N_RESPONSE_INVALID',
    )
  })
})
