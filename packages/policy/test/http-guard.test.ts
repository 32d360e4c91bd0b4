import { Agent, createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import {
  brotliCompressSync,
  gzipSync,
  deflateRawSync,
  deflateSync,
  zstdCompressSync,
} from 'node:zlib'
import { ToolError } from '@toolcrib/registry'
import { CookieJar } from 'tough-cookie'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createHttpGuard, type GuardedRequest } from '../src/http.ts'
import { ToolPolicyViolation } from '../src/index.ts'
import { openSecretVault } from '../src/secrets.ts'
import { createCertificate } from './http-certificates.ts'
import { type HttpWorld, openHttpWorld, publicAddress } from './http-world.ts'

let world: HttpWorld
beforeAll(async () => {
  world = await openHttpWorld()
})
afterEach(() => {
  vi.unstubAllEnvs()
  world.reset()
})
afterAll(() => world.close())

const policy = { origins: ['api.good.test', '*.wild.test'] } as const

/** The rule that a request breaks, the code of its error, or its status. */
async function outcome(running: Promise<{ readonly status: number }>): Promise<unknown> {
  return await running.then(
    ({ status }) => status,
    (error: unknown) =>
      ToolPolicyViolation.isViolation(error)
        ? error.rule
        : ToolError.is(error)
          ? error.code
          : error,
  )
}

const ask = (request: Partial<GuardedRequest>, given: object = {}): Promise<unknown> =>
  outcome(
    world
      .guard({ policy, ...given })
      .request({ url: 'https://api.good.test/', retries: 0, ...request }),
  )

const redirectTo =
  (location: string, status = 302): HttpWorld['answer'] =>
  ({ path }, response) => {
    if (path === '/r') response.writeHead(status, { location })
    response.end('ok')
  }

describe('addresses', () => {
  test.each([
    '127.8.9.10',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.1.1',
    '100.127.255.255',
    '0.1.2.3',
    '192.0.0.8',
    '192.0.2.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    'ff02::1',
    '100::1',
    '4000::1',
    '::ffff:0:127.0.0.1',
    '::93.184.215.14',
  ])('a name that resolves to %s reaches nobody', async (address) => {
    world.dns['api.good.test'] = [address]
    expect(await ask({})).toBe('http.address')
    expect(world.connections()).toBe(0)
  })

  test.each([
    publicAddress,
    `::ffff:${publicAddress}`,
    '64:ff9b::5db8:d70e',
    '2606:2800:220:1::1',
    '172.32.0.1',
    '100.128.0.1',
    '198.20.0.1',
  ])('a name that resolves to the public address %s is reached', async (address) => {
    world.dns['api.good.test'] = [address]
    expect(await ask({})).toBe(200)
  })

  test('one forbidden address among public ones refuses all of them', async () => {
    world.dns['api.good.test'] = [publicAddress, '10.0.0.1']
    expect(await ask({})).toBe('http.address')
    expect(world.connections()).toBe(0)
  })

  test('a private address is reached when the policy names it, and its neighbours are not', async () => {
    const named = { policy: { ...policy, privateAddresses: ['10.1.2.3', 'fd12::/16'] } }
    for (const [address, expected] of [
      ['10.1.2.3', 200],
      ['::ffff:10.1.2.3', 200],
      ['10.1.2.4', 'http.address'],
      ['fd12:1::1', 200],
      ['fd13::1', 'http.address'],
      ['64:ff9b::a01:203', 'http.address'],
    ] as const) {
      world.dns['api.good.test'] = [address]
      expect(await ask({}, named)).toBe(expected)
    }
  })

  test('a range never names a metadata service, its very address does', async () => {
    world.dns['api.good.test'] = ['169.254.169.254']
    const withRange = { policy: { ...policy, privateAddresses: ['169.254.0.0/16'] } }
    const withAddress = { policy: { ...policy, privateAddresses: ['169.254.169.254'] } }
    expect(await ask({}, withRange)).toBe('http.address')
    expect(await ask({}, withAddress)).toBe(200)
  })

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '1２7.0.0.1',
  ])('the literal %s is judged as the address that it means', async (host) => {
    const everywhere = { policy: { origins: ['*', 'http://*:*'] } }
    expect(await ask({ url: `https://${host}/` }, everywhere)).toBe('http.address')
    expect(await ask({ url: `http://${host}:${world.port}/` }, everywhere)).toBe('http.address')
    expect(world.lookups).toEqual([])
    expect(world.connections()).toBe(0)
  })

  test('a zone in a literal is refused', async () => {
    expect(await ask({ url: 'https://[fe80::1%25lo]/' }, { policy: { origins: ['*'] } })).toBe(
      'http.url',
    )
  })

  test('a name is resolved once, and the socket uses that answer', async () => {
    let asked = 0
    world.dns['api.good.test'] = () => (asked++ === 0 ? [publicAddress] : ['127.0.0.1'])
    expect(await ask({})).toBe(200)
    expect(asked).toBe(1)
  })

  test('an answer that is no address is refused', async () => {
    world.dns['api.good.test'] = ['localhost']
    expect(await ask({})).toBe('http.address')
  })

  test.each(['http', 'https'])(
    'over %s, a socket that leads elsewhere than asked is ended before anything is written',
    async (scheme) => {
      let bytes = 0
      let isEnded = false
      const server = createTcpServer((socket) => {
        socket.on('data', (chunk) => (bytes += chunk.length)).on('error', () => {})
        socket.on('close', () => (isEnded = true))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const origin = `${scheme}://api.good.test:${port}`
      const guard = world.guard(
        { policy: { origins: [origin] } },
        {
          // What a hostile network stack would do: another end than the checked one.
          openSocket: (target) => {
            const socket = world.parts.openSocket(target)
            Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
            return socket
          },
        },
      )
      expect(await outcome(guard.request({ url: `${origin}/` }))).toBe('http.address')
      await vi.waitFor(() => expect(isEnded).toBe(true))
      expect(bytes).toBe(0)
      await new Promise((resolve) => server.close(resolve))
    },
  )

  test('without the seam of these tests, a loopback server is refused by name and by literal', async () => {
    const guard = createHttpGuard({ policy: { origins: ['http://*:*'] } })
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(await outcome(guard.request({ url: `http://${host}:${world.port}/` }))).toBe(
        'http.address',
      )
    expect(world.connections()).toBe(0)
    const allowed = createHttpGuard({
      policy: { origins: ['http://*:*'], privateAddresses: ['127.0.0.1', '::1'] },
    })
    expect(await outcome(allowed.request({ url: `http://localhost:${world.port}/` }))).toBe(200)
    guard.close()
    allowed.close()
  })
})

