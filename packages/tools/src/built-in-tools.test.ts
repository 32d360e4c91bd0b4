import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describePolicy } from '@toolcrib/policy'
import { openSecretVault } from '@toolcrib/policy/secrets'
import { ToolRegistry } from '@toolcrib/registry'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ToolCaller, callerOf } from '../test/call-tool.ts'
import { type LoopbackServer, startLoopbackServer } from '../test/loopback-server.ts'
import {
  type BuiltInTools,
  type BuiltInToolsOptions,
  createBuiltInTools,
} from './built-in-tools.ts'
import { createDefaultRegistry } from './default-registry.ts'
import type { SqlDatabase } from './sql/sql-tool.ts'

let folder: string
let workspace: string
const opened: BuiltInTools[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'built-in-'))
  workspace = join(folder, 'workspace')
})
afterEach(async () => {
  for (const builtIn of opened.splice(0)) await builtIn.close()
  rmSync(folder, { recursive: true })
})

const database = (): SqlDatabase & { closed: number } => ({
  closed: 0,
  run: async () => ({ rowCount: 1, rows: [{ one: 1 }], truncated: false }),
  async close() {
    this.closed += 1
  },
})
const make = (options: Partial<BuiltInToolsOptions> = {}, db?: SqlDatabase): BuiltInTools => {
  const builtIn = createBuiltInTools(db, { workspace, ...options })
  opened.push(builtIn)
  return builtIn
}
const names = ({ tools }: BuiltInTools): readonly string[] => tools.map(({ name }) => name)
const caller = ({ tools }: BuiltInTools, wanted: string): ToolCaller => {
  const tool = tools.find(({ name }) => name === wanted)
  if (tool === undefined) throw new Error(`There is no ${wanted}`)
  return callerOf(tool)
}
// Where the system does not list them, there is nothing to count.
const openDescriptors = (): number =>
  existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0

describe('without options', () => {
  test('there are file and http, sql where a database is given, and no shell', () => {
    expect(names(make())).toEqual(['file', 'http'])
    expect(names(make({}, database()))).toEqual(['file', 'http', 'sql'])
  })

  test('the workspace is made for its owner only', () => {
    expect(make({ workspace: join(workspace, 'deep') }).workspace).toBe(join(workspace, 'deep'))
    expect(statSync(workspace).mode & 0o777).toBe(0o700)
    expect(statSync(join(workspace, 'deep')).mode & 0o777).toBe(0o700)
  })

  test('the policy can be told in sentences', () => {
    const sentences = describePolicy(make().policy)
    expect(sentences.join('\n')).toContain(workspace)
  })

  test('files work in the workspace and nowhere else', async () => {
    writeFileSync(join(folder, 'secret.txt'), 'SECRET')
    const file = caller(make(), 'file')
    await file.output({ operation: 'write', path: 'a.txt', content: 'A' })
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('A')
    for (const path of ['../secret.txt', join(folder, 'secret.txt')])
      expect(await file.failure({ operation: 'read', path })).toMatchObject({
        errorCode: 'POLICY_VIOLATION',
      })
  })

  test('http reaches no server on this machine', async () => {
    const server = await startLoopbackServer({})
    try {
      const http = caller(make(), 'http')
      for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0'])
        expect(await http.failure({ url: `http://${host}:${server.port}/` })).toMatchObject({
          errorCode: 'POLICY_VIOLATION',
        })
      expect(server.received).toEqual([])
    } finally {
      await server.close()
    }
  })
})

