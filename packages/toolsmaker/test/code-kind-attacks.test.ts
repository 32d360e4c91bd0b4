import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import { type PolicyViolationReport, createInvoker } from '@toolcrib/invoke'
import {
  type Invoker,
  type ToolDefinition,
  ToolRegistry,
  type ToolResult,
} from '@toolcrib/registry'
import { type Sandbox, createSandbox } from '@toolcrib/sandbox'
import type { ToolKind, ToolSpec } from '@toolcrib/toolsmaker'
import { createCodeKind } from '@toolcrib/toolsmaker/code'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CodeWorld, canary, openCodeWorld } from './code-kind-world.ts'

// Attacks on what stands outside of the sandbox. No check of the source comes before: it would refuse most of these.

let world: CodeWorld
let sandbox: Sandbox
let kind: ToolKind
let registry: ToolRegistry
let invoker: Invoker
const violations: PolicyViolationReport[] = []
const names: string[] = []

/** Registers a tool with every power in one folder, one server and one secret. */
function add(body: string, changes: Partial<ToolSpec> = {}): string {
  const name = `attacker_${names.length}`
  names.push(name)
  const spec = {
    name,
    version: 1,
    kind: 'code',
    capabilities: ['http', 'fs_read', 'fs_write', 'secrets'],
    allowedDomains: [world.origin('api.test')],
    allowedPaths: ['data'],
    secrets: ['API_TOKEN'],
    callees: [],
    limits: {},
    inputSchema: { type: 'object' },
    definition: {
      language: 'typescript',
      form: 'function',
      source: `export default async (input, { fs, http, secrets, sleep, tools }) => {\n${body}\n}`,
    },
    ...changes,
  } as unknown as ToolSpec
  registry.register({
    name,
    description: 'Attacks',
    inputSchema: { type: 'object' },
    ...kind.compile(spec),
  })
  return name
}

const call = (name: string, options: { readonly timeoutMs?: number } = {}): Promise<ToolResult> =>
  invoker.invoke(name, {}, options)

beforeAll(async () => {
  sandbox = createSandbox({ maxWorkers: 1 })
  world = await openCodeWorld()
  registry = new ToolRegistry()
  const findTool = (name: string): ToolDefinition | undefined => registry.get(name)
  kind = createCodeKind({ sandbox, powers: world.powers({ findTool }) })
  invoker = createInvoker({
    registry,
    log: createMemoryCallLog(),
    onPolicyViolation: (violation) => void violations.push(violation),
  })
})
beforeEach(() => {
  world.seen.length = 0
  world.answer = (_request, response) => response.end('hello')
  violations.length = 0
})
afterAll(async () => {
  await world.close()
  await sandbox.close()
})

test('a declared folder that was exchanged for a link gives nothing, also where the link stays in the workspace', async () => {
  const { workspace } = world
  mkdirSync(join(workspace, 'mine'))
  mkdirSync(join(workspace, 'theirs'))
  writeFileSync(join(workspace, 'mine', 'a.txt'), 'mine')
  writeFileSync(join(workspace, 'theirs', 'a.txt'), canary)
  const reader = add('return (await fs.readText("mine/a.txt")).text', { allowedPaths: ['mine'] })
  const writer = add('await fs.writeText("mine/a.txt", "x")', { allowedPaths: ['mine'] })
  expect(await call(reader)).toMatchObject({ output: 'mine' })
  renameSync(join(workspace, 'mine'), join(workspace, 'gone'))
  symlinkSync(join(workspace, 'theirs'), join(workspace, 'mine'))
  for (const name of [reader, writer]) {
    const refused = await call(name)
    expect(refused).toMatchObject({ success: false, errorCode: 'POLICY_VIOLATION' })
    expect(JSON.stringify(refused)).not.toContain(canary)
  }
  expect(readFileSync(join(workspace, 'theirs', 'a.txt'), 'utf8')).toBe(canary)
})

test('a name that begins with dots is a name, also in a folder that is still to be made', async () => {
  const name = add(
    [
      'const before = await fs.exists("fresh/..a/...b")',
      'await fs.writeText("fresh/..a/...b", "text")',
      'return [before, (await fs.readText("fresh/..a/...b")).text]',
    ].join('\n'),
    { allowedPaths: ['fresh'] },
  )
  expect(await call(name)).toMatchObject({ output: [false, 'text'] })
  const climber = add('await fs.writeText("new/../fresh/x", "text")', { allowedPaths: ['new'] })
  expect(await call(climber)).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
})

test('a flood of refusals hides nothing: after so many nothing is looked at, and the record says so', async () => {
  const flood = [
    'for (let count = 0; count < 200; count += 1) await fs.readText("/etc/x" + count).catch(() => 0)',
    `const seen = await http.get("${world.origin('api.test')}/allowed").catch((error) => error.message)`,
  ]
  const caught = add([...flood, 'return seen'].join('\n'))
  expect(await call(caught)).toMatchObject({ output: expect.stringContaining('after 50 refusals') })
  expect(world.seen).toEqual([])
  expect(violations).toHaveLength(51)
  expect(violations.at(-1)?.message).toContain('go on after 50 refusals in one call')
  violations.length = 0
  const thrown = add([...flood, `await http.get("${world.origin('evil.test')}/")`].join('\n'))
  expect(await call(thrown)).toMatchObject({ success: false, errorCode: 'POLICY_VIOLATION' })
  expect(violations).toHaveLength(51)
})

test('refusals at once are all on record', async () => {
  const name = add(
    'await Promise.allSettled(Array.from({ length: 900 }, (_, count) => fs.readText("/etc/x" + count)))',
  )
  expect(await call(name)).toMatchObject({ success: true })
  const tried = violations.map(({ data }) => data?.['tried'])
  expect(new Set(tried).size).toBe(tried.length)
  expect(tried).toContain('read "/etc/x0"')
  expect(tried).toContain('go on after 50 refusals in one call')
  expect(tried.length).toBeLessThan(100)
})

test('nothing that a call began goes on when its end is told', async () => {
  const folder = join(world.workspace, 'data')
  const name = add(
    [
      'for (let count = 0; count < 20; count += 1)',
      '  fs.writeText("data/left-" + count, "x".repeat(100_000)).catch(() => 0)',
      'await sleep(5)',
    ].join('\n'),
  )
  for (let round = 0; round < 3; round += 1) {
    expect(await call(name)).toMatchObject({ success: true })
    const left = readdirSync(folder).toSorted()
    expect(left.filter((file) => file.endsWith('.part'))).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(readdirSync(folder).toSorted()).toEqual(left)
  }
})

test('bytes of an answer go through a tool as they are', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, value) => value)
  world.answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
  const name = add(
    [
      `const image = await http.get("${world.origin('api.test')}/image")`,
      'await fs.writeBytes("data/image.png", image.base64)',
      'return image.text',
    ].join('\n'),
  )
  expect(await call(name)).toMatchObject({ output: '' })
  expect(readFileSync(join(world.workspace, 'data', 'image.png'))).toEqual(Buffer.from(bytes))
})
