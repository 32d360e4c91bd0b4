import { inspect } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { ToolError } from '@toolcrib/registry'
import {
  clientOf,
  failureOf,
  onRelease,
  sampleWorkflow,
  secretKey,
  storedSample,
} from '../test/client-fixtures.ts'
import { type ScriptedAnswer, htmlPage } from '../test/scripted-server.ts'
import { createN8nClient } from './got-client.ts'

const expressPage = (text: string): ScriptedAnswer => ({
  text: `<!DOCTYPE html>\n<html lang="en">\n<body>\n<pre>${text}</pre>\n</body>\n</html>\n`,
  headers: htmlPage,
})

describe('a request', () => {
  test('carries the key and asks for JSON', async () => {
    await using part = await clientOf(() => ({
      json: { id: '7', workflowId: 'w1', status: 'success' },
    }))
    await part.client.executions.get('7')
    expect(part.server.requests[0]).toMatchObject({
      method: 'GET',
      path: '/api/v1/executions/7',
      headers: { 'x-n8n-api-key': secretKey, accept: 'application/json' },
    })
    expect(part.server.requests[0]?.headers['content-type']).toBeUndefined()
  })

  test('keeps a path below which n8n lives', async () => {
    await using part = await clientOf(() => ({ json: { id: '7', workflowId: 'w1' } }))
    const client = createN8nClient({ baseUrl: `${part.server.url}/deep/n8n`, apiKey: secretKey })
    await client.executions.get('7')
    expect(part.server.requests[0]?.path).toBe('/deep/n8n/api/v1/executions/7')
  })

  test('reads the key for each call', async () => {
    const keys = ['key-one', 'key-two']
    await using part = await clientOf(() => ({ json: { id: '7', workflowId: 'w1' } }), {
      apiKey: async () => keys.shift() ?? 'none-left',
    })
    await part.client.executions.get('7')
    await part.client.executions.get('7')
    expect(part.server.requests.map(({ headers }) => headers['x-n8n-api-key'])).toEqual([
      'key-one',
      'key-two',
    ])
  })

  test.each([
    ['..'],
    ['a/b'],
    [''],
    ['a?b'],
    ['a%2fb'],
    ['x'.repeat(129)],
    [7 as unknown as string],
  ])('never leaves its place by the id %j', async (id) => {
    await using part = await clientOf(() => ({ json: {} }))
    for (const call of [
      () => part.client.executions.get(id),
      () => part.client.workflows.get(id),
      () => part.client.workflows.remove(id),
      () => part.client.workflows.publish('w1', { versionId: id }),
      () => part.client.credentials.remove(id),
      () => part.client.credentials.schema(id),
      () => part.client.tags.setOn(id, []),
      () => part.client.tags.remove(id),
    ])
      expect((await failureOf(call())).code).toBe('N8N_OPTION_INVALID')
    expect(part.server.requests).toEqual([])
  })
})

