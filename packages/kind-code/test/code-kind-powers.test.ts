import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type ToolPolicy, ToolPolicyViolation } from '@toolcrib/policy'
import { type JsonObject, type JsonValue, ToolError, type ToolResult } from '@toolcrib/registry'
import type { CodePowers } from '../src/index.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CodeWorld, canary, openCodeWorld, secretValue } from './code-kind-world.ts'

let world: CodeWorld
let powers: CodePowers
beforeAll(async () => {
  world = await openCodeWorld()
  powers = world.powers()
})
beforeEach(() => {
  world.seen.length = 0
  world.seenHeaders.length = 0
  world.answer = (_request, response) => response.end('hello')
})
afterAll(() => world.close())

interface AskOptions {
  readonly powers?: CodePowers
  readonly callerPolicy?: ToolPolicy
  readonly invoke?: (name: string, input: unknown, options?: unknown) => Promise<ToolResult>
  readonly signal?: AbortSignal
}

/** Asks for one operation as a guest would. */
async function ask(
  own: ToolPolicy,
  [operation, argument]: readonly [string, JsonValue],
  options: AskOptions = {},
): Promise<JsonValue> {
  const granted = (options.powers ?? powers).grant({
    own,
    callerPolicy: options.callerPolicy as unknown as JsonObject,
    invoke: options.invoke ?? (() => Promise.reject(new Error('nobody is called here'))),
    remainingMs: () => 5_000,
  })
  try {
    const signal = options.signal ?? new AbortController().signal
    return await (granted.operations[operation]?.(argument, { signal }) ?? 'no such operation')
  } finally {
    granted.release()
  }
}