describe('switches and policy', () => {
  test('each tool can be switched on and off', () => {
    expect(names(make({ shell: true }, database()))).toEqual(['file', 'http', 'shell', 'sql'])
    expect(names(make({ shell: { commands: ['ls'] } }))).toContain('shell')
    expect(names(make({ file: false, http: false, sql: false }, database()))).toEqual([])
  })

  test('options reach the tools', () => {
    const { tools } = make(
      {
        file: { timeoutMs: 1 },
        http: { timeoutMs: 2, userAgent: 'x' },
        sql: { name: 'query', timeoutMs: 3 },
        shell: { timeoutMs: 4 },
      },
      database(),
    )
    expect(tools.map(({ name }) => name)).toEqual(['file', 'http', 'shell', 'query'])
    expect(tools[0]?.timeoutMs).toBe(1)
    expect(tools[1]?.timeoutMs).toBe(2)
  })

  test('a capability that the policy does not name is not given', async () => {
    expect(names(make({ policy: {} }))).toEqual([])
    expect(names(make({ policy: { http: { origins: ['https://a.test'] } } }))).toEqual(['http'])
    const file = caller(make({ policy: { fs_read: { paths: ['.'] } } }), 'file')
    writeFileSync(join(workspace, 'a'), 'A')
    expect(await file.output({ operation: 'read', path: 'a' })).toMatchObject({ result: 'A' })
    expect(await file.failure({ operation: 'write', path: 'a', content: 'B' })).toMatchObject({
      errorCode: 'POLICY_VIOLATION',
    })
  })

  test('a file above the policy’s size is read page by page', async () => {
    const paths = ['.']
    const file = caller(make({ policy: { fs_read: { paths, maxBytes: 10 } } }), 'file')
    writeFileSync(join(workspace, 'a'), '0123456789x')
    const page = await file.output<{ nextOffset: number }>({ operation: 'read', path: 'a' })
    expect(page).toMatchObject({ result: '0123456789', truncated: true, nextOffset: 10 })
    expect(
      await file.output({ operation: 'read', path: 'a', offset: page.nextOffset }),
    ).toMatchObject({ result: 'x', truncated: false })
  })

  test('what is denied stays out of reach below an allowed folder and of an allowed host', async () => {
    const server = await startLoopbackServer({})
    try {
      mkdirSync(join(workspace, 'private'), { recursive: true })
      writeFileSync(join(workspace, 'private/key'), 'SECRET')
      symlinkSync('private', join(workspace, 'link'))
      const builtIn = make({
        denied: {
          paths: [join(workspace, 'private')],
          services: [{ host: '127.0.0.1', port: server.port }],
        },
        policy: {
          fs_read: { paths: ['.'] },
          http: { origins: ['http://*:*'], privateAddresses: ['127.0.0.0/8'] },
        },
      })
      const file = caller(builtIn, 'file')
      for (const path of ['private/key', 'link/key', './x/../private/key'])
        expect(await file.failure({ operation: 'read', path })).toMatchObject({
          errorCode: 'POLICY_VIOLATION',
        })
      const http = caller(builtIn, 'http')
      for (const host of ['127.0.0.1', '127.0.0.2', 'localhost'])
        expect(await http.failure({ url: `http://${host}:${server.port}/` })).toMatchObject({
          errorCode: 'POLICY_VIOLATION',
        })
      expect(server.received).toEqual([])
    } finally {
      await server.close()
    }
  })
})

describe('secrets', () => {
  let server: LoopbackServer
  beforeEach(async () => {
    server = await startLoopbackServer({
      '/bound': (response, { headers }) => {
        response.end(headers['authorization'] === 'Bearer swordfish' ? 'known' : 'unknown')
      },
      '/other': (response) => {
        response.end('reached')
      },
    })
  })
  afterEach(async () => {
    await server.close()
  })

  const vault = openSecretVault({
    API_KEY: { value: 'swordfish', hosts: ['http://127.0.0.1:*'], paths: ['/bound'] },
  })

  test('are filled in by the http tool, where they are bound to and nowhere else', async () => {
    const builtIn = make({
      vault,
      policy: {
        http: { origins: ['http://127.0.0.1:*'], privateAddresses: ['127.0.0.1'] },
        secrets: { names: ['API_KEY'] },
      },
    })
    const http = caller(builtIn, 'http')
    const headers = { authorization: `Bearer ${vault.placeholder('API_KEY')}` }
    expect(await http.output({ url: `${server.url}/bound`, headers })).toMatchObject({
      body: 'known',
    })
    expect(await http.failure({ url: `${server.url}/other`, headers })).toMatchObject({
      errorCode: 'POLICY_VIOLATION',
    })
    expect(server.received).toHaveLength(1)
  })

  test('are made known by their placeholders, and only those that may be used', () => {
    const two = openSecretVault({
      API_KEY: { value: 'swordfish', hosts: ['api.example.com'] },
      OTHER: { value: 'open sesame', hosts: ['api.example.com'] },
    })
    const policy = { http: { origins: ['api.example.com'] }, secrets: { names: ['API_KEY'] } }
    const descriptionOf = (options: object): string =>
      make(options).tools.find(({ name }) => name === 'http')?.description ?? ''
    expect(descriptionOf({ vault: two, policy })).toContain(
      `API_KEY: ${two.placeholder('API_KEY')}`,
    )
    expect(descriptionOf({ vault: two, policy })).not.toMatch(/OTHER|swordfish|sesame/)
    expect(descriptionOf({ vault: two })).toContain(`, OTHER: ${two.placeholder('OTHER')}`)
    expect(descriptionOf({})).not.toContain('placeholder')
  })

  test('of the vault may all be used where no policy is given', () => {
    expect(make({ vault }).policy.secrets).toEqual({ names: ['API_KEY'] })
    expect(make().policy).not.toHaveProperty('secrets')
  })

  test('that nobody has make a policy useless, and nothing stays open', () => {
    const before = openDescriptors()
    const policy = { secrets: { names: ['OTHER'] } }
    expect(() => make({ policy })).toThrow('no vault is given')
    expect(() => make({ policy, vault })).toThrow('It has: API_KEY')
    expect(openDescriptors()).toBe(before)
  })
})