describe('what n8n answers', () => {
  test.each<[string, ScriptedAnswer, string, RegExp]>([
    [
      'a wrong key',
      { status: 401, json: { message: 'Unauthorized' } },
      'N8N_UNAUTHORIZED',
      /Unauthorized\. Make a new key/,
    ],
    [
      'a missing scope',
      { status: 403, json: { message: 'Forbidden' } },
      'N8N_FORBIDDEN',
      /lacks a scope/,
    ],
    [
      'a licence',
      {
        status: 403,
        json: { message: 'Your license does not allow for feat:variables. To enable it, upgrade.' },
      },
      'N8N_FORBIDDEN',
      /feat:variables.*another licence/,
    ],
    [
      'an unknown id',
      { status: 404, json: { message: 'Not Found' } },
      'N8N_NOT_FOUND',
      /Check the id/,
    ],
    [
      'an unknown id, as a permission',
      {
        status: 404,
        json: { message: 'You do not have permission to activate this workflow. Ask the owner.' },
      },
      'N8N_NOT_FOUND',
      /id that does not exist/,
    ],
    [
      'an unknown version',
      { status: 404, json: { message: 'Version not found' } },
      'N8N_NOT_FOUND',
      /Version not found/,
    ],
    [
      'an unknown address',
      { status: 404, json: { message: 'not found' } },
      'N8N_UNSUPPORTED',
      /no such function/,
    ],
    [
      'an unknown verb',
      { status: 405, json: { message: 'GET method not allowed' } },
      'N8N_UNSUPPORTED',
      /cannot do that/,
    ],
    [
      'a conflict',
      { status: 409, json: { message: 'Tag already exists' } },
      'N8N_CONFLICT',
      /Tag already exists\.$/,
    ],
    [
      'bad input',
      { status: 400, json: { message: 'request/body/active is read-only' } },
      'N8N_REQUEST_REFUSED',
      /active is read-only/,
    ],
    [
      'a type it does not take',
      { status: 415, json: { message: 'unsupported media type text/plain' } },
      'N8N_REQUEST_REFUSED',
      /unsupported media type/,
    ],
    [
      'too large a request',
      { status: 413, ...expressPage('Payload Too Large') },
      'N8N_REQUEST_TOO_LARGE',
      /N8N_PAYLOAD_SIZE_MAX/,
    ],
    [
      'a failure inside',
      { status: 500, ...expressPage('Internal Server Error') },
      'N8N_RESPONSE_INVALID',
      /failed inside, and sent a page/,
    ],
    [
      'a failure inside, in JSON',
      { status: 500, json: { message: 'boom' } },
      'N8N_REQUEST_REFUSED',
      /boom/,
    ],
    [
      'no database',
      { status: 503, json: { code: 503, message: 'Database is not ready!' } },
      'N8N_STARTING',
      /Database is not ready!/,
    ],
    [
      'a start',
      { status: 200, text: '<html>n8n is starting up. Please wait</html>', headers: htmlPage },
      'N8N_STARTING',
      /n8n is starting\./,
    ],
    [
      'a start without routes',
      { status: 404, ...expressPage('Cannot GET /api/v1/executions/7') },
      'N8N_STARTING',
      /public API is switched off/,
    ],
    [
      'a page of somebody else',
      { status: 200, ...expressPage('Sign in') },
      'N8N_RESPONSE_INVALID',
      /expected JSON, got a page/,
    ],
    [
      'a 404 page of somebody else',
      { status: 404, ...expressPage('nginx') },
      'N8N_RESPONSE_INVALID',
      /expected JSON, got a page/,
    ],
    [
      'broken JSON',
      { text: '{"id":', headers: { 'content-type': 'application/json' } },
      'N8N_RESPONSE_INVALID',
      /application\/json that is no JSON/,
    ],
    [
      'JSON that does not say so',
      { text: '{"id":"7","workflowId":"w"}', headers: { 'content-type': 'text/plain' } },
      'N8N_RESPONSE_INVALID',
      /got text\/plain/,
    ],
    ['no type', { text: '{}' }, 'N8N_RESPONSE_INVALID', /text of no type/],
    ['nothing', { status: 204 }, 'N8N_RESPONSE_INVALID', /is no object/],
    ['another thing', { json: { hello: 'world' } }, 'N8N_RESPONSE_INVALID', /has no "id"/],
    [
      'a proxy without n8n',
      { status: 502, ...expressPage('Bad Gateway') },
      'N8N_UNREACHABLE',
      /proxy does not reach n8n/,
    ],
    [
      'a proxy that gave up',
      { status: 524, text: '', headers: htmlPage },
      'N8N_TIMEOUT',
      /gave up waiting/,
    ],
  ])('%s', async (...[, answer, code, message]) => {
    await using part = await clientOf(() => answer)
    const error = await failureOf(part.client.executions.get('7'))
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
    if (answer.status !== undefined && answer.status > 299)
      expect(error.data).toMatchObject({
        status: answer.status,
        method: 'GET',
        path: '/api/v1/executions/7',
      })
  })

  test.each([301, 302, 303, 307, 308])('a redirect with %i is never followed', async (status) => {
    await using elsewhere = await clientOf(() => ({ json: { id: '7', workflowId: 'w1' } }))
    const location = `${elsewhere.server.url}/login?ticket=abcdef`
    await using part = await clientOf(() => ({ status, text: '', headers: { location } }))
    const error = await failureOf(part.client.executions.get('7'))
    expect(error.code).toBe('N8N_RESPONSE_INVALID')
    expect(error.data['redirectedTo']).toBe(elsewhere.server.url)
    expect(error.message).not.toContain('abcdef')
    expect(elsewhere.server.requests).toEqual([])
  })

  test('a redirect within the server, a 304, and one without an address', async () => {
    const answers: ScriptedAnswer[] = [
      { status: 302, text: '', headers: { location: '/signin' } },
      { status: 304, text: '' },
      { status: 302, text: '' },
    ]
    await using part = await clientOf((_request, index) => answers[index] ?? {})
    for (let tries = 0; tries < answers.length; tries += 1)
      expect((await failureOf(part.client.executions.get('7'))).code).toBe('N8N_RESPONSE_INVALID')
  })

  test('a message of any length and with control characters stays readable', async () => {
    await using part = await clientOf(() => ({
      status: 400,
      json: { message: `\u001b[2J${'x'.repeat(5_000)}` },
    }))
    const { message } = await failureOf(part.client.executions.get('7'))
    expect(message).not.toContain('\u001b')
    expect(message.length).toBeLessThan(1_200)
  })
})

