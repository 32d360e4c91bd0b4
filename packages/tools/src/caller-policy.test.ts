import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { type ToolInvoker, createInvoker } from '@toolcrib/invoke'
import type { ToolPolicy } from '@toolcrib/policy'
import { openSecretVault } from '@toolcrib/policy/secrets'
import { type JsonObject, ToolRegistry, type ToolResult } from '@toolcrib/registry'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LoopbackServer, startLoopbackServer } from '../test/loopback-server.ts'
import { type BuiltInTools, createBuiltInTools } from './built-in-tools.ts'

// A made tool is played by one that passes on the policy that its kind would: its own, narrowed by those of its callers.

let base: string
let workspace: string
let server: LoopbackServer
let builtIn: BuiltInTools
let invoker: ToolInvoker
const ran: string[] = []

const own = {
  http: { origins: ['http://a.test:*', 'http://b.test:*'], privateAddresses: ['127.0.0.1'] },
  secrets: { names: ['API_KEY'] },
}
/** What a made tool asks for that sends to one host. */
const sendsTo = (...hosts: string[]): ToolPolicy => ({
  http: {
    origins: hosts.map((host) => `http://${host}:${server.port}`),
    privateAddresses: ['127.0.0.1'],
  },
})
const vault = openSecretVault({
  API_KEY: { value: 'swordfish-7f3a9', hosts: ['http://a.test:*'] },
})

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'caller-policy-'))
  workspace = join(base, 'workspace')
  for (const folder of ['data', 'notes']) mkdirSync(join(workspace, folder), { recursive: true })
  writeFileSync(join(workspace, 'data', 'a.txt'), 'A')
  writeFileSync(join(workspace, 'notes', 'n.txt'), 'N')
  writeFileSync(join(base, 'secret.txt'), 'SECRET')
  server = await startLoopbackServer({
    '/': (response) => void response.end('fine'),
    '/login': (response) => void response.setHeader('set-cookie', 'login=1; Path=/').end('in'),
  })
  ran.length = 0
  const database = {
    run: async ({ query }: { query: string }) => {
      ran.push(query)
      return { rowCount: 0, rows: [], truncated: false }
    },
    close: async () => {},
  }
  const files = { fs_read: { paths: [workspace] }, fs_write: { paths: [workspace] } }
  builtIn = createBuiltInTools(database, {
    workspace,
    policy: { ...files, ...own },
    shell: { containment: 'process-group' },
    http: { lookup: async () => [{ address: '127.0.0.1', family: 4 }], retries: 0 },
    vault,
  })
  const registry = new ToolRegistry()
  for (const tool of builtIn.tools) registry.register(tool)
  for (const name of ['maker', 'outer'])
    registry.register({
      name,
      description: 'Plays a made tool',
      inputSchema: { type: 'object' },
      execute: async (input, _signal, { invoke }) => {
        const { policy, tool, given } = input as { policy: JsonObject; tool: string; given: object }
        return invoke(tool, given, { callerPolicy: policy })
      },
    })
  invoker = createInvoker({ registry, log: createMemoryCallLog(), circuitBreaker: false })
})
afterEach(async () => {
  await builtIn.close()
  await server.close()
  rmSync(base, { recursive: true })
})

/** What a built-in tool answers a made tool that has a policy. */
async function through(policy: unknown, tool: string, given: object): Promise<ToolResult> {
  const result = await invoker.invoke('maker', { policy, tool, given })
  if (!result.success) throw new Error(result.error)
  return result.output as ToolResult
}
const sayOf = (result: ToolResult): string =>
  result.success ? `ok ${JSON.stringify(result.output)}` : `${result.errorCode}: ${result.error}`
const get = (policy: unknown, url: string, headers: object = {}): Promise<ToolResult> =>
  through(policy, 'http', { method: 'GET', url, headers })
const file = (policy: unknown, given: object): Promise<ToolResult> => through(policy, 'file', given)
const at = (host: string): string => `http://${host}:${server.port}/`

