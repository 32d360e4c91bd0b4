import { type Server, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { ToolError } from '@toolcrib/registry'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ScriptedServer, startScriptedServer } from '../test/scripted-server.ts'
import { type GotTransport, type GotTransportOptions, createGotTransport } from './got-transport.ts'
import type { N8nHttpRequest, N8nHttpResponse } from './transport.ts'

let server: ScriptedServer
let transport: GotTransport

beforeEach(async () => {
  server = await startScriptedServer(() => ({ json: { ok: true } }))
  transport = createGotTransport()
})

afterEach(async () => {
  transport.close()
  vi.unstubAllEnvs()
  await server.close()
})

function send(more: Partial<N8nHttpRequest> & { path?: string } = {}): Promise<N8nHttpResponse> {
  const { path = '/x?y=1', ...rest } = more
  return transport.send({
    method: 'GET',
    url: new URL(path, server.url),
    headers: {},
    timeoutMs: 10_000,
    maxResponseBytes: 1_000_000,
    ...rest,
  })
}

async function failureOf(promise: Promise<unknown>): Promise<ToolError<string>> {
  const error = await promise.then(
    () => expect.unreachable('it did not fail'),
    (thrown: unknown) => thrown,
  )
  if (!ToolError.is(error)) throw error
  return error
}

test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
  '%s arrives with headers, with and without a body',
  async (method) => {
    await send({ method, headers: { 'x-n8n-api-key': 'the-key' } })
    if (method !== 'GET' && method !== 'OPTIONS')
      await send({ method, body: '{"ü":1}', headers: { 'content-type': 'application/json' } })
    expect(server.requests[0]).toMatchObject({
      method,
      path: '/x?y=1',
      body: '',
      headers: { 'x-n8n-api-key': 'the-key' },
    })
    if (server.requests.length > 1) expect(server.requests[1]?.body).toBe('{"ü":1}')
  },
)

test('gives any status with its headers in lower case', async () => {
  server.script = () => ({ status: 503, text: 'später', headers: { 'X-Some': 'a' } })
  const answer = await send()
  expect(answer).toMatchObject({ status: 503, body: 'später', headers: { 'x-some': 'a' } })
})

test('says nothing of itself beside what HTTP needs', async () => {
  await send()
  expect(Object.keys(server.requests[0]?.headers ?? {}).toSorted()).toEqual([
    'accept-encoding',
    'connection',
    'host',
  ])
})

test('a mark of the byte order is not part of the text', async () => {
  server.script = () => ({ text: '\uFEFF{"a":"ü"}' })
  expect((await send()).body).toBe('{"a":"ü"}')
})

test('does not follow a redirect', async () => {
  server.script = () => ({
    status: 302,
    text: '',
    headers: { location: `${server.url}/elsewhere` },
  })
  expect((await send()).status).toBe(302)
  expect(server.requests).toHaveLength(1)
})

test('keeps no cookies', async () => {
  server.script = () => ({ json: {}, headers: { 'set-cookie': 'a=b' } })
  await send()
  await send()
  expect(server.requests[1]?.headers.cookie).toBeUndefined()
})

test.each([429, 500, 503])('does not repeat a GET that is answered %i', async (status) => {
  server.script = () => ({ status, json: {}, headers: { 'retry-after': '0' } })
  await send()
  expect(server.requests).toHaveLength(1)
})

test('does not repeat a request whose connection breaks', async () => {
  server.script = () => ({ raw: (response) => response.destroy() })
  await failureOf(send())
  expect(server.requests).toHaveLength(1)
})

test('ignores proxies of the environment', async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])
    vi.stubEnv(name, 'http://127.0.0.1:1')
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  expect((await send()).status).toBe(200)
})

test('uses one connection for requests in turn', async () => {
  for (let turn = 0; turn < 5; turn += 1) await send({ method: 'POST', body: '{}' })
  expect(server.connections()).toBe(1)
})

test('opens no more connections than told', async () => {
  transport = createGotTransport({ maxSockets: 2 })
  await Promise.all(Array.from({ length: 10 }, () => send()))
  expect(server.connections()).toBe(2)
})

describe('an answer that is too large', () => {
  const largest = 100_000

  test('is taken up to the limit and not one byte beyond', async () => {
    server.script = () => ({ text: 'a'.repeat(largest) })
    expect((await send({ maxResponseBytes: largest })).body).toHaveLength(largest)
    const error = await failureOf(send({ maxResponseBytes: largest - 1 }))
    expect(error.code).toBe('N8N_RESPONSE_TOO_LARGE')
    expect(error.message).toContain('more than 99999 bytes')
    expect(error.data['sent']).toBe(true)
  })

  test('is counted decompressed, and ended while it comes', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    server.script = () => ({
      raw: (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(bomb)
      },
    })
    const error = await failureOf(send({ maxResponseBytes: largest }))
    expect(error.code).toBe('N8N_RESPONSE_TOO_LARGE')
  })

  test('that never ends is ended', async () => {
    let isClosed = false
    server.script = () => ({
      raw: (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('a'.repeat(10_000)), 1)
        response.on('close', () => {
          clearInterval(timer)
          isClosed = true
        })
      },
    })
    await failureOf(send({ maxResponseBytes: largest }))
    await vi.waitFor(() => expect(isClosed).toBe(true))
  })

  test('that is compressed comes out as it was', async () => {
    server.script = () => ({
      raw: (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(gzipSync('{"ü":1}'))
      },
    })
    expect((await send()).body).toBe('{"ü":1}')
  })
})

