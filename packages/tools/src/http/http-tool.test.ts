import { Buffer } from 'node:buffer'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HttpGuard, createHttpGuard } from '@toolcrib/policy/http'
import { silentLogger, viewTool } from '@toolcrib/registry'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ToolCaller, callerOf } from '../../test/call-tool.ts'
import { binary, httpRoutes, typed } from '../../test/http-routes.ts'
import {
  type LoopbackServer,
  findFreePort,
  startLoopbackServer,
} from '../../test/loopback-server.ts'
import { createCookieJarFolder, openCookieJarFile } from './cookie-jar-file.ts'
import type { BoundedCookieJar } from './cookie-jar.ts'
import type { HttpOutput } from './http-output.ts'
import { createHttpTool } from './http-tool.ts'

const large = Buffer.alloc(10_485_760, 0xff)

let server: LoopbackServer
let guard: HttpGuard
let http: ToolCaller
beforeAll(async () => {
  server = await startLoopbackServer({
    ...httpRoutes,
    '/large': typed('application/octet-stream', large),
  })
  guard = createHttpGuard({
    policy: {
      origins: ['http://127.0.0.1:*', 'http://unknown.invalid:*'],
      privateAddresses: ['127.0.0.1'],
      maxResponseBytes: 1_000_000,
    },
  })
})
beforeEach(() => {
  server.received.length = 0
  http = callerOf(createHttpTool({ guard, retries: 0 }))
})
afterAll(async () => {
  guard.close()
  await server.close()
})

const get = async (path: string, more: object = {}): Promise<HttpOutput> =>
  http.output<HttpOutput>({ url: server.url + path, ...more })
/** What the server got, from its own answer. */
const echoed = (
  output: HttpOutput,
): { method: string; headers: Record<string, string>; body: string } =>
  output.parsedBody as { method: string; headers: Record<string, string>; body: string }

describe('an answer', () => {
  test('is status, headers, body, address and times', async () => {
    expect(await get('/text')).toEqual({
      status: 200,
      statusText: 'OK',
      headers: expect.objectContaining({ 'content-type': 'text/plain; charset=utf-8' }) as unknown,
      body: 'Grüße',
      bodyEncoding: 'utf8',
      bodyBytes: 7,
      charset: 'utf-8',
      url: `${server.url}/text`,
      redirects: [],
      timings: expect.objectContaining({ total: expect.any(Number) as unknown }) as unknown,
    })
  })

  test.each([200, 201, 204, 304, 400, 401, 403, 404, 409, 418, 429, 500, 503])(
    'of status %i is a result',
    async (status) => {
      expect(await get(`/status?is=${status}`)).toMatchObject({ status, body: '' })
    },
  )

  test('is read in the charset that it names', async () => {
    expect(await get('/latin1')).toMatchObject({ body: 'Grüße', charset: 'windows-1252' })
  })

  test('of a binary type is base64, byte for byte', async () => {
    const { body, bodyEncoding } = await get('/binary')
    expect(bodyEncoding).toBe('base64')
    expect(Buffer.from(body, 'base64')).toEqual(binary)
  })

  test('that is packed is unpacked', async () => {
    expect(await get('/gzip')).toMatchObject({ body: 'packed', bodyBytes: 6 })
  })

  test('in JSON is parsed, an error too; broken JSON is null, and the text is there', async () => {
    expect(await get('/json')).toMatchObject({ body: '{"a":1}', parsedBody: { a: 1 } })
    expect(await get('/problem')).toMatchObject({ status: 422, parsedBody: { title: 'no' } })
    expect(await get('/broken-json')).toMatchObject({ body: '{"a":', parsedBody: null })
    expect(await get('/text')).not.toHaveProperty('parsedBody')
  })

  test('to HEAD has headers and nothing else', async () => {
    const output = await get('/json', { method: 'HEAD' })
    expect(output).toMatchObject({ status: 200, body: '', bodyBytes: 0 })
    expect(output.headers['content-type']).toBe('application/json')
    expect(output).not.toHaveProperty('parsedBody')
  })

  test('of ten mebibytes, the most that a policy lets through by default, reaches the caller whole', async () => {
    const wide = createHttpGuard({
      policy: { origins: ['http://127.0.0.1:*'], privateAddresses: ['127.0.0.1'] },
    })
    try {
      http = callerOf(createHttpTool({ guard: wide }))
      expect(await get('/large')).toMatchObject({ bodyBytes: large.length })
    } finally {
      wide.close()
    }
  })

  test('that never ends is cut off as a violation of the size', async () => {
    const failure = await http.failure({ url: `${server.url}/endless` })
    expect(failure).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
    expect(failure.error).toContain('1000000')
  })
})