/** The rule of a violation, the code of another error, or what was given. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    if (ToolPolicyViolation.isViolation(error)) return error.rule
    return ToolError.is(error) ? error.code : `not expected: ${String(error)}`
  }
}

const files: ToolPolicy = { fs_read: { paths: ['data'] }, fs_write: { paths: ['data'] } }
const http = (): ToolPolicy => ({ http: { origins: [world.origin('api.test')] } })

test('every operation of a tool without powers is a violation that says how to ask', async () => {
  const granted = powers.grant({
    own: {},
    invoke: () => Promise.reject(new Error('no')),
    remainingMs: () => 1_000,
  })
  const names = Object.keys(granted.operations)
  expect(names).toHaveLength(13)
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const error = await ask({}, [name, {}]).catch((thrown: unknown) => thrown)
    expect(ToolPolicyViolation.isViolation(error)).toBe(true)
    expect((error as Error).message).toMatch(
      /capability "(fs_read|fs_write|http|secrets|tools)" and what it needs in (allowedPaths|allowedDomains|secrets|callees)/,
    )
  }
  granted.release()
})

test('a refusal says whose limit it is, and what to do about it', async () => {
  const narrow = world.powers({
    maximumPolicy: {
      fs_read: { paths: ['data'] },
      http: { origins: [world.origin('api.test')], privateAddresses: ['127.0.0.1'] },
    },
  })
  const own: ToolPolicy = {
    fs_read: { paths: ['data/mine', 'notes'] },
    http: { origins: [world.origin('api.test'), world.origin('other.test')] },
  }
  const get = (name: string): readonly [string, JsonValue] => [
    'http.request',
    { url: world.origin(name) },
  ]
  const read = (path: string): readonly [string, JsonValue] => ['fs.readText', { path }]
  const adviceFor = async (
    asked: readonly [string, JsonValue],
    options: AskOptions = {},
  ): Promise<string> => {
    const error = await ask(own, asked, { powers: narrow, ...options }).catch(
      (thrown: unknown) => thrown,
    )
    return ToolPolicyViolation.isViolation(error) ? error.data.howToAsk : String(error)
  }
  const ofTool = /^This tool did not ask for it: propose a new version that names it in/
  const ofOperator = /^This tool names it in .*: ask the operator to add it to/
  expect(await adviceFor(read('data/a.txt'))).toMatch(
    /new version that names it in allowedPaths\.$/,
  )
  expect(await adviceFor(read('/etc/hostname'))).toMatch(
    /names it in allowedPaths\. The operator's .* fs_read\.paths first\.$/,
  )
  expect(await adviceFor(read('notes/a.txt'))).toMatch(ofOperator)
  expect(await adviceFor(read('notes/a.txt'))).toMatch(/fs_read\.paths\.$/)
  expect(await adviceFor(get('other.test'))).toMatch(ofOperator)
  expect(await adviceFor(get('elsewhere.test'))).toMatch(ofTool)
  expect(await adviceFor(get('elsewhere.test'))).toMatch(/allowedDomains\. .*http\.origins first/)
  const callerPolicy: ToolPolicy = { http: { origins: [world.origin('api.test')] } }
  expect(await adviceFor(get('other.test'), { callerPolicy, powers })).toMatch(
    /one that led to this call may not: propose a new version of that one/,
  )
  const stranger: ToolPolicy = { http: { origins: [world.origin('b.test')] } }
  expect(await adviceFor(get('other.test'), { callerPolicy: stranger, powers })).toMatch(
    /one that led to this call has nothing of it/,
  )
  const elsewhere = world.powers({ maximumPolicy: { http: { origins: ['api.example.com'] } } })
  expect(await adviceFor(get('other.test'), { powers: elsewhere })).toMatch(
    /operator's policy for code tools allows nothing of what it names in allowedDomains/,
  )
  // Where a redirect leads is what counts.
  world.answer = (_request, response) =>
    response.writeHead(302, { location: world.origin('third.test') }).end()
  expect(await adviceFor(get('api.test'))).toMatch(ofTool)
  expect(await adviceFor(read('host/key.txt'), { powers })).not.toMatch(/operator to add/)
})

test('files are read, written, listed and deleted below the declared folder', async () => {
  expect(await ask(files, ['fs.readText', { path: 'data/a.txt' }])).toEqual({
    text: 'content of a',
    bytes: 12,
  })
  expect(await ask(files, ['fs.writeText', { path: 'data/new/b.txt', text: 'ü' }])).toBe(null)
  expect(await ask(files, ['fs.appendText', { path: 'data/new/b.txt', text: '!' }])).toBe(null)
  expect(await ask(files, ['fs.readBytes', { path: 'data/new/b.txt' }])).toEqual({
    base64: Buffer.from('ü!').toString('base64'),
    bytes: 3,
  })
  expect(await ask(files, ['fs.list', { path: 'data' }])).toEqual(['a.txt', 'new'])
  expect(await ask(files, ['fs.stat', { path: 'data/new' }])).toMatchObject({ type: 'folder' })
  expect(await ask(files, ['fs.stat', { path: 'data/none' }])).toBe(null)
  expect(await ask(files, ['fs.exists', { path: 'data/none' }])).toBe(false)
  expect(await ask(files, ['fs.writeBytes', { path: 'data/new/c', base64: '//8=' }])).toBe(null)
  expect(await outcomeOf(ask(files, ['fs.readText', { path: 'data/new/c' }]))).toBe('TOOL_FAILED')
  expect(await ask(files, ['fs.createFolder', { path: 'data/empty' }])).toBe(null)
  for (const path of ['data/new/b.txt', 'data/new/c', 'data/new', 'data/empty'])
    // oxlint-disable-next-line no-await-in-loop -- the folder must be empty first
    expect(await ask(files, ['fs.delete', { path }])).toBe(null)
  expect(await ask(files, ['fs.list', { path: 'data' }])).toEqual(['a.txt'])
})

test.for([
  ['fs.readText', { path: 'host/key.txt' }, 'fs.path'],
  ['fs.readText', { path: '../outside.txt' }, 'fs.path'],
  ['fs.readText', { path: 'data/../host/key.txt' }, 'fs.path'],
  ['fs.readText', { path: '/etc/hostname' }, 'fs.path'],
  ['fs.readText', { path: ['data/a.txt'] }, 'TOOL_FAILED'],
  ['fs.readText', { path: { toString: 'data' } }, 'TOOL_FAILED'],
  ['fs.readText', 'data/a.txt', 'TOOL_FAILED'],
  ['fs.readText', null, 'TOOL_FAILED'],
  ['fs.writeText', { path: 'b.txt', text: 'x' }, 'fs.path'],
  ['fs.writeText', { path: 'data/.env', text: 'x' }, 'fs.protected'],
  ['fs.writeText', { path: 'data/b.txt' }, 'TOOL_FAILED'],
  ['fs.writeText', { path: 'data/b.txt', text: '\ud800' }, 'TOOL_FAILED'],
  ['fs.writeBytes', { path: 'data/b.txt', base64: 'no base64!' }, 'TOOL_FAILED'],
  ['fs.writeText', { path: 'data/b.txt', text: 'x'.repeat(1_048_577) }, 'fs.size'],
  ['fs.delete', { path: 'data' }, 'fs.path'],
  ['http.request', { url: 'https://api.test/' }, 'http.domain'],
  ['secrets.ref', { name: 'API_TOKEN' }, 'secret.unknown'],
  ['tools.call', { name: 'shell', input: {} }, 'tools.callee'],
] as const)(
  '%s with %j ends as %s and changes nothing',
  async ([operation, argument, expected]) => {
    expect(await outcomeOf(ask(files, [operation, argument as JsonValue]))).toBe(expected)
    expect(existsSync(join(world.workspace, 'data', 'b.txt'))).toBe(false)
    expect(world.seen).toEqual([])
  },
)

test('a folder or file that was declared and is not there yet is made by writing, and by nothing else', async () => {
  const policy: ToolPolicy = {
    fs_read: { paths: ['later/reports', 'later/log.txt'] },
    fs_write: { paths: ['later/reports', 'later/log.txt'] },
  }
  expect(await ask(policy, ['fs.exists', { path: 'later/reports/x' }])).toBe(false)
  expect(await ask(policy, ['fs.stat', { path: 'later/log.txt' }])).toBe(null)
  for (const operation of ['fs.readText', 'fs.list', 'fs.delete'])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await outcomeOf(ask(policy, [operation, { path: 'later/log.txt' }]))).toBe(
      'FILE_NOT_FOUND',
    )
  expect(existsSync(join(world.workspace, 'later'))).toBe(false)
  await ask(policy, ['fs.appendText', { path: 'later/log.txt', text: 'one ' }])
  await ask(policy, ['fs.appendText', { path: 'later/log.txt', text: 'two' }])
  expect(await ask(policy, ['fs.readText', { path: 'later/log.txt' }])).toMatchObject({
    text: 'one two',
  })
  await ask(policy, ['fs.writeText', { path: 'later/reports/deep/r.txt', text: 'r' }])
  expect(readFileSync(join(world.workspace, 'later/reports/deep/r.txt'), 'utf8')).toBe('r')
  expect(await outcomeOf(ask(policy, ['fs.writeText', { path: 'later/x.txt', text: '' }]))).toBe(
    'fs.path',
  )
  expect(
    await outcomeOf(ask(policy, ['fs.writeText', { path: 'later/log.txt/x', text: '' }])),
  ).toMatch(/^(FILE_|fs\.)/)
})

test('a declared folder that was exchanged for another is found, and for a link is refused', async () => {
  const policy: ToolPolicy = { fs_read: { paths: ['moved'] }, fs_write: { paths: ['moved'] } }
  const place = join(world.workspace, 'moved')
  mkdirSync(place)
  writeFileSync(join(place, 'n.txt'), 'first')
  const read = (): Promise<unknown> =>
    outcomeOf(ask(policy, ['fs.readText', { path: 'moved/n.txt' }]))
  expect(await read()).toMatchObject({ text: 'first' })
  renameSync(place, `${place}-old`)
  expect(await read()).toBe('FILE_NOT_FOUND')
  mkdirSync(place)
  writeFileSync(join(place, 'n.txt'), 'second')
  expect(await read()).toMatchObject({ text: 'second' })
  renameSync(place, `${place}-older`)
  writeFileSync(join(world.base, 'n.txt'), canary)
  symlinkSync(world.base, place)
  expect(await read()).toBe('fs.path')
  expect(await outcomeOf(ask(policy, ['fs.writeText', { path: 'moved/new.txt', text: 'x' }]))).toBe(
    'fs.path',
  )
  unlinkSync(place)
  symlinkSync(join(world.base, 'not-there'), place)
  expect(await read()).toBe('fs.symlink')
  expect(await outcomeOf(ask(policy, ['fs.writeText', { path: 'moved/new.txt', text: 'x' }]))).toBe(
    'fs.symlink',
  )
  expect(existsSync(join(world.base, 'not-there'))).toBe(false)
  expect(existsSync(join(world.base, 'new.txt'))).toBe(false)
})

test('what the operator denies is out of reach for tools that declared what is above it', async () => {
  const wide: ToolPolicy = { fs_read: { paths: ['.'] }, fs_write: { paths: ['.'] } }
  expect(await ask(wide, ['fs.exists', { path: 'data/a.txt' }])).toBe(true)
  for (const [operation, argument] of [
    ['fs.readText', { path: 'host/key.txt' }],
    ['fs.exists', { path: 'host/key.txt' }],
    ['fs.writeText', { path: 'host/new.txt', text: 'x' }],
    ['fs.delete', { path: 'host/key.txt' }],
    ['fs.list', { path: 'host' }],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await outcomeOf(ask(wide, [operation, argument]))).toBe('fs.path')
  const inside: ToolPolicy = { fs_read: { paths: ['host'] }, fs_write: { paths: ['host/sub'] } }
  expect(await outcomeOf(ask(inside, ['fs.readText', { path: 'host/key.txt' }]))).toMatch(
    /fs\.path|POLICY_INVALID/,
  )
  expect(await outcomeOf(ask(inside, ['fs.writeText', { path: 'host/sub/x', text: '' }]))).toBe(
    'fs.path',
  )
  expect(existsSync(join(world.workspace, 'host', 'sub'))).toBe(false)
})

test('requests reach declared origins only, with their method, headers and body', async () => {
  world.answer = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(418, {
        'X-Kind': 'Teapot',
        'content-type': 'text/plain',
        'set-cookie': 'a=b',
      })
      response.end(`${request.headers['content-type']} ${Buffer.concat(chunks).toString()}`)
    })
  }
  const url = `${world.origin('api.test')}/tea?x=1`
  expect(
    await ask(http(), ['http.request', { url, method: 'POST', headers: {}, json: { a: [1] } }]),
  ).toMatchObject({
    status: 418,
    ok: false,
    url,
    headers: { 'x-kind': 'Teapot' },
    text: 'application/json {"a":[1]}',
  })
  expect(world.seen).toEqual(['POST api.test /tea?x=1'])
  for (const refused of [
    world.origin('evil.test'),
    `http://api.test:${world.port + 1}/`,
    `https://api.test:${world.port}/`,
    `http://api.test@evil.test:${world.port}/`,
    'file:///etc/passwd',
  ])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await outcomeOf(ask(http(), ['http.request', { url: refused }]))).toMatch(/^http\./)
  expect(world.seen).toHaveLength(1)
})

test('an answer that is no text comes as base64, and one that is too large is refused', async () => {
  world.answer = (request, response) => {
    if (request.url === '/large') response.end('x'.repeat(2_000))
    else response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0, 255, 1]))
  }
  const small = world.powers({ maxResponseBytes: 1_000 })
  const url = world.origin('api.test')
  expect(await ask(http(), ['http.request', { url }], { powers: small })).toMatchObject({
    text: '',
    base64: 'AP8B',
  })
  expect(
    await outcomeOf(ask(http(), ['http.request', { url: `${url}/large` }], { powers: small })),
  ).toBe('http.size')
})

test('a write is sent once, whatever the server says, and a read again', async () => {
  world.answer = (_request, response) => response.writeHead(503).end('busy')
  const url = world.origin('api.test')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await ask(http(), ['http.request', { url, method }])
  expect(world.seen).toHaveLength(4)
  await ask(http(), ['http.request', { url }])
  expect(world.seen.length).toBeGreaterThan(5)
})

test('private addresses are reached only where the operator names them', async () => {
  const strict = world.powers({
    maximumPolicy: { ...world.maximumPolicy, http: { origins: ['http://*:*'] } },
  })
  const url = world.origin('api.test')
  expect(await outcomeOf(ask(http(), ['http.request', { url }], { powers: strict }))).toBe(
    'http.address',
  )
  const denied = world.powers({ deniedServices: [{ host: '127.0.0.1', port: world.port }] })
  expect(await outcomeOf(ask(http(), ['http.request', { url }], { powers: denied }))).toBe(
    'http.host',
  )
  expect(world.seen).toEqual([])
})

test('a secret is a placeholder to the tool, and is filled in only where it is bound and declared', async () => {
  const policy: ToolPolicy = {
    http: { origins: [world.origin('api.test'), world.origin('other.test')] },
    secrets: { names: ['API_TOKEN'] },
  }
  const placeholder = (await ask(policy, ['secrets.ref', { name: 'API_TOKEN' }])) as string
  expect(placeholder).toMatch(/^tmsec_[0-9a-f]{16}_API_TOKEN_$/)
  const headers = { authorization: `Bearer ${placeholder}` }
  world.answer = (request, response) => response.end(`you sent ${request.headers.authorization}`)
  const url = world.origin('api.test')
  const answer = await ask(policy, ['http.request', { url, headers }])
  expect(world.seenHeaders[0]?.authorization).toBe(`Bearer ${secretValue}`)
  expect(JSON.stringify(answer)).not.toContain(secretValue)
  expect(
    await outcomeOf(ask(policy, ['http.request', { url: world.origin('other.test'), headers }])),
  ).toBe('secret.host')
  expect(await outcomeOf(ask(policy, ['secrets.ref', { name: 'OTHER_TOKEN' }]))).toBe(
    'secret.unknown',
  )
  // The form of a placeholder is no secret: one that was made up, or belongs to another tool, is worth nothing.
  const stolen = { authorization: world.vault.placeholder('OTHER_TOKEN') }
  expect(await outcomeOf(ask(policy, ['http.request', { url, headers: stolen }]))).toBe(
    'secret.unknown',
  )
  expect(await outcomeOf(ask(http(), ['http.request', { url, headers }]))).toBe('secret.unknown')
  expect(await outcomeOf(ask(policy, ['http.request', { url: `${url}/?t=${placeholder}` }]))).toBe(
    'secret.place',
  )
  expect(world.seen).toHaveLength(1)
})

test('callees are those of the policy at their version, and get no more powers than the call has', async () => {
  const hash = 'a'.repeat(64)
  const policy: ToolPolicy = { ...http(), tools: { callees: [{ name: 'helper', hash }] } }
  const calls: unknown[] = []
  let result: object = { success: true, truncated: false, output: { done: 1 }, outputText: '{}' }
  const invoke = async (name: string, input: unknown, options?: unknown): Promise<ToolResult> => {
    calls.push([name, input, options])
    return { durationMs: 1, callId: 'c', ...result } as unknown as ToolResult
  }
  const call = (name = 'helper', options: AskOptions = {}): Promise<unknown> =>
    ask(policy, ['tools.call', { name, input: { x: 1 } }], { invoke, ...options })
  expect(await call()).toEqual({ done: 1 })
  expect(calls).toMatchObject([
    ['helper', { x: 1 }, { callerPolicy: { http: { origins: [world.origin('api.test')] } } }],
  ])
  expect(await outcomeOf(call('shell'))).toBe('tools.callee')
  result = { success: false, error: 'Tool "helper" failed: no', errorCode: 'TOOL_FAILED' }
  await expect(call()).rejects.toMatchObject({
    code: 'TOOL_FAILED',
    message: /helper.* failed: no/,
  })
  result = { success: false, error: 'Refused: read.', errorCode: 'POLICY_VIOLATION' }
  expect(await outcomeOf(call())).toBe('POLICY_VIOLATION')
  result = { success: true, truncated: true, preview: '{"a', outputBytes: 99 }
  await expect(call()).rejects.toThrow(/99 bytes is too large/)
  expect(calls).toHaveLength(4)
  const source = (present: string): object => ({ type: 'made', hash: present })
  for (const [present, expected] of [
    [{ source: source(hash) }, 'TOOL_FAILED'],
    [{ source: source('b'.repeat(64)) }, 'tools.callee'],
    [{}, 'tools.callee'],
    [undefined, 'tools.callee'],
  ] as const) {
    const watching = world.powers({ findTool: () => present as never })
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await outcomeOf(call('helper', { powers: watching }))).toBe(expected)
  }
})

test('a call has what the tool, the operator and everybody who led to it may do, and nothing more', async () => {
  const own: ToolPolicy = { ...files, ...http(), secrets: { names: ['API_TOKEN'] } }
  const url = world.origin('api.test')
  const read = ['fs.readText', { path: 'data/a.txt' }] as const
  const send = ['http.request', { url }] as const
  const weak: ToolPolicy = { fs_read: { paths: [join(world.workspace, 'data')] } }
  expect(await outcomeOf(ask(own, read, { callerPolicy: weak }))).toMatchObject({ bytes: 12 })
  expect(await outcomeOf(ask(own, send, { callerPolicy: weak }))).toBe('http.domain')
  expect(
    await outcomeOf(ask(own, ['secrets.ref', { name: 'API_TOKEN' }], { callerPolicy: weak })),
  ).toBe('secret.unknown')
  expect(await outcomeOf(ask(own, read, { callerPolicy: {} }))).toBe('fs.path')
  const error = await ask(own, send, { callerPolicy: {} }).catch((thrown: unknown) => thrown)
  expect((error as Error).message).toMatch(/one that led to this call has nothing of it/)
  const operator = world.powers({ maximumPolicy: { fs_read: { paths: [world.workspace] } } })
  expect(await outcomeOf(ask(own, read, { powers: operator }))).toMatchObject({ bytes: 12 })
  expect(await outcomeOf(ask(own, send, { powers: operator }))).toBe('http.domain')
  expect(operator.describeExcess(own).join('; ')).toMatch(/api\.test.*API_TOKEN|data/)
  expect(powers.describeExcess(own)).toEqual([])
  expect(powers.describeExcess({ fs_read: { paths: ['/etc'] } }).join()).toContain('/etc')
  expect(world.seen).toEqual([])
})

test('without a policy of the operator nothing outside of the workspace is given', async () => {
  const usual = world.powers({ maximumPolicy: undefined as never })
  const outside: ToolPolicy = { fs_read: { paths: [world.base] } }
  expect(usual.describeExcess(outside)).toHaveLength(1)
  expect(
    await outcomeOf(ask(outside, ['fs.readText', { path: '../outside.txt' }], { powers: usual })),
  ).toBe('fs.path')
  expect(await ask(files, ['fs.exists', { path: 'data/a.txt' }], { powers: usual })).toBe(true)
})

test('few guards are held open, and one that is in use stays open when another needs its place', async () => {
  const few = world.powers({ maxOpenGuards: 1 })
  let release: (() => void) | undefined
  const arrived = new Promise<void>((resolve) => {
    world.answer = (_request, response) => {
      resolve()
      release = () => response.end('late')
    }
  })
  const url = world.origin('api.test')
  const slow = ask(http(), ['http.request', { url }], { powers: few })
  await arrived
  for (const path of ['data', 'data/a.txt'])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await ask({ fs_read: { paths: [path] } }, ['fs.exists', { path }], { powers: few })
  release?.()
  expect(await slow).toMatchObject({ text: 'late' })
  few.close()
  expect(await outcomeOf(ask(http(), ['http.request', { url }], { powers: few }))).toBe(
    'STORE_CLOSED',
  )
})

test('an operation ends with its signal', async () => {
  world.answer = () => undefined
  const controller = new AbortController()
  const url = world.origin('api.test')
  const asked = ask(http(), ['http.request', { url }], { signal: controller.signal })
  setTimeout(() => controller.abort(new Error('enough')), 20)
  await expect(asked).rejects.toThrow('enough')
  await expect(
    ask(files, ['fs.readText', { path: 'data/a.txt' }], { signal: controller.signal }),
  ).rejects.toThrow('enough')
})

test.for([
  [{ workspace: '/not/there' }, /workspace/],
  [{ maxOpenGuards: 0 }, /maxOpenGuards/],
  [{ maxResponseBytes: 1.5 }, /maxResponseBytes/],
  [{ maximumPolicy: { fs_read: { paths: ['/not/there'] } } }, /not exist/],
  [{ maximumPolicy: { http: { origins: ['*.com'] } } }, /origins/],
] as const)('%j is refused at once', ([options, message]) => {
  expect(() => world.powers(options)).toThrow(message)
})
