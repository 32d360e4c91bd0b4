import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonValue, ToolRegistry, contentHash } from '@toolcrib/registry'
import {
  type LifecycleEvent,
  type LoadReport,
  type MemoryTrust,
  type ToolContent,
  createMemoryTrust,
  createToolsmaker,
} from '@toolcrib/toolsmaker'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import {
  agent,
  codeOf,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
  readEvents,
  rewriteStore,
  withStatement,
} from './bench-of-tests.ts'

// Between an approval and a load somebody changes what was approved, in the store. Nothing of it may run, or even be compiled.

const grace = makeSigner('grace')
let folder: Awaited<ReturnType<typeof makeFolder>>
let trust: MemoryTrust
let compiled: number
let genuine: LifecycleEvent[]

const kind = createAdderKind({
  kind: 'code',
  check: () => [],
  gatherEvidence: ({ spec }) =>
    spec.examples.map(({ input }) => ({ input, pass: true, durationMs: 1, origin: 'author' })),
  describeSteps: () => ['runs its source'],
  describeChange: () => [],
  renderSource: () => ({ extension: 'ts', text: 'export default () => 1\n' }),
  compile: () => {
    compiled += 1
    return { execute: async () => 'ran' }
  },
})

const moduleSource = 'export const rate = 0.19\n'
const content = {
  kind: 'code',
  name: 'gross_price',
  description: 'Gives the gross price of a net price',
  inputSchema: { type: 'object', properties: { net: { type: 'number' } } },
  outputSchema: { type: 'object' },
  definition: {
    language: 'typescript',
    form: 'function',
    source: "import { rate } from 'toolcrib:lib/tax_rates@1'\nexport default () => rate\n",
    modules: [
      { specifier: 'toolcrib:lib/tax_rates@1', contentHash: 'a'.repeat(64), source: moduleSource },
    ],
    humanReadableFormat: 'Gross price of ${input.net}',
    limits: { cpuMs: 100, memoryBytes: 2_097_152, maxHostCalls: 3 },
  },
  capabilities: ['http', 'fs_read', 'secrets'],
  allowedPaths: ['data'],
  allowedDomains: ['api.example.com'],
  secrets: ['API_KEY'],
  callees: [],
  limits: { timeoutMs: 1_000, maxOutputBytes: 1_000, maxConcurrent: 2 },
  examples: [
    {
      input: { net: 100 },
      expected: 119,
      note: 'the usual rate',
      fixtures: [
        {
          operation: 'http.request',
          argument: { url: 'https://api.example.com/rate' },
          result: { status: 200, json: { rate: 0.19 } },
        },
        { operation: 'fs.readText', error: 'not there' },
      ],
    },
  ],
  risk: 'high',
} as const

beforeEach(async () => {
  folder = await makeFolder()
  trust = createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
  })
  const workshop = await openWorkshop({
    trust,
    grace,
    kinds: [kind],
    store: await openFolder(folder.path),
  })
  await workshop.maker.forAgent(agent).buildTool(content)
  await workshop.maker.approveTool('gross_price', 1, { signer: grace })
  await workshop.maker.activateToolVersion('gross_price', 1, { signer: grace })
  await workshop.maker.close()
  genuine = await readEvents(folder.path)
  compiled = 0
})
afterEach(() => folder.remove())

interface Loaded {
  readonly report: LoadReport
  readonly registry: ToolRegistry
  readonly activation: string
}

/** Starts on the store as it is now. */
async function load(): Promise<Loaded> {
  const registry = new ToolRegistry()
  const store = await openFolder(folder.path)
  const maker = await createToolsmaker({ store, trust, registry, kinds: [kind] })
  const report = await maker.loadActiveTools()
  // Nor can it be put into use anew.
  const activation = await codeOf(
    (async () => {
      if (maker.activeVersions()['gross_price'] !== undefined)
        await maker.deactivateTool('gross_price', { reason: 'to try again' })
      await maker.activateToolVersion('gross_price', 1, { signer: grace })
    })(),
  )
  expect(await maker.readApproved('gross_price', 1)).toBe(undefined)
  await maker.checkProjections()
  await maker.close()
  return { report, registry, activation }
}

async function expectRefused(loaded: Loaded, what: string): Promise<void> {
  expect(loaded.report.registered, what).toBe(0)
  expect(loaded.report.refused, what).toMatchObject([
    { name: 'gross_price', code: 'TOOL_TAMPERED' },
  ])
  expect(loaded.activation, what).toBe('TOOL_TAMPERED')
  expect(loaded.registry.count(), what).toBe(0)
  expect(compiled, what).toBe(0)
}

type Change = (content: ToolContent) => void

/** The store with another content; with `rehash` its hash, and that in every decision, is made to fit. */
async function rewrite(change: Change, { rehash }: { readonly rehash: boolean }): Promise<void> {
  const events = structuredClone(genuine)
  let hash: string | undefined
  for (const event of events) {
    if (event.type === 'tool_build_generated') {
      change(event.content)
      hash = rehash ? await contentHash(event.content as unknown as JsonValue) : undefined
      if (hash !== undefined) Object.assign(event, { contentHash: hash })
    }
    if ('decision' in event && hash !== undefined && event.decision !== undefined)
      Object.assign(event, { decision: withStatement(event.decision, { contentHash: hash }) })
  }
  // As if nothing outside of the store remembered it: only hashes and signatures stand in the way.
  trust.readCheckpoint = async () => undefined
  await rewriteStore(folder.path, events)
}