describe('a read is repeated', () => {
  const starting: ScriptedAnswer = { status: 503, json: { message: 'Database is not ready!' } }
  const good: ScriptedAnswer = { json: { id: '7', workflowId: 'w1', status: 'success' } }

  test.each<[string, ScriptedAnswer]>([
    ['while n8n starts', starting],
    ['after the page of a start', { text: 'n8n is starting up. Please wait', headers: htmlPage }],
    ['where there are no routes yet', { status: 404, ...expressPage('Cannot GET /api/v1/x') }],
    ['after a lost connection', { raw: (response) => response.destroy() }],
    ['after 502 of a proxy', { status: 502, text: '' }],
    ['when it was one too many', { status: 429, json: {} }],
  ])('%s', async (_when, bad) => {
    await using part = await clientOf((_request, index) => (index < 2 ? bad : good))
    expect((await part.client.executions.get('7')).status).toBe('success')
    expect(part.server.requests).toHaveLength(3)
    expect(part.pauses).toEqual([200, 400])
  })

  test.each([400, 401, 403, 404, 405, 409, 413, 415, 500])('not after %i', async (status) => {
    await using part = await clientOf(() => ({ status, json: { message: 'no' } }))
    await failureOf(part.client.executions.get('7'))
    expect(part.server.requests).toHaveLength(1)
  })

  test('as often as told, with pauses that grow up to 5 s', async () => {
    await using part = await clientOf(() => starting, {
      retry: { retries: 7, pauseMs: 300 },
      timeoutMs: 60_000,
    })
    const error = await failureOf(part.client.executions.get('7'))
    expect(part.pauses).toEqual([300, 600, 1_200, 2_400, 4_800, 5_000, 5_000])
    expect(error).toMatchObject({ code: 'N8N_STARTING', data: { tries: 8 } })
  })

  test('never where that is switched off', async () => {
    await using part = await clientOf(() => starting, { retry: { retries: 0 } })
    await failureOf(part.client.executions.get('7'))
    expect(part.server.requests).toHaveLength(1)
  })

  test.each([
    ['in seconds', () => '3', 3_000],
    ['as a date', () => new Date(Date.now() + 4_000).toUTCString(), 3_000],
  ])('not before the time that Retry-After gives %s', async (_how, value, least) => {
    await using part = await clientOf((_request, index) =>
      index === 0 ? { ...starting, headers: { 'retry-after': value() } } : good,
    )
    await part.client.executions.get('7')
    expect(part.pauses[0]).toBeGreaterThanOrEqual(least - 1_100)
    expect(part.pauses[0]).toBeLessThanOrEqual(4_000)
  })

  test('not at all where Retry-After lies behind the deadline', async () => {
    await using part = await clientOf(() => ({ ...starting, headers: { 'retry-after': '3600' } }))
    const error = await failureOf(part.client.executions.get('7'))
    expect(part.pauses).toEqual([])
    expect(error).toMatchObject({ code: 'N8N_STARTING', data: { retryAfterMs: 3_600_000 } })
  })

  test('within one deadline for all tries', async () => {
    let time = 0
    await using part = await clientOf(() => starting, {
      retry: { retries: 10, pauseMs: 1_000 },
      timeoutMs: 10_000,
      now: () => time,
      sleep: async (ms) => {
        await Promise.resolve()
        time += ms
      },
    })
    await failureOf(part.client.executions.get('7'))
    // 1 + 2 + 4 s, and 5 s more would be too late.
    expect(part.server.requests).toHaveLength(4)
  })

  test('until the caller aborts', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    await using part = await clientOf(() => starting, {
      sleep: async (_ms, signal) => {
        await Promise.resolve()
        controller.abort(reason)
        signal?.throwIfAborted()
      },
    })
    await expect(part.client.executions.get('7', { signal: controller.signal })).rejects.toBe(
      reason,
    )
    expect(part.server.requests).toHaveLength(1)
  })
})