describe('wiring that is wrong', () => {
  test.each([
    [{ policy: { fs_read: { paths: [] } } }, 'fs_read'],
    [{ policy: { http: { origins: ['nonsense://x'] } } }, 'origins'],
    [{ policy: { unknown: 1 } }, 'unknown'],
    [{ policy: { fs_read: { paths: ['/nowhere/at/all'] } } }, '/nowhere/at/all'],
    [{ policy: { http: { origins: ['https://a.test'], privateAddresses: ['x'] } } }, 'private'],
  ])('%j is refused with POLICY_INVALID, and nothing stays open', (options, message) => {
    const before = openDescriptors()
    expect(() => make(options as object)).toThrow(
      expect.objectContaining({
        code: 'POLICY_INVALID',
        message: expect.stringContaining(message) as string,
      }) as Error,
    )
    expect(openDescriptors()).toBe(before)
  })

  test('a tool that cannot be made closes the guards of the others, and leaves the database', () => {
    const db = database()
    const before = openDescriptors()
    expect(() => make({ shell: { timeoutMs: -1 } }, db)).toThrow('timeoutMs')
    expect(openDescriptors()).toBe(before)
    expect(db.closed).toBe(0)
  })

  test('what is denied is hidden from commands too, beside what the shell hides by itself', () => {
    const wiring = { file: false, http: false, denied: { paths: [workspace] } } as const
    expect(() => make({ ...wiring, shell: true })).toThrow('hidden')
    expect(() => make({ ...wiring, shell: { hidden: [folder] } })).toThrow('hidden')
    expect(() => make({ ...wiring, denied: {}, shell: { hidden: [workspace] } })).toThrow('hidden')
  })

  test('a workspace that is a file, or below one, is refused', () => {
    writeFileSync(join(folder, 'taken'), '')
    for (const path of ['taken', 'taken/below'])
      expect(() => make({ workspace: join(folder, path) })).toThrow(
        expect.objectContaining({ code: 'FOLDER_INVALID' }) as Error,
      )
    expect(() => make({ workspace: '' })).toThrow('workspace')
  })
})

describe('closing', () => {
  test('lets go of folders and the database, once, and tools say so afterwards', async () => {
    const before = openDescriptors()
    const db = database()
    const builtIn = make({}, db)
    const file = caller(builtIn, 'file')
    await Promise.all([builtIn.close(), builtIn.close()])
    expect(db.closed).toBe(1)
    expect(openDescriptors()).toBe(before)
    expect(await file.failure({ operation: 'list', path: '.' })).toMatchObject({
      toolErrorCode: 'FILE_GUARD_CLOSED',
    })
  })

  test('closes the guards too when the database cannot be closed, and says so', async () => {
    const before = openDescriptors()
    const db = {
      ...database(),
      close: async () => {
        throw new Error('stuck')
      },
    }
    const builtIn = createBuiltInTools(db, { workspace })
    await expect(builtIn.close()).rejects.toThrow('stuck')
    expect(openDescriptors()).toBe(before)
  })
})

describe('the default registry', () => {
  test('has the tools, registered', () => {
    const registry = createDefaultRegistry(database(), { workspace })
    expect(registry.list().map(({ name }) => name)).toEqual(['file', 'http', 'sql'])
  })

  test('adds to a registry of the host, or to none of it', () => {
    const registry = new ToolRegistry()
    expect(createDefaultRegistry(undefined, { workspace, registry, http: false })).toBe(registry)
    const before = openDescriptors()
    expect(() => createDefaultRegistry(database(), { workspace, registry })).toThrow('"file"')
    expect(registry.list().map(({ name }) => name)).toEqual(['file'])
    expect(openDescriptors()).toBe(before)
  })
})