function put(path: readonly (string | number)[], value: unknown): Change {
  return (target) => {
    let inner = target as unknown as Record<string | number, unknown>
    for (const step of path.slice(0, -1)) inner = inner[step] as typeof inner
    inner[path.at(-1) ?? ''] = value
  }
}

const modules = ['definition', 'modules', 0] as const
const fixtures = ['examples', 0, 'fixtures'] as const

describe.each([
  ['as it is', false],
  ['with every hash made to fit', true],
])('a changed content %s is not loaded', (_how, rehash) => {
  // oxlint-disable-next-line expect-expect -- `expectRefused` does
  test.each<[string, Change]>([
    ['source', put(['definition', 'source'], 'export default () => evil()')],
    ['source by one blank', put(['definition', 'source'], `${content.definition.source} `)],
    ['form', put(['definition', 'form'], 'factory')],
    ['source of a module', put([...modules, 'source'], 'export const rate = 99\n')],
    ['hash of a module', put([...modules, 'contentHash'], 'b'.repeat(64))],
    ['name of a module', put([...modules, 'specifier'], 'toolcrib:lib/tax_rates@2')],
    ['list of modules', put(['definition', 'modules'], [])],
    ['limit of memory', put(['definition', 'limits', 'memoryBytes'], 268_435_456)],
    ['line for people', put(['definition', 'humanReadableFormat'], 'Nothing to see')],
    ['answer of a fixture', put([...fixtures, 0, 'result'], { status: 500 })],
    ['argument of a fixture', put([...fixtures, 0, 'argument'], { url: 'https://evil.test' })],
    ['operation of a fixture', put([...fixtures, 0, 'operation'], 'secrets.ref')],
    ['error of a fixture', put([...fixtures, 1, 'error'], 'there')],
    ['list of fixtures', put(fixtures, [])],
    ['note of an example', put(['examples', 0, 'note'], 'approved by Grace')],
    ['output that was promised', put(['examples', 0, 'expected'], 120)],
    ['domain', put(['allowedDomains', 0], 'evil.test')],
    ['secret', put(['secrets', 0], 'OTHER_KEY')],
    ['risk', put(['risk'], 'low')],
    ['field that nobody knows', put(['extra'], true)],
  ])('%s', async (what, change) => {
    await rewrite(change, { rehash })
    await expectRefused(await load(), what)
  })
})

test('any change of any value anywhere is found', async () => {
  const generated = genuine.find((event) => event.type === 'tool_build_generated')
  const paths: (readonly (string | number)[])[] = []
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) paths.push(path)
    else
      for (const [key, inner] of Object.entries(value))
        walk(inner, [...path, Array.isArray(value) ? Number(key) : key])
  }
  walk(generated?.content, [])
  expect(paths.length).toBeGreaterThan(30)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.boolean(),
      async (path, value, rehash) => {
        let before: unknown = generated?.content
        for (const step of path) before = (before as Record<string | number, unknown>)[step]
        fc.pre(before !== value)
        await rewrite(put(path, value), { rehash })
        const { registry } = await load()
        expect(registry.count()).toBe(0)
        expect(compiled).toBe(0)
      },
    ),
    { numRuns: 25 },
  )
})

test('a byte that is changed in the file itself is found, though the host remembers the log as verified', async () => {
  const log = join(folder.path, 'store', 'audit.jsonl')
  const text = await readFile(log, 'utf8')
  for (const [from, to] of [
    ['rate = 0.19', 'rate = 9.19'],
    ['"status":200', '"status":500'],
    ['export default', 'export  efault'],
  ] as const) {
    expect(text).toContain(from)
    await writeFile(log, text.replace(from, to))
    await expectRefused(await load(), from)
    await writeFile(log, text)
  }
})

test('files beside the log are read by nobody: changed source and specs change nothing and are restored', async () => {
  const at = (path: string): string => join(folder.path, 'store', path)
  for (const path of ['generated/gross_price_v1.ts', 'specs/gross_price_v1.json'])
    await writeFile(at(path), 'evil()')
  const registry = new ToolRegistry()
  const store = await openFolder(folder.path)
  const maker = await createToolsmaker({ store, trust, registry, kinds: [kind] })
  expect(await maker.loadActiveTools()).toEqual({ registered: 1, refused: [] })
  const { restored } = await maker.checkProjections()
  expect(restored.toSorted()).toEqual(['generated/gross_price_v1.ts', 'specs/gross_price_v1.json'])
  expect(await readFile(at('generated/gross_price_v1.ts'), 'utf8')).toContain('export default')
  expect((await maker.listEvents({ type: 'tool_tampered' })).length).toBe(2)
  await maker.close()
})

test('what nobody touched is loaded', async () => {
  await rewriteStore(folder.path, genuine)
  const registry = new ToolRegistry()
  const store = await openFolder(folder.path)
  const maker = await createToolsmaker({ store, trust, registry, kinds: [kind] })
  expect(await maker.loadActiveTools()).toEqual({ registered: 1, refused: [] })
  await maker.close()
})