describe('a request', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('with %s carries its body', async (method) => {
    const { method: got, body } = echoed(await get('/echo', { method, body: 'Grüße' }))
    expect({ method: got, body: Buffer.from(body, 'base64').toString() }).toEqual({
      method,
      body: 'Grüße',
    })
  })

  test('carries bytes in base64', async () => {
    const body = binary.toString('base64')
    const output = await get('/echo', { method: 'POST', body, bodyEncoding: 'base64' })
    expect(echoed(output).body).toBe(body)
  })

  test.each([null, false, 0, '', [], { a: 'ü' }])('carries the JSON value %j', async (json) => {
    const { headers, body } = echoed(await get('/echo', { method: 'POST', json }))
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(Buffer.from(body, 'base64').toString())).toEqual(json)
  })

  test('keeps the content type that it names for JSON, however that is written', async () => {
    const headers = { 'Content-TYPE': 'application/vnd.api+json' }
    const output = await get('/echo', { method: 'POST', json: {}, headers })
    expect(echoed(output).headers['content-type']).toBe('application/vnd.api+json')
  })

  test.each([
    [{ method: 'GET', body: 'x' }, 'body: GET takes no body'],
    [{ method: 'HEAD', json: null }, 'json: HEAD takes no body'],
    [{ method: 'POST', json: 1, body: '' }, 'json: cannot stand beside body'],
    [{ bodyEncoding: 'base64' }, 'bodyEncoding: '],
    [{ method: 'TRACE' }, 'method: '],
    [{ method: 'get' }, 'method: '],
    [{ timeoutMs: 30_001 }, 'timeoutMs: '],
    [{ maxRedirects: -1 }, 'maxRedirects: '],
    [{ headers: { a: 1 } }, 'headers.a: '],
    [{ url: '' }, 'url: '],
    [{ agent: 'x' }, 'agent'],
  ])('%j is refused with the field, and nothing is sent', async (input, message) => {
    const failure = await http.failure({ url: `${server.url}/echo`, ...input })
    expect(failure.errorCode).toBe('INPUT_INVALID')
    expect(failure.error).toContain(message)
    expect(server.received).toEqual([])
  })

  test.each([
    [{ method: 'POST', body: 'a===', bodyEncoding: 'base64' }, 'body: '],
    [{ method: 'POST', body: '\ud800' }, 'body: '],
  ])('%j cannot be written as bytes', async (input, message) => {
    const failure = await http.failure({ url: `${server.url}/echo`, ...input })
    expect(failure.toolErrorCode).toBe('ENCODING_MISMATCH')
    expect(failure.error).toContain(message)
    expect(server.received).toEqual([])
  })

  test.each([
    { 'x-a': 'b\r\nx-injected: 1' },
    { 'x-a\r\nx-injected': '1' },
    { 'x-a': 'b\0' },
    { host: 'other.test' },
    { 'transfer-encoding': 'chunked' },
    { 'Content-Length': '0' },
    { 'x-a': '1', 'X-A': '2' },
  ])('with the headers %j is refused, and nothing is sent', async (headers) => {
    const failure = await http.failure({ url: `${server.url}/echo`, headers })
    expect(failure.errorCode).toBe('POLICY_VIOLATION')
    expect(server.received).toEqual([])
  })

  test.each([
    'file:///etc/passwd',
    '/relative',
    'http://127.0.0.2:1/',
    'http://user:word@127.0.0.1:1/',
    'http://[::1]:1/',
    'gopher://127.0.0.1:1/',
    'nonsense',
  ])('to %s is a violation', async (url) => {
    expect(await http.failure({ url })).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
  })

  test('to a host that nobody knows, and to a port where nobody listens, fails with its code', async () => {
    const unknown = await http.failure({ url: 'http://unknown.invalid/' })
    expect(unknown.toolErrorCode).toBe('HTTP_UNKNOWN_HOST')
    const refused = await http.failure({ url: `http://127.0.0.1:${await findFreePort()}/` })
    expect(refused.toolErrorCode).toBe('HTTP_CONNECTION_REFUSED')
    expect(refused.error).toContain('url: ')
  })

  test('that is not answered in its time fails, and one that is cancelled ends', async () => {
    const late = await http.failure({ url: `${server.url}/silent`, timeoutMs: 50 })
    expect(late.toolErrorCode).toBe('HTTP_TIMEOUT')
    const controller = new AbortController()
    const call = http.call({ url: `${server.url}/silent` }, { signal: controller.signal })
    await expect.poll(() => server.received.length).toBe(2)
    controller.abort()
    const result = await call
    expect(result).toMatchObject({ success: false, errorCode: 'CANCELLED' })
    expect(result).not.toHaveProperty('mayStillBeRunning')
  })
})