describe('URLs', () => {
  test.each([
    ['https://api.good.test:443/', 200],
    ['https://API.GOOD.TEST/', 200],
    ['https://api.good.test./', 200],
    ['HTTPS://api.good.test', 200],
    ['https://api.good.test/a b?c d', 200],
    [`https://api.good.test/${'a'.repeat(9_000)}`, 200],
    [`https://api.good.test/${'a'.repeat(17_000)}`, 'http.url'],
    ['https://api.good.test../', 'http.url'],
    ['https://.wild.test/', 'http.url'],
    ['https://a..wild.test/', 'http.url'],
    ['https://wild.test/', 'http.domain'],
    ['https://api.good.test.evil.test/', 'http.domain'],
    ['https://api.good.test:0/', 'http.url'],
    ['https://api.good.test:/', 'http.url'],
    ['https://api.good.test:0443/', 'http.url'],
    ['https://api.good.test:99999/', 'http.url'],
    ['https://api.good.test:80/', 'http.origin'],
    ['https:api.good.test/', 'http.url'],
    ['https:/api.good.test/', 'http.url'],
    ['https:///api.good.test/', 'http.url'],
    ['//api.good.test/', 'http.url'],
    ['/x', 'http.url'],
    ['', 'http.url'],
    [' https://api.good.test/', 'http.url'],
    ['https://api.good.test/\n', 'http.url'],
    ['https://api.good.test/\tx', 'http.url'],
    ['ht\ntps://api.good.test/', 'http.url'],
    ['https://api.good.test\\@evil.test/', 'http.url'],
    ['https://api.good.test/\\evil', 'http.url'],
    ['https://@api.good.test/', 'http.userinfo'],
    ['https://a:b@api.good.test/', 'http.userinfo'],
    ['https://api.good.test%2f@evil.test/', 'http.userinfo'],
    ['https://api.good%2etest/', 'http.url'],
    ['https://api.good.test%00.evil.test/', 'http.url'],
    ['https://api。good。test/', 200],
    ['https://api.good.test\u00ad/', 200],
    ['https://stra\u00dfe.wild.test/', 200],
    ['https://strasse.evil.test/', 'http.domain'],
    ['https://a\u200d.wild.test/', 'http.url'],
    ['https://api.go\u043ed.test/', 'http.domain'],
    ['https://[::1/', 'http.url'],
    ['https://]/', 'http.url'],
    ['file:///etc/passwd', 'http.origin'],
    ['data:text/plain,x', 'http.origin'],
    ['ws://api.good.test/', 'http.origin'],
    ['unix:/var/run/docker.sock', 'http.origin'],
    ['http://unix:/var/run/docker.sock:/containers', 'http.url'],
  ])('%j: %s', async (url, expected) => {
    expect(await ask({ url })).toBe(expected)
    if (expected !== 200) expect(world.connections()).toBe(0)
  })

  test('an address with an encoded digit is refused', async () => {
    const everywhere = { policy: { origins: ['*'] } }
    expect(await ask({ url: `https://${publicAddress}/` }, everywhere)).toBe(200)
    expect(await ask({ url: 'https://93.184.215.%31%34/' }, everywhere)).toBe('http.url')
  })

  test('only a text is a URL, and what is refused does not show a password', async () => {
    expect(await ask({ url: new URL('https://api.good.test/') as never })).toBe('http.url')
    const guard = world.guard({ policy })
    const asked = guard.request({ url: 'https://user:hunter2@api.good.test/?token=t0ken' })
    await expect(asked).rejects.toThrow('request "https://…@api.good.test/"')
  })
})

describe('the services of the host', () => {
  const open = {
    policy: {
      origins: ['http://*:*', '*:*'],
      privateAddresses: ['127.0.0.0/8', '::1', '10.0.0.0/8'],
    },
  }

  test.each([
    'localhost',
    '127.0.0.1',
    '127.7.7.7',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    'alias.good.test',
    'LOCALHOST.',
  ])('is refused as %s although the policy allows loopback', async (host) => {
    world.dns = { localhost: ['127.0.0.1'], 'alias.good.test': ['127.0.0.1'] }
    const denied = [{ host: 'localhost', port: world.port }]
    expect(await ask({ url: `http://${host}:${world.port}/` }, { ...open, denied })).toBe(
      'http.host',
    )
    expect(world.connections()).toBe(0)
  })

  test('is refused through every address of the machine, and other ports stay reachable', async () => {
    const guard = world.guard(
      { ...open, denied: [{ host: '127.0.0.1', port: 4_000 }] },
      { ownAddresses: () => ['10.9.8.7'] },
    )
    expect(await outcome(guard.request({ url: 'http://10.9.8.7:4000/' }))).toBe('http.host')
    expect(await outcome(guard.request({ url: 'http://10.9.8.6:4000/', retries: 0 }))).not.toBe(
      'http.host',
    )
    expect(await outcome(guard.request({ url: `http://127.0.0.1:${world.port}/` }))).toBe(200)
  })

  test('a service that is named by an address of this machine or by a name of it counts as this machine', async () => {
    world.dns = { 'host.good.test': ['10.9.8.7'] }
    for (const host of ['10.9.8.7', 'host.good.test']) {
      const guard = world.guard(
        { ...open, denied: [{ host, port: world.port }] },
        { ownAddresses: () => ['10.9.8.7'] },
      )
      expect(await outcome(guard.request({ url: `http://127.0.0.1:${world.port}/` }))).toBe(
        'http.host',
      )
    }
  })

  test('a service elsewhere is refused under any name that leads to its address', async () => {
    world.dns = { 'n8n.good.test': ['93.184.215.99'], 'alias.good.test': ['93.184.215.99'] }
    const denied = [{ host: 'n8n.good.test' }]
    const allowed = { policy: { origins: ['*'] }, denied }
    expect(await ask({ url: 'https://n8n.good.test/' }, allowed)).toBe('http.host')
    expect(await ask({ url: 'https://alias.good.test/' }, allowed)).toBe('http.host')
    expect(await ask({ url: 'https://93.184.215.99/' }, allowed)).toBe('http.host')
    expect(await ask({ url: 'https://api.good.test/' }, allowed)).toBe(200)
  })

  test('a denied name is refused whatever it resolves to now', async () => {
    let asked = 0
    world.dns['n8n.good.test'] = () => [`93.184.215.${(asked += 1)}`]
    const allowed = { policy: { origins: ['*'] }, denied: [{ host: 'N8N.good.test.' }] }
    expect(await ask({ url: 'https://n8n.good.test/' }, allowed)).toBe('http.host')
    expect(world.connections()).toBe(0)
  })

  test.each([
    ['/webhook/x', 200],
    ['/apiary', 200],
    ['/', 200],
    ['/api', 'http.host'],
    ['/API/v1', 'http.host'],
    ['//api/v1', 'http.host'],
    ['/%61pi/v1', 'http.host'],
    ['/%2561pi/v1', 'http.host'],
    ['/./api', 'http.host'],
    ['/webhook/../api', 'http.host'],
    ['/webhook/%2e%2e/api', 'http.host'],
    ['/webhook/..%2fapi/v1', 'http.host'],
    ['/webhook/..%5capi', 'http.host'],
    ['/webhook/..;/api', 'http.host'],
    ['/api;a=b/v1', 'http.host'],
    ['/;x/api', 'http.host'],
    ['/api%00/v1', 'http.host'],
    ['/api/..;/webhook', 'http.host'],
    ['/%2fapi', 'http.host'],
    ['/\uff41pi', 'http.host'],
    ['/api?x', 'http.host'],
    ['/api%3fx', 'http.host'],
    ['/api%23', 'http.host'],
    ['/%u0061pi', 'http.host'],
  ])('of a service with a denied path, %s gives %s', async (path, expected) => {
    const denied = [{ host: 'localhost', port: world.port, path: '/api' }]
    const url = `http://127.0.0.1:${world.port}${path}`
    expect(await ask({ url }, { ...open, denied })).toBe(expected)
  })

  test('a connection that was kept from an allowed path does not lead to a denied one', async () => {
    const denied = [{ host: 'localhost', port: world.port, path: '/api' }]
    world.dns['alias.good.test'] = ['127.0.0.1']
    const guard = world.guard({ ...open, denied })
    const url = `http://alias.good.test:${world.port}`
    expect(await outcome(guard.request({ url: `${url}/webhook` }))).toBe(200)
    expect(await outcome(guard.request({ url: `${url}/webhook` }))).toBe(200)
    expect(world.connections()).toBe(1)
    expect(await outcome(guard.request({ url: `${url}/api/v1` }))).toBe('http.host')
    expect(world.seen.map(({ path }) => path)).toEqual(['/webhook', '/webhook'])
  })

  test('a redirect does not lead there either', async () => {
    const denied = [{ host: 'localhost', port: world.port, path: '/api' }]
    world.answer = redirectTo('/%61pi')
    expect(await ask({ url: `http://127.0.0.1:${world.port}/r` }, { ...open, denied })).toBe(
      'http.host',
    )
    expect(world.seen).toHaveLength(1)
  })

  test.each([
    { host: 'a b' },
    { host: '' },
    { host: 'localhost', port: 0 },
    { host: 'localhost', path: 'api' },
  ])('a denied service that cannot be read is an error: %j', (service) => {
    expect(() => world.guard({ policy, denied: [service] })).toThrow(/denied\[0\]: /)
  })
})

