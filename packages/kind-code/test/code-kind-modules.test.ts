import type { Toolsmaker } from '@toolcrib/toolsmaker'
import { type Sandbox, createSandbox } from '@toolcrib/sandbox'
import { type FindModule, pinModules, toFoundModule } from '../src/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CodeIntent, type CodeShop, openCodeShop } from './code-kind-shop.ts'
import { type CodeWorld, canary, openCodeWorld } from './code-kind-world.ts'

let world: CodeWorld
let sandbox: Sandbox
let shop: CodeShop
let maker: Toolsmaker | undefined
let asked = 0

/** As a host does it: the lifecycle says which versions are approved. */
const findModule: FindModule = async (name, version) => {
  asked += 1
  const spec = await maker?.readApproved(name, version)
  return spec === undefined ? undefined : toFoundModule(spec)
}

beforeAll(async () => {
  sandbox = createSandbox({ maxWorkers: 1 })
  world = await openCodeWorld()
  shop = await openCodeShop({ sandbox, powers: world.powers(), findModule, moduleCheckMs: 0 })
  maker = shop.maker
  await shop.make({
    name: 'text_kit',
    source:
      'export const shout = (text: string): string => text.toUpperCase() + "!"\nexport const read = (ctx, path) => ctx.fs.readText(path)\nexport default () => "kit"',
  })
  await shop.make(
    await importing(
      'word_kit',
      'import { shout } from "toolcrib:lib/text_kit@1"\nexport { shout }\nexport const twice = (text: string) => shout(text + text)\nexport default () => 1',
    ),
  )
})
afterAll(async () => {
  await world.close()
  await sandbox.close()
})

async function importing(
  name: string,
  source: string,
  intent: Partial<CodeIntent> = {},
): Promise<CodeIntent> {
  return { name, source, modules: await pinModules(source, findModule), ...intent }
}

const failures = async (intent: CodeIntent): Promise<string> =>
  (await shop.propose(intent)).report.checks
    .filter(({ pass }) => !pass)
    .map(({ message, name }) => `${name}: ${message}`)
    .join(' ')

test('exports of an approved version are imported, also over another module', async () => {
  const intent = await importing(
    'use_kits',
    'import { shout, twice } from "toolcrib:lib/word_kit@1"\nexport default () => [shout("a"), twice("b")]',
    { examples: [{ input: {}, expected: ['A!', 'BB!'] }] },
  )
  expect(intent.modules?.map(({ specifier }) => specifier)).toEqual([
    'toolcrib:lib/text_kit@1',
    'toolcrib:lib/word_kit@1',
  ])
  const built = await shop.make(intent)
  expect(built.report.powers.join()).toMatch(
    /Runs code of toolcrib:lib\/text_kit@1 \(content hash [0-9a-f]{12}…\)/,
  )
  expect(await shop.call('use_kits', {})).toMatchObject({ output: ['A!', 'BB!'] })
})

test('a module has no powers of its own: only what is passed to it', async () => {
  const reading = await importing(
    'read_over_kit',
    'import { read } from "toolcrib:lib/text_kit@1"\nexport default async ({ path }, ctx) => (await read(ctx, path)).text + (await ctx.fs.exists(path))',
    {
      capabilities: ['fs_read'],
      allowedPaths: ['data'],
      inputs: { path: { type: 'string' } },
      examples: [
        {
          input: { path: 'data/a.txt' },
          fixtures: [
            { operation: 'fs.readText', result: 'x' },
            { operation: 'fs.exists', result: true },
          ],
        },
      ],
    },
  )
  await shop.make(reading)
  expect(await shop.call('read_over_kit', { path: 'data/a.txt' })).toMatchObject({
    output: 'content of atrue',
  })
  const refused = await shop.call('read_over_kit', { path: 'host/key.txt' })
  expect(refused).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
  expect(JSON.stringify(refused)).not.toContain(canary)
})

test('an error in a module says in which, and where', async () => {
  await shop.make({
    name: 'broken_kit',
    source: 'export const fail = () => {\n  throw new Error("in kit")\n}\nexport default () => 1',
  })
  await shop.make(
    await importing(
      'use_broken_kit',
      'import { fail } from "toolcrib:lib/broken_kit@1"\nexport default ({ go }) => go ? fail() : 1',
      {
        inputs: { go: { type: 'boolean' } },
        examples: [{ input: { go: false } }],
      },
    ),
  )
  expect(await shop.call('use_broken_kit', { go: true })).toMatchObject({
    error: expect.stringMatching(/in kit \(at toolcrib:lib\/broken_kit@1 2:\d+\)/) as string,
  })
})