describe('a made tool that calls the built-in http', () => {
  test('finds its own cookies, not those of other tools or of its callers in the same session', async () => {
    const options = { sessionId: 'talk' }
    const policy = sendsTo('a.test')
    const given = { method: 'GET', url: at('a.test') }
    const login = { method: 'GET', url: `${at('a.test')}login` }
    const cookiesOf = async (call: Promise<ToolResult>): Promise<unknown> => {
      expect(sayOf(await call)).toMatch(/^ok/)
      return server.received.at(-1)?.headers['cookie']
    }
    const asMade = (name: string, asked: object): Promise<ToolResult> =>
      invoker.invoke(name, { policy, tool: 'http', given: asked }, options)
    await cookiesOf(asMade('maker', login))
    expect(await cookiesOf(asMade('maker', given))).toBe('login=1')
    expect(await cookiesOf(asMade('outer', given))).toBeUndefined()
    const input = { policy, tool: 'maker', given: { policy, tool: 'http', given } }
    expect(await cookiesOf(invoker.invoke('outer', input, options))).toBeUndefined()
    expect(await cookiesOf(invoker.invoke('http', given, options))).toBeUndefined()
    await cookiesOf(invoker.invoke('http', login, options))
    expect(await cookiesOf(invoker.invoke('http', given, options))).toBe('login=1')
    expect(await cookiesOf(asMade('outer', given))).toBeUndefined()
  })

  test('without http is refused, by name', async () => {
    const said = sayOf(await get({ fs_read: { paths: ['data'] } }, at('a.test')))
    expect(said).toMatch(/^POLICY_VIOLATION: .*maker/)
    expect(sayOf(await get({}, at('a.test')))).toMatch(/^POLICY_VIOLATION/)
    expect(server.received).toEqual([])
  })

  test('reaches the hosts that it asked for, and no others', async () => {
    expect(sayOf(await get(sendsTo('a.test'), at('a.test')))).toMatch(/^ok .*fine/)
    const said = sayOf(await get(sendsTo('a.test'), at('b.test')))
    expect(said).toMatch(/^POLICY_VIOLATION: .*for maker.*A person can approve a version of maker/)
    expect(server.received).toHaveLength(1)
  })

  test('gets no host that the built-in tool has not, whatever it asked for', async () => {
    const policy = sendsTo('a.test', '127.0.0.1', 'evil.example')
    for (const host of ['127.0.0.1', 'evil.example'])
      expect(sayOf(await get(policy, at(host)))).toMatch(/^POLICY_VIOLATION/)
    expect(server.received).toEqual([])
  })

  test('sends only the secrets that it asked for', async () => {
    const headers = { authorization: vault.placeholder('API_KEY') }
    expect(sayOf(await get(sendsTo('a.test'), at('a.test'), headers))).toMatch(
      /^POLICY_VIOLATION: .*secret.*maker/,
    )
    expect(server.received).toEqual([])
    const policy = { ...sendsTo('a.test'), secrets: { names: ['API_KEY'] } }
    expect(sayOf(await get(policy, at('a.test'), headers))).toMatch(/^ok/)
    expect(server.received[0]?.headers.authorization).toBe('swordfish-7f3a9')
  })

  test('is refused by a policy that cannot be read', async () => {
    for (const policy of [{ http: true }, { all: true }, { http: { origins: ['*://x'] } }])
      expect(sayOf(await get(policy, at('a.test')))).toMatch(/policy cannot be used/i)
    expect(server.received).toEqual([])
  })

  test('does not take anything from calls without a made tool', async () => {
    const result = await invoker.invoke('http', { method: 'GET', url: at('b.test') })
    expect(sayOf(result)).toMatch(/^ok/)
  })
})