describe('methods, headers and bodies', () => {
  test.each(['get', 'Post', 'PUT', 'patch', 'DELETE', 'head'])('%s is a method', async (method) => {
    expect(await ask({ method })).toBe(200)
    expect(world.seen[0]?.method).toBe(method.toUpperCase())
  })

  test.each([
    'TRACE',
    'CONNECT',
    'OPTIONS',
    'trace',
    'PROPFIND',
    'GET /evil HTTP/1.1\r\nX: y',
    '',
    ' GET',
    'G\u0130T',
  ])('%j is refused', async (method) => {
    expect(await ask({ method })).toBe('http.method')
    expect(world.connections()).toBe(0)
  })

  test('a policy may allow fewer methods, which a redirect cannot widen', async () => {
    const only = { policy: { ...policy, methods: ['POST'] } }
    expect(await ask({}, only)).toBe('http.method')
    expect(await ask({ method: 'POST', body: 'x' }, only)).toBe(200)
    world.answer = redirectTo('/ok', 303)
    expect(await ask({ method: 'POST', body: 'x', url: 'https://api.good.test/r' }, only)).toBe(
      'http.method',
    )
  })

  test.each([
    'Host',
    'HOST',
    'content-length',
    'Content_Length',
    'transfer-encoding',
    'Transfer_Encoding',
    'Connection',
    'Keep-Alive',
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
    'Proxy-Authorization',
    'proxy_connection',
    'Forwarded',
    'X-Forwarded-Host',
    'x_forwarded_for',
    'X-Real-IP',
    'Via',
    'Sec-Fetch-Site',
    'Cookie2',
    'X-HTTP-Method-Override',
    'x_http_method',
    'X-Original-URL',
    'X-Rewrite-Url',
    'Set-Cookie',
    '__proto__',
    'CF-Connecting-IP',
    'bad name',
    'na\u00efve',
    '',
    'x:y',
    'x\r\ny',
    ':authority',
    'HTTP2-Settings',
  ])('the header %j is refused', async (name) => {
    const headers = Object.fromEntries([[name, 'x']])
    expect(await ask({ headers })).toBe('http.header')
    expect(world.connections()).toBe(0)
  })

  test.each(['a\r\nb: c', 'a\nb', 'a\rb', 'a\0b', 'a\u001bb', '\u20ac', 'a\u007fb'])(
    'the header value %j is refused, and not repeated in the error',
    async (value) => {
      const asked = world.guard({ policy }).request({
        url: 'https://api.good.test/',
        headers: { 'x-a': `hidden${value}` },
      })
      await expect(asked).rejects.toMatchObject({ rule: 'http.header' })
      await expect(asked).rejects.not.toThrow(/hidden/)
    },
  )

  test('ordinary headers arrive as they are, in lower case and without spaces around them', async () => {
    const headers = {
      'X-A': '  b\t',
      Accept: 'text/plain',
      'user-agent': 'mine',
      'X-Caf\u0065': 'caf\u00e9',
    }
    expect(await ask({ headers })).toBe(200)
    expect(world.seen[0]?.headers).toMatchObject({
      'x-a': 'b',
      accept: 'text/plain',
      'user-agent': 'mine',
      'x-cafe': 'caf\u00e9',
    })
  })

  test('a name that appears twice by case is refused, and so are too many headers and too large ones', async () => {
    expect(await ask({ headers: { 'X-A': '1', 'x-a': '2' } })).toBe('http.header')
    const many = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '']))
    expect(await ask({ headers: many(100) })).toBe(200)
    expect(await ask({ headers: many(101) })).toBe('http.header')
    expect(await ask({ headers: { 'x-a': 'a'.repeat(32_768) } })).toBe('http.header')
    expect(await ask({ headers: { 'x-a': 5 as never } })).toBe('http.header')
  })

  test('a body of exactly the limit is sent, one byte more is not', async () => {
    const small = { policy: { ...policy, maxRequestBytes: 6 } }
    expect(await ask({ method: 'POST', body: 'äöü' }, small)).toBe(200)
    expect(world.seen[0]).toMatchObject({ body: 'äöü', headers: { 'content-length': '6' } })
    expect(await ask({ method: 'POST', body: new Uint8Array(7) }, small)).toBe('http.size')
    expect(world.seen).toHaveLength(1)
  })

  test.each([
    [{ method: 'GET', body: 'x' }, 'body: a GET request has none'],
    [{ method: 'POST', body: {} as never }, 'body: it must be a text'],
    [{ timeoutMs: 0 }, 'timeoutMs: 0'],
    [{ headers: null as never }, 'headers:'],
    [{ headers: 'x' as never }, 'headers:'],
    [{ headers: [['a', 'b']] as never }, 'headers:'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs: NaN'],
    [{ retries: -1 }, 'retries: -1'],
    [{ maxRedirects: 51 }, 'maxRedirects: 51'],
  ])('%j is an error that names the field', async (given, message) => {
    const asked = world.guard({ policy }).request({ url: 'https://api.good.test/', ...given })
    await expect(asked).rejects.toMatchObject({ code: 'HTTP_REQUEST_INVALID' })
    await expect(asked).rejects.toThrow(message)
  })
})