describe('what breaks', () => {
  test('where nothing listens nothing was sent', async () => {
    await server.close()
    const error = await failureOf(send({ headers: { 'x-n8n-api-key': 'the-key' } }))
    expect(error.code).toBe('N8N_UNREACHABLE')
    expect(error.data).toEqual({ sent: false, reason: 'ECONNREFUSED' })
    expect(error.message).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/x: nothing listens there/)
    expect(JSON.stringify([error, error.cause])).not.toContain('the-key')
    expect(Object.keys(error.cause as object)).toEqual(['code'])
  })

  test('a connection that ends before an answer may have brought the request', async () => {
    server.script = () => ({ raw: (response) => response.destroy() })
    const error = await failureOf(send({ method: 'POST', body: '{}' }))
    expect(error.code).toBe('N8N_UNREACHABLE')
    expect(error.data['sent']).toBe(true)
  })

  test('so may one that ends on a connection that was used before', async () => {
    await send()
    server.script = () => ({ raw: (response) => response.destroy() })
    const error = await failureOf(send({ method: 'POST', body: '{}' }))
    expect(error.data['sent']).toBe(true)
  })

  test('an answer that stops in the middle is no answer', async () => {
    server.script = () => ({
      raw: (response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('half')
        setTimeout(() => response.destroy(), 20)
      },
    })
    const error = await failureOf(send())
    expect(error).toMatchObject({ code: 'N8N_UNREACHABLE', data: { sent: true } })
  })

  test('a host that is not there', async () => {
    const error = await failureOf(send({ url: new URL('http://nowhere.invalid/') }))
    expect(error).toMatchObject({ code: 'N8N_UNREACHABLE', data: { sent: false } })
  })

  test('https on a port that speaks http', async () => {
    const url = new URL(server.url.replace('http:', 'https:'))
    const error = await failureOf(send({ url }))
    expect(error).toMatchObject({ code: 'N8N_UNREACHABLE', data: { sent: false } })
    expect(error.message).toContain('encrypted')
  })

  test('a query, which may hold secrets, is in no message', async () => {
    await server.close()
    const error = await failureOf(send({ path: '/x?token=abc' }))
    expect(JSON.stringify([error, error.cause])).not.toContain('abc')
  })

  describe('on a port that speaks something else', () => {
    let other: Server
    const listen = async (greeting: string): Promise<URL> => {
      other = createServer((socket) => {
        socket.on('error', () => {})
        socket.write(greeting)
      })
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      return new URL(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    }
    afterEach(() => {
      other.close()
    })

    test('the answer is none', async () => {
      const error = await failureOf(send({ url: await listen('220 mail.example ready\r\n') }))
      expect(error).toMatchObject({ code: 'N8N_RESPONSE_INVALID', data: { sent: true } })
    })

    test('headers without end are refused', async () => {
      const url = await listen(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`)
      expect((await failureOf(send({ url }))).code).toBe('N8N_RESPONSE_INVALID')
    })

    test('a change of protocol is refused', async () => {
      const url = await listen(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
      )
      expect((await failureOf(send({ url }))).code).toBe('N8N_RESPONSE_INVALID')
    })

    test('who says nothing is left at the deadline', async () => {
      const error = await failureOf(send({ url: await listen(''), timeoutMs: 100 }))
      expect(error).toMatchObject({ code: 'N8N_TIMEOUT', data: { sent: true, timeoutMs: 100 } })
    })
  })
})

describe('time and signal', () => {
  test('the deadline covers an answer that drips', async () => {
    server.script = () => ({
      raw: (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('a'), 10)
        response.on('close', () => clearInterval(timer))
      },
    })
    const error = await failureOf(send({ timeoutMs: 150 }))
    expect(error.code).toBe('N8N_TIMEOUT')
    expect(error.message).toContain('no answer within 150 ms')
  })

  test('a signal that is aborted before sends nothing', async () => {
    const reason = new Error('enough')
    await expect(send({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(server.connections()).toBe(0)
  })

  test('a signal ends what is under way with its reason, and the connection', async () => {
    let isClosed = false
    const controller = new AbortController()
    server.script = () => ({
      raw: (response) => {
        response.on('close', () => (isClosed = true))
        controller.abort(new Error('enough'))
      },
    })
    await expect(send({ signal: controller.signal })).rejects.toThrow('enough')
    await vi.waitFor(() => expect(isClosed).toBe(true))
  })

  test('nothing stays behind on a signal that lives on', async () => {
    const { signal } = new AbortController()
    const add = vi.spyOn(signal, 'addEventListener')
    const remove = vi.spyOn(signal, 'removeEventListener')
    await send({ signal })
    expect(remove.mock.calls.length).toBe(add.mock.calls.length)
  })
})

test('refuses an option that it does not know', () => {
  expect(() => createGotTransport({ proxy: 'x' } as GotTransportOptions)).toThrow(
    expect.objectContaining({ code: 'OPTIONS_INVALID' }),
  )
})

test.each([
  [{ maxSockets: 0 }, 'maxSockets'],
  [{ maxSockets: 1.5 }, 'maxSockets'],
  [{ keepAliveMs: -1 }, 'keepAliveMs'],
])('refuses the options %j', (options, field) => {
  expect(() => createGotTransport(options as GotTransportOptions)).toThrow(
    expect.objectContaining({
      code: 'N8N_OPTION_INVALID',
      data: expect.objectContaining({ field }),
    }),
  )
})