describe('a made tool that calls the built-in file tool', () => {
  const reads = { fs_read: { paths: ['data'] } }

  test('reads what it asked for, by paths relative to the workspace or whole ones', async () => {
    expect(sayOf(await file(reads, { operation: 'read', path: 'data/a.txt' }))).toMatch(/"A"/)
    const path = join(workspace, 'data', 'a.txt')
    expect(sayOf(await file(reads, { operation: 'read', path }))).toMatch(/"A"/)
    const whole = { fs_read: { paths: [join(workspace, 'data')] } }
    expect(sayOf(await file(whole, { operation: 'read', path: 'data/a.txt' }))).toMatch(/"A"/)
    const said = sayOf(await file(reads, { operation: 'read', path: 'notes/n.txt' }))
    expect(said).toMatch(/^POLICY_VIOLATION: .*for maker/)
  })

  test('that only reads writes nothing through it', async () => {
    for (const given of [
      { operation: 'write', path: 'data/a.txt', content: 'x' },
      { operation: 'append', path: 'data/a.txt', content: 'x' },
      { operation: 'delete', path: 'data/a.txt' },
      { operation: 'mkdir', path: 'data/deep' },
      { operation: 'move', path: 'data/a.txt', to: 'data/b.txt' },
      { operation: 'copy', path: 'data/a.txt', to: 'data/b.txt' },
    ])
      expect(sayOf(await file(reads, given)), given.operation).toMatch(/^POLICY_VIOLATION.*maker/)
    expect(readFileSync(join(workspace, 'data', 'a.txt'), 'utf8')).toBe('A')
    expect(readdirSync(join(workspace, 'data'))).toEqual(['a.txt'])
  })

  test('without any right to files does nothing at all', async () => {
    for (const operation of ['read', 'exists', 'list', 'stat'])
      expect(sayOf(await file({}, { operation, path: 'data' }))).toMatch(/^POLICY_VIOLATION.*maker/)
  })

  test('gets nothing outside of the workspace, also not by a link where its folder should be', async () => {
    const wide = { fs_read: { paths: [base] }, fs_write: { paths: [base] } }
    const path = join(base, 'secret.txt')
    expect(sayOf(await file(wide, { operation: 'read', path }))).toMatch(/^POLICY_VIOLATION/)
    symlinkSync(base, join(workspace, 'reports'))
    const linked = { fs_read: { paths: ['reports'] } }
    const given = { operation: 'read', path: 'reports/secret.txt' }
    expect(sayOf(await file(linked, given))).toMatch(/^POLICY_VIOLATION/)
  })

  test('sees its folder as it is now, made later or made anew', async () => {
    const policy = { fs_read: { paths: ['later'] } }
    const given = { operation: 'read', path: 'later/a.txt' }
    expect(sayOf(await file(policy, given))).toMatch(/^POLICY_VIOLATION/)
    for (const text of ['one', 'two']) {
      rmSync(join(workspace, 'later'), { recursive: true, force: true })
      mkdirSync(join(workspace, 'later'))
      writeFileSync(join(workspace, 'later', 'a.txt'), text)
      // oxlint-disable-next-line no-await-in-loop -- one after the other is what is tested
      expect(sayOf(await file(policy, given))).toContain(text)
    }
  })

  test('reads large files page by page, within its own limit', async () => {
    writeFileSync(join(workspace, 'data', 'big.txt'), 'x'.repeat(100))
    const policy = { fs_read: { paths: ['data'], maxBytes: 10 } }
    const said = sayOf(await file(policy, { operation: 'read', path: 'data/big.txt' }))
    expect(said).toMatch(/^ok .*"bytes":10,.*"nextOffset":10/)
  })

  test('leaves no folders held open, however many policies there were', async () => {
    const open = (): number =>
      existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0
    const before = open()
    const calls = Array.from({ length: 60 }, (_one, index) =>
      file(
        { fs_read: { paths: ['data'], maxBytes: 100 + index } },
        { operation: 'read', path: 'data/a.txt' },
      ),
    )
    for (const result of await Promise.all(calls)) expect(sayOf(result)).toMatch(/"A"/)
    expect(open() - before).toBeLessThanOrEqual(16)
    await builtIn.close()
    expect(open()).toBeLessThanOrEqual(before)
  })
})

describe('a made tool that calls shell or sql', () => {
  const named = (name: string, hash: string | null = null): ToolPolicy => ({
    tools: { callees: [{ name, hash }] },
  })
  const echo = { command: 'echo', args: ['hello'] }

  test('is refused unless it names them, whatever else it may do', async () => {
    const all = { ...sendsTo('a.test'), fs_read: { paths: ['.'] }, fs_write: { paths: ['.'] } }
    for (const policy of [{}, all, named('file'), named('Shell'), named('shell', 'a'.repeat(64))])
      // oxlint-disable-next-line no-await-in-loop -- commands, one at a time
      expect(sayOf(await through(policy, 'shell', echo))).toMatch(
        /^POLICY_VIOLATION: .*call shell for maker/,
      )
    for (const policy of [{}, all, named('shell'), named('sql', 'a'.repeat(64))])
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(sayOf(await through(policy, 'sql', { query: 'select 1' }))).toMatch(
        /^POLICY_VIOLATION: .*call sql for maker/,
      )
    expect(ran).toEqual([])
  })

  test('may when it does', async () => {
    expect(sayOf(await through(named('shell'), 'shell', echo))).toMatch(/^ok .*hello/)
    expect(sayOf(await through(named('sql'), 'sql', { query: 'select 1' }))).toMatch(/^ok/)
    expect(ran).toEqual(['select 1'])
  })

  test('passes its policy on through a tool that names none', async () => {
    const inner = { policy: undefined, tool: 'sql', given: { query: 'select 1' } }
    const outer = await invoker.invoke('outer', { policy: {}, tool: 'maker', given: inner })
    expect(JSON.stringify(outer)).toMatch(/call sql for outer → maker/)
    expect(ran).toEqual([])
  })
})