describe('redirects', () => {
  const url = 'https://api.good.test/r'

  test.each([301, 302, 303])('after %i a POST becomes a GET without its body', async (status) => {
    world.answer = redirectTo('/ok', status)
    const headers = { 'content-type': 'text/plain', 'x-a': 'b' }
    expect(await ask({ url, method: 'POST', body: 'private', headers })).toBe(200)
    expect(world.seen[1]).toMatchObject({
      method: 'GET',
      path: '/ok',
      body: '',
      headers: { 'x-a': 'b' },
    })
    expect(world.seen[1]?.headers).not.toHaveProperty('content-type')
    expect(world.seen[1]?.headers).not.toHaveProperty('content-length')
  })

  test.each(['PUT', 'PATCH', 'DELETE'])('after 302 a %s is not sent again', async (method) => {
    world.answer = redirectTo('https://x.wild.test/ok', 302)
    expect(await ask({ url, method, body: 'private' })).toBe(200)
    expect(world.seen[1]).toMatchObject({ method: 'GET', body: '' })
  })

  test.each([307, 308])(
    'after %i the body is sent again to the same origin only',
    async (status) => {
      world.answer = redirectTo('/ok', status)
      expect(await ask({ url, method: 'PUT', body: 'private' })).toBe(200)
      expect(world.seen[1]).toMatchObject({ method: 'PUT', path: '/ok', body: 'private' })
      world.seen.length = 0
      world.answer = redirectTo('https://x.wild.test/ok', status)
      expect(await ask({ url, method: 'PUT', body: 'private' })).toBe('http.redirect')
      expect(world.seen).toHaveLength(1)
    },
  )

  test('a HEAD stays a HEAD', async () => {
    world.answer = redirectTo('/ok', 303)
    expect(await ask({ url, method: 'HEAD' })).toBe(200)
    expect(world.seen[1]?.method).toBe('HEAD')
  })

  test.each([
    ['//evil.test/', 'http.domain'],
    ['https:evil.test', 'http.url'],
    ['///evil.test/', 'http.url'],
    ['/\\evil.test', 'http.url'],
    ['\\\\evil.test', 'http.url'],
    ['https://x.wild.test@evil.test/', 'http.userinfo'],
    ['https://evil.test#@x.wild.test/', 'http.domain'],
    ['http://api.good.test/', 'http.origin'],
    ['javascript:alert(1)', 'http.origin'],
    ['https://127.0.0.1/', 'http.domain'],
    ['/ok\tx', 'http.url'],
    ['', 200],
    ['?a=b', 200],
    ['../ok', 200],
    ['//x.wild.test/ok', 200],
    ['https://x.wild.test./ok', 200],
  ])('to %j gives %s', async (location, expected) => {
    world.answer = ({ path }, response) => {
      if (path === '/r') response.writeHead(302, { location })
      response.end('ok')
    }
    expect(await ask({ url, ...(location === '' ? { maxRedirects: 0 } : {}) })).toBe(
      location === '' ? 'http.redirect' : expected,
    )
    for (const { host } of world.seen) expect(host).toMatch(/^(?:api\.good|x\.wild)\.test$/)
  })

  test('letters outside ASCII in a Location are UTF-8', async () => {
    world.answer = redirectTo(Buffer.from('/é').toString('latin1'))
    expect(await ask({ url })).toBe(200)
    expect(world.seen[1]?.path).toBe('/%C3%A9')
  })

  test('as many as allowed are followed, one more is not; they are listed', async () => {
    world.answer = ({ path }, response) => {
      const left = Number(path.slice(1))
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` })
      response.end()
    }
    const guard = world.guard({ policy: { ...policy, maxRedirects: 3 } })
    const answer = await guard.request({ url: 'https://api.good.test/3' })
    expect(answer.redirects).toEqual([3, 2, 1].map((left) => `https://api.good.test/${left}`))
    expect(answer.url).toBe('https://api.good.test/0')
    expect(await outcome(guard.request({ url: 'https://api.good.test/4' }))).toBe('http.redirect')
    // A request may ask for fewer, never for more.
    expect(await outcome(guard.request({ url: 'https://api.good.test/4', maxRedirects: 9 }))).toBe(
      'http.redirect',
    )
    expect(await outcome(guard.request({ url: 'https://api.good.test/2', maxRedirects: 1 }))).toBe(
      'http.redirect',
    )
  })

  test('is an answer like others when not followed', async () => {
    world.answer = redirectTo('https://evil.test/')
    const answer = await world.guard({ policy }).request({ url, followRedirects: false })
    expect(answer).toMatchObject({
      status: 302,
      headers: { location: 'https://evil.test/' },
      redirects: [],
    })
  })

  test('a redirect with an endless body is followed without reading it', async () => {
    world.answer = ({ path }, response) => {
      if (path !== '/r') {
        response.end('ok')
        return
      }
      response.writeHead(302, { location: '/ok' })
      response.on('drain', () => response.write('x'.repeat(65_536)))
      response.write('x'.repeat(65_536))
    }
    expect(await ask({ url })).toBe(200)
  })

  test('every name is checked anew on each hop', async () => {
    let asked = 0
    world.dns['x.wild.test'] = () => (asked++ === 0 ? [publicAddress] : ['10.0.0.1'])
    world.answer = ({ host }, response) => {
      response.writeHead(302, {
        location: host === 'x.wild.test' ? 'https://api.good.test/' : 'https://x.wild.test/',
        connection: 'close',
      })
      response.end()
    }
    expect(await ask({ url })).toBe('http.address')
    expect(world.seen.map(({ host }) => host)).toEqual([
      'api.good.test',
      'x.wild.test',
      'api.good.test',
    ])
  })
})

describe('credentials and secrets', () => {
  const value = 's3cr3t-Value/+=42'
  const vault = openSecretVault(
    { KEY: { value, hosts: ['api.good.test', 'x.wild.test'], paths: ['/r', '/ok'] } },
    { environment: {} },
  )
  const secrets = vault.fillerFor(['KEY'])
  const authorization = `Bearer ${vault.placeholder('KEY')}`
  const url = 'https://api.good.test/r'

  test('a secret is filled in on each hop of the same origin', async () => {
    world.answer = redirectTo('/ok')
    expect(await ask({ url, headers: { authorization } }, { secrets })).toBe(200)
    expect(world.seen.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${value}`,
      `Bearer ${value}`,
    ])
  })

  test.each(['https://x.wild.test/ok', 'https://y.wild.test/ok'])(
    'no credentials go along to %s, whatever their header is called, bound or not',
    async (location) => {
      world.answer = redirectTo(location)
      const headers = {
        authorization,
        cookie: 'session=1',
        'x-api-key': 'k',
        'private-token': 't',
        'x-unheard-of': 'u',
        'user-agent': vault.placeholder('KEY'),
        accept: 'text/plain',
      }
      expect(await ask({ url, headers }, { secrets })).toBe(200)
      expect(Object.keys(world.seen[1]?.headers ?? {}).toSorted()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ])
      expect(JSON.stringify(world.seen[1])).not.toContain(value)
      expect(world.seen[1]?.headers['user-agent']).toBe('toolcrib')
    },
  )

  test('what was dropped stays dropped when the way leads back', async () => {
    world.answer = ({ host, path }, response) => {
      if (path === '/r') response.writeHead(302, { location: 'https://x.wild.test/back' })
      if (host === 'x.wild.test') response.writeHead(302, { location: 'https://api.good.test/ok' })
      response.end()
    }
    expect(await ask({ url, headers: { authorization } }, { secrets })).toBe(200)
    expect(world.seen[2]).toMatchObject({ host: 'api.good.test', path: '/ok' })
    expect(world.seen[2]?.headers).not.toHaveProperty('authorization')
  })

  test('a redirect to a path that the secret is not bound to is refused', async () => {
    world.answer = redirectTo('/other')
    expect(await ask({ url, headers: { authorization } }, { secrets })).toBe('secret.path')
    expect(world.seen).toHaveLength(1)
  })

  const placeholder = vault.placeholder('KEY')
  test.each([
    { url: `https://api.good.test/${placeholder}` },
    { url: `https://api.good.test/?k=${encodeURIComponent(placeholder).replace('_', '%5f')}` },
    { url: `https://${placeholder}.wild.test/` },
    { method: 'POST', body: `{"key":"${placeholder}"}` },
    { method: 'POST', body: placeholder.replace('t', String.raw`\u0074`) },
    { method: 'POST', body: placeholder.replaceAll('_', '%5F') },
    { method: 'POST', body: Buffer.from(placeholder) },
    { method: placeholder },
    { headers: { [`x-${placeholder}`]: 'x' } },
  ])('a placeholder outside a header value is refused: %j', async (request) => {
    expect(await ask(request, { secrets })).toBe('secret.place')
    expect(world.connections()).toBe(0)
  })

  test('an encoded placeholder is looked for in bodies of up to 1 MiB, a plain one in all', async () => {
    const large = { policy: { ...policy, maxRequestBytes: 2_000_000 }, secrets }
    const post = (begin: string, length: number): Promise<unknown> =>
      ask({ method: 'POST', body: begin.padEnd(length, 'x') }, large)
    const encoded = placeholder.replaceAll('_', '%5F')
    expect(await post(encoded, 1_048_576)).toBe('secret.place')
    expect(await post(encoded, 1_048_577)).toBe(200)
    expect(await post(placeholder, 1_048_577)).toBe('secret.place')
  })

  test('a placeholder that a server sends back in a cookie or a Location is not filled in', async () => {
    const cookies = new CookieJar()
    world.answer = (_request, response) =>
      response.setHeader('set-cookie', `stolen=${placeholder}`).end()
    expect(await ask({ url, cookies }, { secrets })).toBe(200)
    expect(await ask({ url, cookies }, { secrets })).toBe(200)
    expect(world.seen[1]?.headers.cookie).toBe(`stolen=${placeholder}`)
    world.answer = redirectTo(`/ok?k=${placeholder}`)
    expect(await ask({ url }, { secrets })).toBe('secret.place')
  })

  test('a server that sends a secret back shows it to nobody', async () => {
    const basic = Buffer.from(`user:${value}`).toString('base64')
    world.answer = ({ headers }, response) => {
      const sent = String(headers.authorization)
      response.writeHead(200, `Hello ${value}`, {
        'x-echo': sent,
        'set-cookie': `echo=${value}`,
        'content-encoding': 'gzip',
      })
      response.end(gzipSync(JSON.stringify({ sent, basic, url: encodeURIComponent(sent), ö: 'ö' })))
    }
    const answer = await world
      .guard({ policy, secrets })
      .request({ url, headers: { authorization } })
    expect(answer).toMatchObject({
      statusText: 'Hello [redacted]',
      headers: { 'x-echo': 'Bearer [redacted]' },
      setCookies: ['echo=[redacted]'],
    })
    expect(world.seen[0]?.headers.authorization).toBe(`Bearer ${value}`)
    expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual({
      sent: 'Bearer [redacted]',
      basic: expect.stringMatching(/^[\w=]*\[redacted\]=*$/),
      url: 'Bearer%20[redacted]',
      ö: 'ö',
    })
  })

  test('the length of a body without its secret is not announced', async () => {
    world.answer = (_request, response) => {
      response.setHeader('content-length', value.length).end(value)
    }
    const guard = world.guard({ policy, secrets })
    expect((await guard.request({ url })).headers).not.toHaveProperty('content-length')
    world.answer = (_request, response) => void response.setHeader('content-length', 2).end('ok')
    expect((await guard.request({ url })).headers).toHaveProperty('content-length', '2')
  })

  test('letters beyond ASCII in a secret are found in either encoding', async () => {
    const wide = openSecretVault(
      { KEY: { value: 'geheimnis-äöü', hosts: ['api.good.test'] } },
      { environment: {} },
    )
    const guard = world.guard({ policy, secrets: wide.fillerFor(['KEY']) })
    for (const encoding of ['utf8', 'latin1'] as const) {
      world.answer = (_request, response) =>
        void response.end(Buffer.from('> geheimnis-äöü <', encoding))
      const { body } = await guard.request({ url })
      expect(Buffer.from(body).toString('latin1')).toBe('> [redacted] <')
    }
  })

  test.each([`/ok?key=${encodeURIComponent(value)}`, `https://evil.test/${value}`])(
    'a redirect that carries the secret in its URL is not followed, nor shown: %s',
    async (location) => {
      world.answer = redirectTo(location)
      const guard = world.guard({ policy, secrets })
      const asked = guard.request({ url, headers: { authorization } })
      await expect(asked).rejects.toMatchObject({ rule: 'http.redirect' })
      const error: unknown = await asked.catch((reason: unknown) => reason)
      expect(vault.redactText(String(error))).toBe(String(error))
      expect(world.seen).toHaveLength(1)
      const shown = await guard.request({ url, headers: { authorization }, followRedirects: false })
      expect(shown.headers['location']).toContain('[redacted]')
    },
  )

  test('a value that could split a header is refused, and no error shows a value', async () => {
    const secretsOf = (filled: string): object => ({
      secrets: {
        hasPlaceholder: () => false,
        fillHeaders: () => ({ headers: { authorization: filled }, used: ['KEY'] }),
        redactText: (text: string) => text,
      },
    })
    const guard = world.guard({ policy, ...secretsOf(`${value}\r\nx-evil: 1`) })
    const asked = guard.request({ url, headers: { authorization } })
    await expect(asked).rejects.toMatchObject({ rule: 'http.header' })
    await expect(asked).rejects.not.toThrow(value)
    expect(world.connections()).toBe(0)
  })

  test('an error of a request with a secret does not show it, nor do its causes', async () => {
    world.answer = (_request, response) => void response.destroy()
    const guard = world.guard({ policy, secrets })
    const error: unknown = await guard
      .request({ url, retries: 0, headers: { authorization } })
      .catch((reason: unknown) => reason)
    expect(ToolError.is(error, 'HTTP_CONNECTION_FAILED')).toBe(true)
    const { inspect } = await import('node:util')
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(value)
  })

  test('cookies are kept by host and survive redirects', async () => {
    const cookies = new CookieJar()
    world.answer = ({ host, path }, response) => {
      if (path === '/r')
        response.writeHead(302, {
          location: 'https://x.wild.test/ok',
          'set-cookie': ['a=1; HttpOnly', 'evil=1; Domain=evil.test'],
        })
      else response.setHeader('set-cookie', `b=${host}`)
      response.end()
    }
    expect(await ask({ url, cookies })).toBe(200)
    expect(world.seen[1]?.headers).not.toHaveProperty('cookie')
    expect(await ask({ cookies, headers: { cookie: 'own=1' } })).toBe(200)
    expect(world.seen[2]?.headers.cookie).toBe('own=1; a=1')
    expect(await cookies.getCookieString('https://x.wild.test/')).toBe('b=x.wild.test')
    expect(await cookies.getCookieString('https://evil.test/')).toBe('')
  })
})

test('of one answer 100 cookies are kept', async () => {
  const asked: string[] = []
  const cookies = {
    getCookieString: async () => '',
    setCookie: async (cookie: string) => void asked.push(cookie),
  }
  world.answer = (_request, response) => {
    response
      .setHeader(
        'set-cookie',
        Array.from({ length: 101 }, (_, index) => `c${index}=1`),
      )
      .end()
  }
  expect(await ask({ cookies })).toBe(200)
  expect(asked).toHaveLength(100)
  expect(asked.at(-1)).toBe('c99=1')
})

describe('sizes and encodings', () => {
  const small = { policy: { ...policy, maxResponseBytes: 1_000 } }
  const compress: Record<string, (bytes: Buffer) => Buffer> = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  }
  const answerWith =
    (encoding: string, body: Buffer): HttpWorld['answer'] =>
    (_request, response) =>
      void response.setHeader('content-encoding', encoding).end(body)

  test('a body that is announced as too large is refused at once', async () => {
    world.answer = (_request, response) => {
      response.setHeader('content-length', 1_001)
      response.flushHeaders()
    }
    expect(await ask({}, small)).toBe('http.size')
    await vi.waitFor(() => expect(world.openSockets()).toBe(0))
    world.answer = (_request, response) => void response.setHeader('content-length', 1_001).end()
    expect(await ask({ method: 'HEAD' }, small)).toBe(200)
    world.answer = (_request, response) =>
      void response.writeHead(304, { 'content-length': 1_001 }).end()
    expect(await ask({}, small)).toBe(304)
  })

  test('a body of exactly the limit is read, one byte more is not', async () => {
    world.answer = (_request, response) => void response.end('x'.repeat(1_000))
    expect(await ask({}, small)).toBe(200)
    world.answer = (_request, response) => void response.end('x'.repeat(1_001))
    expect(await ask({}, small)).toBe('http.size')
  })

  test.each(Object.keys(compress))('%s is decoded, and measured decoded', async (encoding) => {
    const encode = compress[encoding] ?? gzipSync
    world.answer = answerWith(encoding, encode(Buffer.from('x'.repeat(1_000))))
    const answer = await world.guard(small).request({ url: 'https://api.good.test/' })
    expect(Buffer.from(answer.body).toString()).toBe('x'.repeat(1_000))
    expect(answer.headers).not.toHaveProperty('content-encoding')
    expect(answer.headers).not.toHaveProperty('content-length')
    world.answer = answerWith(encoding, encode(Buffer.from('x'.repeat(1_001))))
    expect(await ask({}, small)).toBe('http.size')
  })

  test('deflate without its header and several encodings are decoded', async () => {
    world.answer = answerWith('deflate', deflateRawSync('raw'))
    const guard = world.guard({ policy })
    const url = 'https://api.good.test/'
    expect(Buffer.from((await guard.request({ url })).body).toString()).toBe('raw')
    world.answer = answerWith('gzip, br', brotliCompressSync(gzipSync('twice')))
    expect(Buffer.from((await guard.request({ url })).body).toString()).toBe('twice')
  })

  test.each(Object.keys(compress))('a bomb of %s is stopped', async (encoding) => {
    world.answer = answerWith(encoding, (compress[encoding] ?? gzipSync)(Buffer.alloc(12_000_000)))
    expect(await ask({})).toBe('http.size')
  })

  test('a bomb in a bomb is stopped', async () => {
    world.answer = answerWith('gzip, gzip', gzipSync(gzipSync(Buffer.alloc(12_000_000))))
    expect(await ask({})).toBe('http.size')
  })

  test('compressed bytes that hold nothing are counted too', async () => {
    world.answer = (_request, response) => {
      response.setHeader('content-encoding', 'gzip')
      // A gzip header whose file name never ends.
      response.write(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]))
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', pour)
      pour()
    }
    expect(await ask({}, small)).toBe('http.size')
    await vi.waitFor(() => expect(world.openSockets()).toBe(0))
  })

  test('too large a head of an answer is refused', async () => {
    world.answer = (_request, response) => void response.setHeader('x-a', 'a'.repeat(40_000)).end()
    expect(await ask({})).toBe('http.size')
  })

  test.each([
    ['gzip', gzipSync('hello').subarray(0, 12)],
    ['gzip', Buffer.from('hello')],
    ['br', Buffer.from([0xff, 0xff, 0xff])],
    ['compress', Buffer.from('x')],
    ['gzip, gzip, gzip, gzip', Buffer.from('x')],
  ])('a body that is no %s is an error', async (encoding, body) => {
    world.answer = answerWith(encoding, body)
    expect(await ask({})).toBe('HTTP_RESPONSE_INVALID')
  })

  test.each(['HEAD', 'GET'])('an empty body of a %s is in every encoding', async (method) => {
    world.answer = answerWith('gzip', Buffer.alloc(0))
    expect(await ask({ method })).toBe(200)
  })

  test('a body that is shorter than announced is an error', async () => {
    world.answer = (_request, response) => {
      response.setHeader('content-length', '100')
      response.write('short', () => response.destroy())
    }
    expect(await ask({})).toBe('HTTP_CONNECTION_FAILED')
  })
})

