import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { guardedFetch } from '../src/http/guarded-fetch.ts'
import { createGuardedFetch } from '../src/http.ts'
import { ToolPolicyViolation } from '../src/index.ts'
import { type HttpWorld, openHttpWorld } from './http-world.ts'

let world: HttpWorld
beforeAll(async () => {
  world = await openHttpWorld()
})
afterEach(() => world.reset())
afterAll(() => world.close())

const policy = { origins: ['api.good.test', '*.wild.test'], maxRequestBytes: 1_000 } as const
const openFetch = (): typeof fetch =>
  guardedFetch(world.guard({ policy }), { maxRequestBytes: 1_000 })
const url = 'https://api.good.test/x?y=1'

const ruleOf = async (running: Promise<unknown>): Promise<unknown> =>
  await running.then(
    () => 'allowed',
    (error: unknown) => (ToolPolicyViolation.isViolation(error) ? error.rule : error),
  )

test('a text, a URL and a Request are fetched, and a standard Response comes back', async () => {
  world.answer = ({ path }, response) => {
    response.writeHead(201, 'Made', {
      'content-type': 'application/json',
      'set-cookie': ['a=1', 'b=2'],
    })
    response.end(JSON.stringify({ path }))
  }
  const guarded = openFetch()
  for (const input of [url, new URL(url), new Request(url)]) {
    const response = await guarded(input)
    expect(response).toBeInstanceOf(Response)
    expect(response).toMatchObject({
      status: 201,
      statusText: 'Made',
      ok: true,
      url,
      redirected: false,
    })
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.json()).toEqual({ path: '/x?y=1' })
  }
})

const form = new FormData()
form.set('a', 'b')
test.each([
  ['text', 'text', 'text/plain;charset=UTF-8'],
  [new URLSearchParams({ a: 'b c' }), 'a=b+c', 'application/x-www-form-urlencoded;charset=UTF-8'],
  [new Uint8Array([65, 66]), 'AB', undefined],
  [new Uint8Array([65, 66]).buffer, 'AB', undefined],
  [new Blob(['blob'], { type: 'image/png' }), 'blob', 'image/png'],
  [
    form,
    expect.stringContaining('name="a"'),
    expect.stringContaining('multipart/form-data; boundary='),
  ],
  [new Response('streamed').body, 'streamed', undefined],
])('a body %o is sent with its type', async (body, sent, type) => {
  await openFetch()(url, { method: 'post', body: body as NonNullable<RequestInit['body']> })
  expect(world.seen[0]?.method).toBe('POST')
  expect(world.seen[0]?.body).toEqual(sent)
  expect(world.seen[0]?.headers['content-type']).toEqual(type)
})

test('method, headers and body of a Request count, and init goes before them', async () => {
  const request = new Request(url, {
    method: 'PUT',
    headers: { 'x-a': '1', 'content-type': 'x/y' },
    body: 'one',
  })
  await openFetch()(request)
  await openFetch()(new Request(url, { method: 'PUT', body: 'one' }), {
    method: 'POST',
    headers: new Headers({ 'x-a': '2' }),
    body: 'two',
  })
  expect(world.seen[0]).toMatchObject({
    method: 'PUT',
    body: 'one',
    headers: { 'x-a': '1', 'content-type': 'x/y' },
  })
  expect(world.seen[1]).toMatchObject({ method: 'POST', body: 'two', headers: { 'x-a': '2' } })
})

test('violations reject it and nothing is sent', async () => {
  const guarded = openFetch()
  expect(await ruleOf(guarded('https://evil.test/'))).toBe('http.domain')
  expect(await ruleOf(guarded('/relative'))).toBe('http.url')
  expect(await ruleOf(guarded(new URL('https://a:b@api.good.test/')))).toBe('http.userinfo')
  expect(await ruleOf(guarded(url, { method: 'TRACE' }))).toBe('http.method')
  expect(await ruleOf(guarded(url, { headers: { 'x-a': 'a\r\nb: c' } }))).toBe('http.header')
  expect(await ruleOf(guarded(url, { headers: { host: 'evil.test' } }))).toBe('http.header')
  expect(await ruleOf(guarded(url, { method: 'POST', body: 'x'.repeat(1_001) }))).toBe('http.size')
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(100)),
  })
  expect(await ruleOf(guarded(url, { method: 'POST', body: endless }))).toBe('http.size')
  expect(world.connections()).toBe(0)
})

test('redirects are followed, shown or refused as asked', async () => {
  world.answer = ({ path }, response) => {
    if (path === '/r') response.writeHead(302, { location: '/ok' })
    response.end('ok')
  }
  const guarded = openFetch()
  const from = 'https://api.good.test/r'
  expect(await guarded(from)).toMatchObject({
    status: 200,
    redirected: true,
    url: 'https://api.good.test/ok',
  })
  const shown = await guarded(from, { redirect: 'manual' })
  expect(shown.status).toBe(302)
  expect(shown.headers.get('location')).toBe('/ok')
  expect(await ruleOf(guarded(new Request(from, { redirect: 'error' })))).toBe('http.redirect')
  expect(await ruleOf(guarded(url, { redirect: 'error' }))).toBe('allowed')
})

test.each([204, 205, 304])('an answer of %i has no body', async (status) => {
  world.answer = (_request, response) => void response.writeHead(status).end()
  const response = await openFetch()(url)
  expect(response).toMatchObject({ status, body: null })
})

test('a status outside of what a Response may have is an error', async () => {
  world.answer = (_request, response) => void response.writeHead(999).end()
  await expect(openFetch()(url)).rejects.toMatchObject({ code: 'HTTP_RESPONSE_INVALID' })
})

test('a signal of init and one of a Request stop it', async () => {
  const reason = new Error('enough')
  const guarded = openFetch()
  await expect(guarded(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const request = new Request(url, { signal: AbortSignal.abort(reason) })
  await expect(guarded(request)).rejects.toBe(reason)
  expect(world.connections()).toBe(0)
})

test('a body that never comes is given up when asked to, and told so', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  let cancelled: unknown
  const body = new ReadableStream({
    pull: () => queueMicrotask(() => controller.abort(reason)),
    cancel: (why) => void (cancelled = why),
  })
  const asked = openFetch()(url, { method: 'POST', body, signal: controller.signal })
  await expect(asked).rejects.toBe(reason)
  expect(cancelled).toBe(reason)
  expect(world.connections()).toBe(0)
})

test('a body that never comes is given up at the deadline', async () => {
  const guarded = guardedFetch(world.guard({ policy }), { maxRequestBytes: 1_000, timeoutMs: 50 })
  await expect(guarded(url, { method: 'POST', body: new ReadableStream() })).rejects.toMatchObject({
    code: 'HTTP_TIMEOUT',
  })
})

test('a digest that would not be checked is refused', async () => {
  for (const asked of [
    openFetch()(url, { integrity: 'sha256-AAAA' }),
    openFetch()(new Request(url, { integrity: 'sha256-AAAA' })),
  ])
    await expect(asked).rejects.toMatchObject({ code: 'HTTP_REQUEST_INVALID' })
  expect(world.connections()).toBe(0)
})

test('the exported one is guarded as well', async () => {
  const guarded = createGuardedFetch({ policy: { origins: ['http://*:*'] } })
  expect(await ruleOf(guarded(`http://127.0.0.1:${world.port}/`))).toBe('http.address')
  expect(world.connections()).toBe(0)
})