describe('a redirect', () => {
  test.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'content'],
    [308, 'POST', 'content'],
  ])('%i of a POST goes on with %s', async (status, method, body) => {
    const output = await get(`/to-echo-${status}`, { method: 'POST', body: 'content' })
    expect(output).toMatchObject({
      url: `${server.url}/echo`,
      redirects: [`${server.url}/to-echo-${status}`],
    })
    expect(echoed(output).method).toBe(method)
    expect(Buffer.from(echoed(output).body, 'base64').toString()).toBe(body)
  })

  test('is the answer itself where redirects are not followed', async () => {
    expect(await get('/to-echo-302', { followRedirects: false })).toMatchObject({
      status: 302,
      body: 'moved',
      headers: { location: '/echo' },
    })
    expect(server.received).toHaveLength(1)
  })

  test('without end is stopped at the limit', async () => {
    const failure = await http.failure({ url: `${server.url}/loop`, maxRedirects: 3 })
    expect(failure.errorCode).toBe('POLICY_VIOLATION')
    expect(server.received).toHaveLength(4)
  })
})

describe('cookies', () => {
  const principal = (id: string): { principal: { kind: 'agent'; id: string } } => ({
    principal: { kind: 'agent', id },
  })

  test('are kept for the principal, sent back, and shown to nobody', async () => {
    const result = await http.call({ url: `${server.url}/set-cookie` }, principal('alice'))
    expect(JSON.stringify(result)).not.toMatch(/TOP-SECRET|NAMELESS|dark/)
    expect(result).toMatchObject({ output: { setCookies: ['session', 'theme', ''] } })
    const again = await http.output<HttpOutput>({ url: `${server.url}/echo` }, principal('alice'))
    expect(echoed(again).headers['cookie']).toContain('session=TOP-SECRET; theme=dark')
  })

  test('of one principal never reach another, nor the same id of another kind', async () => {
    await http.call({ url: `${server.url}/set-cookie` }, principal('alice'))
    for (const other of [
      principal('bob'),
      { principal: { kind: 'person', id: 'alice' } } as const,
      {},
    ]) {
      const output = await http.output<HttpOutput>({ url: `${server.url}/echo` }, other)
      expect(echoed(output).headers).not.toHaveProperty('cookie')
    }
  })

  test('of one session never reach another session of the same principal, nor calls without one', async () => {
    const alice = principal('alice')
    const inSession = (sessionId: string): object => ({ ...alice, sessionId })
    await http.call({ url: `${server.url}/set-cookie` }, inSession('monday'))
    for (const other of [inSession('tuesday'), inSession(''), alice]) {
      const output = await http.output<HttpOutput>({ url: `${server.url}/echo` }, other)
      expect(echoed(output).headers).not.toHaveProperty('cookie')
    }
    const again = await http.output<HttpOutput>({ url: `${server.url}/echo` }, inSession('monday'))
    expect(echoed(again).headers['cookie']).toContain('session=TOP-SECRET')
  })

  test('that come with a redirect go with its next hop', async () => {
    expect(echoed(await get('/login')).headers['cookie']).toBe('login=1')
  })

  test('that a jar refuses do not fail the request', async () => {
    expect(await get('/bad-cookie')).toMatchObject({ status: 200, setCookies: ['a', 'b'] })
    expect(echoed(await get('/echo')).headers).not.toHaveProperty('cookie')
  })

  test('that a jar cannot save do not fail the request, and the log does not quote them', async () => {
    const jar = {
      getCookieString: async () => '',
      setCookie: async (cookie: string) => {
        throw new Error(`no room for ${cookie}`)
      },
    }
    const lines: unknown[] = []
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) }
    http = callerOf(createHttpTool({ guard, cookieJar: () => jar }), logger)
    expect(await get('/set-cookie')).toMatchObject({ status: 200 })
    expect(lines).toHaveLength(3)
    expect(JSON.stringify(lines)).not.toContain('TOP-SECRET')
  })

  test('are kept for the program itself where there is no invoker', async () => {
    const tool = createHttpTool({ guard })
    const signal = new AbortController().signal
    const run = async (path: string): Promise<unknown> =>
      tool.execute(
        { method: 'GET', url: server.url + path, followRedirects: true },
        signal,
        undefined as never,
      )
    await run('/set-cookie')
    expect(JSON.stringify(await run('/echo'))).toContain('TOP-SECRET')
  })

  test('survive a restart in a folder of the host, each session for itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'http-tool-'))
    try {
      const restart = (): ToolCaller =>
        callerOf(createHttpTool({ guard, cookieJar: createCookieJarFolder(folder) }))
      await restart().call({ url: `${server.url}/set-cookie` }, principal('alice'))
      const url = `${server.url}/echo`
      const alice = await restart().output<HttpOutput>({ url }, principal('alice'))
      expect(echoed(alice).headers['cookie']).toContain('session=TOP-SECRET')
      const bob = await restart().output<HttpOutput>({ url }, principal('bob'))
      expect(echoed(bob).headers).not.toHaveProperty('cookie')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('in a file that is broken stop the call before it is sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'http-tool-'))
    try {
      writeFileSync(join(folder, 'jar.json'), 'broken')
      const cookieJar = async (): Promise<BoundedCookieJar> =>
        openCookieJarFile(join(folder, 'jar.json'))
      http = callerOf(createHttpTool({ guard, cookieJar }))
      const failure = await http.failure({ url: `${server.url}/echo` })
      expect(failure.toolErrorCode).toBe('COOKIE_FILE_INVALID')
      expect(server.received).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('can be switched off', async () => {
    http = callerOf(createHttpTool({ guard, cookieJar: false }))
    await get('/set-cookie')
    expect(echoed(await get('/echo')).headers).not.toHaveProperty('cookie')
  })

  test('come from the jar that the host gives for the session', async () => {
    const sessions: string[] = []
    const jar = { getCookieString: async () => 'mine=1', setCookie: async () => undefined }
    const cookieJar = (session: string): typeof jar => {
      sessions.push(session)
      return jar
    }
    http = callerOf(createHttpTool({ guard, cookieJar }))
    const output = await http.output<HttpOutput>({ url: `${server.url}/echo` }, principal('alice'))
    expect(echoed(output).headers['cookie']).toBe('mine=1')
    expect(sessions).toEqual(['agent:alice'])
  })
})

describe('the tool', () => {
  test('names 20 secrets in its description and says how many more there are', () => {
    const list = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`KEY${index}`, `p${index}`]))
    expect(createHttpTool({ guard, placeholders: list(20) }).description).toMatch(/KEY19: p19$/)
    expect(createHttpTool({ guard, placeholders: list(22) }).description).toMatch(
      /KEY19: p19 and 2 more$/,
    )
  })

  test.each([
    [{ method: 'GET', url: 'https://api.example.com/x?q=1' }, 'GET https://api.example.com/x?q=1'],
    [{ method: 'POST', url: 'https://a.test', body: 'ü' }, 'POST https://a.test/ with 2 bytes'],
    [{ method: 'PUT', url: 'https://a.test', json: { a: 1 } }, 'PUT https://a.test/ with 7 bytes'],
    [{ method: 'GET', url: 'https://аpple.com/' }, 'GET https://xn--pple-43d.com/'],
    [{ method: 'GET', url: 'https://good.test:x@evil.test/' }, 'GET https://evil.test/'],
    [{ method: 'GET', url: 'no\nurl' }, String.raw`GET "no\nurl"`],
  ])('describes %j', (input, line) => {
    expect(createHttpTool({ guard }).describeCall?.(input)).toBe(line)
  })

  test('has schemas that models can read, and says what it may do', () => {
    const tool = createHttpTool({ guard })
    const view = viewTool(tool)
    expect(view.problem).toBeUndefined()
    expect(view).toMatchObject({
      input: { schema: { type: 'object', required: ['url'] } },
      output: { schema: { type: 'object' } },
    })
    expect(tool).toMatchObject({
      risk: 'medium',
      timeoutMs: 30_000,
      annotations: { openWorldHint: true, readOnlyHint: false },
    })
  })

  test.each([0, -1, 1.5, Number.NaN])('cannot be made with a timeout of %d', (timeoutMs) => {
    expect(() => createHttpTool({ guard, timeoutMs })).toThrow('timeoutMs')
  })
})