describe('time', () => {
  test('a body that drips is given up at the deadline, and its socket ended', async () => {
    world.answer = (_request, response) => {
      const drip = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(drip))
    }
    expect(await ask({ timeoutMs: 150 })).toBe('HTTP_TIMEOUT')
    await vi.waitFor(() => expect(world.openSockets()).toBe(0))
  })

  test('a server, a lookup and a cookie store that never answer are given up', async () => {
    world.answer = () => {}
    const message = 'was not answered within 50 ms'
    const guard = world.guard({ policy })
    const url = 'https://api.good.test/'
    await expect(guard.request({ url, timeoutMs: 50 })).rejects.toThrow(message)
    const never = new Promise<never>(() => {})
    const silent = world.guard({ policy, lookup: () => never })
    await expect(silent.request({ url, timeoutMs: 50 })).rejects.toThrow(message)
    const cookies = { getCookieString: () => never, setCookie: () => never }
    await expect(guard.request({ url, cookies, timeoutMs: 50 })).rejects.toThrow(message)
  })

  test('an abort ends the request with its reason, before it and during it', async () => {
    const reason = new Error('enough')
    world.answer = () => {}
    const guard = world.guard({ policy })
    const url = 'https://api.good.test/'
    await expect(guard.request({ url, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(world.connections()).toBe(0)
    const controller = new AbortController()
    const asked = guard.request({ url, signal: controller.signal })
    await vi.waitFor(() => expect(world.seen).toHaveLength(1))
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
    await vi.waitFor(() => expect(world.openSockets()).toBe(0))
  })

  test('no more requests are under way at once than allowed; others wait, and may give up', async () => {
    const held: (() => void)[] = []
    world.answer = (_request, response) => void held.push(() => response.end('ok'))
    const guard = world.guard({ policy, maxConcurrentRequests: 2 })
    const url = 'https://api.good.test/'
    const reason = new Error('enough')
    const controller = new AbortController()
    const first = [guard.request({ url }), guard.request({ url })]
    const tired = outcome(guard.request({ url, signal: controller.signal }))
    const last = guard.request({ url })
    await vi.waitFor(() => expect(held).toHaveLength(2))
    controller.abort(reason)
    expect(await tired).toBe(reason)
    expect(held).toHaveLength(2)
    held[0]?.()
    await vi.waitFor(() => expect(held).toHaveLength(3))
    for (const answer of held) answer()
    for (const asked of [...first, last]) expect(await asked).toMatchObject({ status: 200 })
    expect(world.connections()).toBeLessThanOrEqual(3)
  })

  test('requests that failed make room for others', async () => {
    const guard = world.guard({ policy, maxConcurrentRequests: 1 })
    world.answer = (_request, response) => void response.destroy()
    for (const _ of [1, 2])
      expect(await outcome(guard.request({ url: 'https://api.good.test/', retries: 0 }))).toBe(
        'HTTP_CONNECTION_FAILED',
      )
  })

  test.each([0, 1.5, Number.NaN, 10_001])('%d requests at once cannot be allowed', (count) => {
    expect(() => createHttpGuard({ policy, maxConcurrentRequests: count })).toThrow(
      `maxConcurrentRequests: ${count}`,
    )
  })

  test('closing a guard ends its connections and fails what is under way', async () => {
    const guard = world.guard({ policy })
    const url = 'https://api.good.test/'
    await guard.request({ url })
    world.answer = () => {}
    const asked = outcome(guard.request({ url, retries: 0 }))
    await vi.waitFor(() => expect(world.seen).toHaveLength(2))
    guard.close()
    expect(await asked).toBe('HTTP_CONNECTION_FAILED')
    await vi.waitFor(() => expect(world.openSockets()).toBe(0))
  })

  test('the timings tell what was done, and nothing of what a kept connection had done', async () => {
    const guard = world.guard({ policy })
    const first = await guard.request({ url: 'https://api.good.test/' })
    expect(Object.values(first.timings).every((value) => typeof value === 'number')).toBe(true)
    const second = await guard.request({ url: 'https://api.good.test/' })
    expect(second.timings).toMatchObject({ dns: null, connect: null, tls: null })
    expect(world.connections()).toBe(1)
  })
})

describe('retries', () => {
  const failFirst = (count: number, status: number, headers: object = {}): void => {
    let left = count
    world.answer = (_request, response) => {
      if (left-- > 0) response.writeHead(status, { ...headers })
      response.end('ok')
    }
  }
  /** Waits are noted, not waited for. */
  const impatient = (
    given: object = {},
  ): { waits: number[]; send: (request?: Partial<GuardedRequest>) => Promise<unknown> } => {
    const waits: number[] = []
    const guard = world.guard(
      { policy, ...given },
      {
        date: () => Date.parse('2030-01-01T00:00:00Z'),
        wait: async (milliseconds) => void waits.push(milliseconds),
      },
    )
    return {
      waits,
      send: (request = {}) => outcome(guard.request({ url: 'https://api.good.test/', ...request })),
    }
  }

  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('%s is sent again', async (method) => {
    failFirst(2, 503)
    const { send, waits } = impatient()
    expect(await send({ method })).toBe(200)
    expect(waits).toEqual([250, 500])
    expect(world.seen).toHaveLength(3)
  })

  test.each(['POST', 'PATCH'])('%s is never sent again', async (method) => {
    failFirst(1, 503)
    expect(await impatient().send({ method, body: 'x' })).toBe(503)
    world.answer = (_request, response) => void response.destroy()
    expect(await impatient().send({ method, body: 'x' })).toBe('HTTP_CONNECTION_FAILED')
    expect(world.seen).toHaveLength(2)
  })

  test.each([
    ['3', 3_000],
    ['Tue, 01 Jan 2030 00:00:07 GMT', 7_000],
    ['nonsense', 250],
  ])('Retry-After %j is kept', async (retryAfter, wait) => {
    failFirst(1, 429, { 'retry-after': retryAfter })
    const { send, waits } = impatient()
    expect(await send()).toBe(200)
    expect(waits).toEqual([wait])
  })

  test('a wait that would outlast the time is not begun; the answer is given as it is', async () => {
    failFirst(1, 429, { 'retry-after': '30' })
    const { send, waits } = impatient()
    expect(await send({ timeoutMs: 20_000 })).toBe(429)
    expect(waits).toEqual([])
  })

  test('the last answer is given when the retries are used up, and other failures are given at once', async () => {
    failFirst(9, 500)
    expect(await impatient().send({ retries: 1 })).toBe(500)
    expect(world.seen).toHaveLength(2)
    world.seen.length = 0
    failFirst(9, 413)
    expect(await impatient().send()).toBe(413)
    failFirst(9, 404)
    expect(await impatient().send()).toBe(404)
    expect(world.seen).toHaveLength(2)
  })

  test('a broken connection is tried again, with every check anew', async () => {
    let asked = 0
    world.dns['api.good.test'] = () => (asked++ === 0 ? [publicAddress] : ['127.0.0.1'])
    world.answer = (_request, response) => void response.destroy()
    expect(await impatient().send()).toBe('http.address')
    expect(asked).toBe(2)
    expect(world.seen).toHaveLength(1)
  })
})

describe('failures', () => {
  test('an unknown host, a closed port and a broken answer are told apart', async () => {
    const lookup = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const unknown = world.guard({ policy, lookup }).request({ url: 'https://api.good.test/x' })
    await expect(unknown).rejects.toMatchObject({ code: 'HTTP_UNKNOWN_HOST' })
    await expect(unknown).rejects.toThrow(
      'url: GET "https://api.good.test/x": the host cannot be resolved; check its spelling',
    )
    expect(await ask({}, { lookup: async () => [] })).toBe('HTTP_UNKNOWN_HOST')

    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const local = {
      policy: { origins: ['http://127.0.0.1:*', '127.0.0.1:*'], privateAddresses: ['127.0.0.1'] },
    }
    expect(await ask({ url: `http://127.0.0.1:${port}/` }, local)).toBe('HTTP_CONNECTION_REFUSED')

    const odd = createTcpServer(
      (socket) =>
        void socket
          .on('error', () => {})
          .resume()
          .end('SSH-2.0-odd\r\n'),
    )
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
    const { port: oddPort } = odd.address() as AddressInfo
    expect(await ask({ url: `http://127.0.0.1:${oddPort}/` }, local)).toBe('HTTP_RESPONSE_INVALID')
    expect(await ask({ url: `https://127.0.0.1:${oddPort}/` }, local)).toBe('HTTP_TLS_FAILED')
    expect(await ask({ url: `https://127.0.0.1:${world.port}/` }, local)).toBe('HTTP_TLS_FAILED')
    await new Promise((resolve) => odd.close(resolve))
  })

  test.each([
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      1,
    ],
    ['preliminary answers without end', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 1_000],
  ])('a server that gives %s is given up, and its socket ended', async (_what, answer, times) => {
    let open = 0
    const odd = createTcpServer((socket) => {
      open += 1
      socket.on('error', () => {}).on('close', () => (open -= 1))
      socket.once('data', () => void socket.write(answer.repeat(times)))
    })
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`
    const local = { policy: { origins: [origin], privateAddresses: ['127.0.0.1'] } }
    expect(await ask({ url: `${origin}/`, timeoutMs: 3_000 }, local)).toBe('HTTP_RESPONSE_INVALID')
    await vi.waitFor(() => expect(open).toBe(0))
    await new Promise((resolve) => odd.close(resolve))
  })

  test('a bad certificate is named with what helps, and no setting of the process makes it good', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { createServer: createSecureServer } = await import('node:https')
    const authority = await import('./http-certificates.ts').then((made) => made.createAuthority())
    for (const [names, hasExpired, signed, message] of [
      [['api.good.test'], true, true, 'has expired'],
      [['other.test'], false, true, 'is for another name'],
      [['api.good.test'], false, false, 'is self-signed'],
    ] as const) {
      const certificate = await createCertificate(names, {
        hasExpired,
        ...(signed ? { authority } : {}),
      })
      const server = createSecureServer(
        certificate,
        (_request, response) => void response.end('ok'),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const guard = world.guard({
        policy: { origins: ['api.good.test:*'] },
        certificateAuthorities: [authority.cert],
      })
      const asked = guard.request({ url: `https://api.good.test:${port}/`, retries: 0 })
      await expect(asked).rejects.toMatchObject({ code: 'HTTP_TLS_FAILED' })
      await expect(asked).rejects.toThrow(message)
      await expect(asked).rejects.toThrow('certificateAuthorities')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })

  test('an authority that nobody gave is not trusted, and one that cannot be read is an error', async () => {
    expect(await ask({}, { certificateAuthorities: [] })).toBe('HTTP_TLS_FAILED')
    expect(() => world.guard({ policy, certificateAuthorities: ['x'] })).toThrow(
      /certificateAuthorities\[0\]/,
    )
  })

  test('a policy that cannot be read is an error', () => {
    for (const broken of [
      { origins: ['http://'] },
      { origins: [] },
      { origins: ['a.test'], privateAddresses: ['10'] },
    ])
      expect(() => createHttpGuard({ policy: broken })).toThrow(/http/)
    expect(() => createHttpGuard({ policy, userAgent: 'a\r\nb' })).toThrow('userAgent')
  })

  test('a foreign global agent or proxy setting has no say', async () => {
    const used: string[] = []
    const http = await import('node:http')
    const former = http.default.globalAgent
    http.default.globalAgent = Object.assign(new Agent(), {
      createConnection: () => {
        used.push('global')
        throw new Error('the global agent was used')
      },
    })
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
      vi.stubEnv(name, 'http://127.0.0.1:9')
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    try {
      expect(
        await ask(
          { url: 'http://api.good.test/' },
          { policy: { origins: ['http://api.good.test'] } },
        ),
      ).toBe(200)
    } finally {
      http.default.globalAgent = former
    }
    expect(used).toEqual([])
  })
})