test('what is pinned must be what is imported, approved and unchanged', async () => {
  const source = 'import { shout } from "toolcrib:lib/text_kit@1"\nexport default () => shout("x")'
  const [kit] = await pinModules(source, findModule)
  if (kit === undefined) throw new Error('nothing was pinned')
  const propose = (modules: CodeIntent['modules'], text = source): Promise<string> =>
    failures({ name: 'pin_wrongly', source: text, modules })
  expect(await propose([])).toMatch(/import\.unpinned: line 1/)
  expect(await propose([{ ...kit, contentHash: '0'.repeat(64) }])).toMatch(
    /modules: .*is not the version that was pinned/,
  )
  expect(await propose([{ ...kit, source: 'export const shout = () => "evil"' }])).toMatch(
    /is not the version that was pinned/,
  )
  expect(await propose([kit], 'export default () => 1')).toMatch(/pinned and never imported/)
  expect(await propose([kit, kit])).toMatch(/pinned twice/)
  expect(
    await propose([{ ...kit, specifier: 'toolcrib:lib/text_kit@7' }], source.replace('@1', '@7')),
  ).toMatch(/text_kit@7 is no approved version/)
  expect(
    await propose([{ ...kit, source: 'import fs from "node:fs"\nexport const shout = () => fs' }]),
  ).toMatch(/import\.forbidden: toolcrib:lib\/text_kit@1, line 1/)
})

test('only approved versions can be pinned, and nothing in a circle', async () => {
  const importOf = (name: string): string => `import "toolcrib:lib/${name}"\nexport default () => 1`
  await shop.propose({ name: 'waiting_kit', source: 'export default () => 1' })
  await expect(pinModules(importOf('waiting_kit@1'), findModule)).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
    message: expect.stringContaining('no approved version') as string,
  })
  const circle: FindModule = (name) => ({
    contentHash: '1'.repeat(64),
    source: importOf(name === 'a' ? 'b@1' : 'a@1'),
  })
  await expect(pinModules(importOf('a@1'), circle)).rejects.toThrow(
    /a@1 → toolcrib:lib\/b@1 → toolcrib:lib\/a@1/,
  )
  const chain: FindModule = (name) => ({
    contentHash: '1'.repeat(64),
    source: importOf(`${name}x@1`),
  })
  await expect(pinModules(importOf('a@1'), chain)).rejects.toThrow(/more than 20 modules/)
  expect(await pinModules('export default () => import.meta', circle)).toEqual([])
})

test('a revoked module stops the tools that import it, at their next call', async () => {
  await shop.make({
    name: 'short_lived_kit',
    source: 'export const one = () => 1\nexport default one',
  })
  await shop.make(
    await importing(
      'use_short_lived',
      'import { one } from "toolcrib:lib/short_lived_kit@1"\nexport default () => one()',
    ),
  )
  expect(await shop.call('use_short_lived', {})).toMatchObject({ output: 1 })
  await shop.maker.revokeTool('short_lived_kit', 1, { reason: 'it was wrong' })
  expect(await shop.call('use_short_lived', {})).toMatchObject({
    success: false,
    errorCode: 'TOOL_REVOKED',
    error: expect.stringContaining('short_lived_kit@1 is no approved version') as string,
  })
})

test('whether modules are still approved is asked once in a while, not at each call', async () => {
  const patient = await openCodeShop({ sandbox, findModule, moduleCheckMs: 60_000 })
  const source = 'import { shout } from "toolcrib:lib/text_kit@1"\nexport default () => shout("x")'
  await patient.make({ name: 'ask_seldom', source, modules: await pinModules(source, findModule) })
  asked = 0
  for (let call = 0; call < 5; call += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await patient.call('ask_seldom', {})).toMatchObject({ output: 'X!' })
  expect(asked).toBe(1)
})

test('a call does not wait longer for that answer than it may take', async () => {
  let isSilent = false
  const silent: FindModule = (name, version) =>
    isSilent ? new Promise(() => undefined) : findModule(name, version)
  const waiting = await openCodeShop({ sandbox, findModule: silent })
  const source = 'import { shout } from "toolcrib:lib/text_kit@1"\nexport default () => shout("x")'
  await waiting.make({ name: 'ask_in_vain', source, modules: await pinModules(source, findModule) })
  isSilent = true
  const result = await waiting.call('ask_in_vain', {}, { timeoutMs: 200 })
  expect(result).toMatchObject({ errorCode: 'TIMEOUT' })
  expect(result).not.toHaveProperty('mayStillBeRunning')
})

test('without somebody who finds modules none can be imported', async () => {
  const source = 'import { shout } from "toolcrib:lib/text_kit@1"\nexport default () => shout("x")'
  const lonely = await openCodeShop({ sandbox })
  const built = await lonely.propose({
    name: 'import_alone',
    source,
    modules: await pinModules(source, findModule),
  })
  expect(built.status).toBe('rejected')
})
