import { readFileSync } from 'node:fs'
import { type Sandbox, createSandbox } from '@toolcrib/sandbox'
import { type TypeChecker, createTypeChecker, inspectToolFile } from '../src/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostOperationPowers } from '../src/operations/host-operation-names.ts'
import { sandboxGlobals } from '../src/source/known-globals.ts'
import { type CodeShop, openCodeShop } from './code-kind-shop.ts'
import { type CodeWorld, openCodeWorld } from './code-kind-world.ts'

const page = readFileSync(new URL('../../../docs/code-tools.md', import.meta.url), 'utf8')
const sources = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, source = '']) => source)
const names = ['tell_temperature', 'count_words', 'add_to_list', 'compare_cities']

let world: CodeWorld
let sandbox: Sandbox
let typeChecker: TypeChecker
let shop: CodeShop

beforeAll(async () => {
  sandbox = createSandbox({ maxWorkers: 1 })
  world = await openCodeWorld()
  typeChecker = createTypeChecker({ typescript: 'typescript-classic', timeoutMs: 60_000 })
  shop = await openCodeShop({ sandbox, typeChecker, powers: world.powers(), kindTimeoutMs: 60_000 })
})
afterAll(async () => {
  typeChecker.close()
  await world.close()
  await sandbox.close()
})

/** Makes a file of the page into a tool, as the folder of dynamic tools does. */
async function make(name: string, source: string): Promise<void> {
  const { form, description, humanReadableFormat, inputSchema, outputSchema, settings } =
    await inspectToolFile(source, { sandbox })
  const { capabilities, allowedPaths, allowedDomains, callees, examples, risk, secrets } = settings
  const built = await shop.make({
    name,
    source,
    form,
    purpose: description,
    inputs: inputSchema,
    ...(outputSchema && { outputs: outputSchema }),
    ...(humanReadableFormat === undefined ? {} : { humanReadableFormat }),
    ...(capabilities && { capabilities }),
    ...(allowedPaths && { allowedPaths }),
    ...(allowedDomains && { allowedDomains }),
    ...(secrets && { secrets }),
    ...(callees && { callees }),
    ...(risk && { risk }),
    ...(examples && { examples }),
  })
  expect(built.report.checks.filter(({ pass }) => !pass)).toEqual([])
  const types = built.report.checks.find(({ name: check }) => check === 'types')?.message
  // A factory says its types by its own zod schema.
  if (form === 'function') expect(types).toBe('The types fit the declared schemas.')
  expect(built.report.evidence.length).toBeGreaterThan(0)
  expect(built.report.evidence.every(({ pass }) => pass)).toBe(true)
}

test('every file of the page passes its checks and its examples', async () => {
  expect(sources).toHaveLength(names.length)
  // oxlint-disable-next-line no-await-in-loop -- the last one calls the first
  for (const [index, source] of sources.entries()) await make(names[index] ?? '', source)
  expect(await shop.call('count_words', { text: ' not to be ' })).toMatchObject({
    output: { words: 3 },
  })
  expect(await shop.call('add_to_list', { line: 'salt' })).toMatchObject({ output: 1 })
  expect(await shop.call('add_to_list', { line: 'bread' })).toMatchObject({ output: 2 })
})

test('the page names every operation with its capability', () => {
  const rows = [...page.matchAll(/^\| `([a-z]+\.[a-zA-Z]+)`[^|]*\| ([^|]*)\|/gm)].map(
    ([, operation, capabilities = '']) => [
      operation,
      [...capabilities.matchAll(/`(\w+)`/g)].map(([, capability]) => capability),
    ],
  )
  const known = Object.entries(hostOperationPowers)
  expect(rows.slice(0, known.length)).toEqual(known)
})

test('the page names every global of the sandbox', () => {
  const [, section = ''] = /^## Beside the language\n\n(.*?)\n\n/ms.exec(page) ?? []
  const named = [...section.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)]
  expect(new Set(named.map(([, name]) => name))).toEqual(sandboxGlobals)
})