describe('a write', () => {
  const create = onRelease
  test.each<[string, ScriptedAnswer]>([
    ['a connection that breaks', { raw: (response) => response.destroy() }],
    ['502 of a proxy', { status: 502, text: '' }],
    ['503 of a proxy', { status: 503, text: '' }],
    ['504 of a proxy', { status: 504, text: '' }],
    ['500', { status: 500, ...expressPage('Internal Server Error') }],
    ['an answer that is no JSON', { text: 'ok', headers: { 'content-type': 'text/plain' } }],
  ])('is sent once after %s, and its outcome is unknown', async (_what, bad) => {
    await using part = await clientOf(create(2, () => bad))
    const error = await failureOf(part.client.workflows.create(sampleWorkflow))
    expect(part.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(error.data).toMatchObject({ sent: true, outcome: 'unknown' })
    expect(error.message).toMatch(/look on the server before you try again\.$/)
  })

  test.each<[string, ScriptedAnswer]>([
    ['the page of a start', { text: 'n8n is starting up. Please wait', headers: htmlPage }],
    ['missing routes', { status: 404, ...expressPage('Cannot POST /api/v1/workflows') }],
    ['a missing database', { status: 503, json: { message: 'Database is not ready!' } }],
    ['429', { status: 429, json: {} }],
  ])('is repeated after %s, since n8n did not take it', async (_what, bad) => {
    await using part = await clientOf(
      create(2, (_request, index) => (index < 2 ? bad : { json: storedSample() })),
    )
    expect((await part.client.workflows.create(sampleWorkflow)).id).toBe('w1')
    expect(part.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(3)
  })

  test('that n8n did not take says so', async () => {
    await using part = await clientOf(create(2, () => ({ status: 429, json: {} })))
    const error = await failureOf(part.client.workflows.create(sampleWorkflow))
    expect(error.data['sent']).toBe(false)
    expect(error.data['outcome']).toBeUndefined()
  })

  test.each([400, 401, 403, 404, 409, 413])(
    'that is refused with %i is known not to have happened',
    async (status) => {
      await using part = await clientOf(create(2, () => ({ status, json: { message: 'no' } })))
      const error = await failureOf(part.client.workflows.create(sampleWorkflow))
      expect(error.data['outcome']).toBeUndefined()
      expect(error.message).not.toContain('all the same')
    },
  )

  test('is repeated where no connection was made', async () => {
    let tries = 0
    const client = createN8nClient({
      baseUrl: 'http://127.0.0.1:9',
      apiKey: secretKey,
      retry: { pauseMs: 0 },
      transport: {
        send: async ({ method, url }) => {
          await Promise.resolve()
          const answer = (json: unknown): object => ({
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(json),
          })
          if (method === 'GET') return answer({ data: {} }) as never
          tries += 1
          if (tries < 3)
            throw new ToolError('N8N_UNREACHABLE', `no ${url.host}`, { data: { sent: false } })
          return answer(storedSample()) as never
        },
      },
    })
    expect((await client.workflows.create(sampleWorkflow)).id).toBe('w1')
    expect(tries).toBe(3)
  })

  test('is not repeated after a transport that says nothing of it', async () => {
    let tries = 0
    const client = createN8nClient({
      baseUrl: 'http://127.0.0.1:9',
      apiKey: secretKey,
      transport: {
        send: async ({ method, headers }) => {
          await Promise.resolve()
          if (method === 'GET')
            return {
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: '{"data":{}}',
            }
          tries += 1
          throw Object.assign(new Error(`boom with ${JSON.stringify(headers)}`), {
            request: headers,
          })
        },
      },
    })
    const error = await failureOf(client.workflows.create(sampleWorkflow))
    expect(tries).toBe(1)
    expect(error).toMatchObject({
      code: 'N8N_UNREACHABLE',
      data: { sent: true, outcome: 'unknown' },
    })
    expect(inspect(error, { depth: 9 })).not.toContain('secret')
  })
})

describe('sizes', () => {
  test('a body of exactly the limit is sent, a byte more is not', async () => {
    const body = { v: 'ü'.repeat(100) }
    const bytes = Buffer.byteLength(JSON.stringify(body))
    await using part = await clientOf(() => ({ json: {} }), { maxRequestBytes: bytes })
    await part.client.webhooks.trigger('x', body)
    const error = await failureOf(part.client.webhooks.trigger('x', { v: `${body.v}a` }))
    expect(error).toMatchObject({
      code: 'N8N_REQUEST_TOO_LARGE',
      data: { bytes: bytes + 1, sent: false },
    })
    expect(part.server.requests).toHaveLength(1)
  })

  test('an answer over the limit is an error', async () => {
    await using part = await clientOf(
      () => ({ json: { id: '7', workflowId: 'x'.repeat(1_000) } }),
      { maxResponseBytes: 1_000 },
    )
    expect((await failureOf(part.client.executions.get('7'))).code).toBe('N8N_RESPONSE_TOO_LARGE')
  })

  test('of a write an answer over the limit leaves no doubt unsaid', async () => {
    await using part = await clientOf(
      onRelease(2, () => ({ json: storedSample() })),
      { maxResponseBytes: 200 },
    )
    const error = await failureOf(part.client.workflows.create(sampleWorkflow))
    expect(error.data).toMatchObject({ sent: true, outcome: 'unknown' })
  })
})

describe('time', () => {
  test('a server that says nothing is left at the deadline', async () => {
    await using part = await clientOf(() => ({ raw: () => {} }))
    const error = await failureOf(part.client.executions.get('7', { timeoutMs: 100 }))
    expect(error).toMatchObject({
      code: 'N8N_TIMEOUT',
      data: { sent: true, path: '/api/v1/executions/7' },
    })
    expect(part.server.requests).toHaveLength(1)
  })

  test('a key that never comes is waited for until then', async () => {
    await using part = await clientOf(() => ({ json: {} }), {
      apiKey: () => new Promise<string>(() => {}),
    })
    const error = await failureOf(part.client.executions.get('7', { timeoutMs: 50 }))
    expect(error.code).toBe('N8N_TIMEOUT')
    const controller = new AbortController()
    const waiting = part.client.executions.get('7', { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  test.each([0, -1, 1.5, Infinity, '5'])('the timeout %s is refused', async (timeoutMs) => {
    await using part = await clientOf(() => ({ json: {} }))
    const error = await failureOf(
      part.client.executions.get('7', { timeoutMs: timeoutMs as number }),
    )
    expect(error).toMatchObject({ code: 'N8N_OPTION_INVALID', data: { field: 'timeoutMs' } })
  })

  test('a signal that is none is refused, an aborted one sends nothing', async () => {
    await using part = await clientOf(() => ({ json: {} }))
    expect(
      (await failureOf(part.client.executions.get('7', { signal: {} as AbortSignal }))).data[
        'field'
      ],
    ).toBe('signal')
    await expect(
      part.client.executions.get('7', { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough')
    expect(part.server.requests).toEqual([])
  })
})

describe('the key is nowhere', () => {
  const forms = [
    secretKey,
    encodeURIComponent(secretKey),
    btoa(secretKey),
    btoa(`x:${secretKey}`),
    JSON.stringify(secretKey).slice(1, -1),
  ]

  test('in errors that quote the request', async () => {
    for (const form of forms) {
      await using part = await clientOf(() => ({ status: 400, json: { message: `no: ${form}!` } }))
      const error = await failureOf(part.client.executions.get('7'))
      expect(inspect(error, { depth: 9 })).not.toContain(form)
      expect(error.message).toContain('[redacted]')
      expect(error.stack).not.toContain(form)
      expect(JSON.stringify(error)).not.toContain(form)
    }
  })

  test('in what redact gives', async () => {
    await using part = await clientOf(() => ({ json: {} }))
    for (const form of forms) expect(part.client.redact(`<${form}>`)).not.toContain(form)
    expect(part.client.redact('nothing in it')).toBe('nothing in it')
  })

  test('also after it was changed', async () => {
    const keys = ['the-first-key', 'the-second-key']
    await using part = await clientOf(() => ({ json: { id: '7', workflowId: 'w1' } }), {
      apiKey: () => keys.shift() ?? '',
    })
    await part.client.executions.get('7')
    await part.client.executions.get('7')
    expect(part.client.redact('the-first-key the-second-key')).toBe('[redacted] [redacted]')
  })

  test('in a client that is printed or serialised', async () => {
    await using part = await clientOf(() => ({ json: {} }))
    for (const shown of [
      inspect(part.client, { depth: 9, showHidden: true }),
      JSON.stringify(part.client),
    ])
      expect(shown).not.toContain('secret')
  })

  test('in an error of the function that reads it', async () => {
    await using part = await clientOf(() => ({ json: {} }), { apiKey: () => 'bad key with spaces' })
    const error = await failureOf(part.client.executions.get('7'))
    expect(error.code).toBe('N8N_OPTION_INVALID')
    expect(inspect(error, { depth: 9 })).not.toContain('bad key')
  })

  test('on the way to a webhook', async () => {
    await using part = await clientOf(() => ({ json: {} }))
    await part.client.webhooks.trigger('x', {})
    await part.client.ping()
    await part.client.webhooks.isRegistered('x').catch(vi.fn())
    expect(part.server.requests.length).toBeGreaterThan(2)
    expect(JSON.stringify(part.server.requests)).not.toContain('secret')
  })
})
