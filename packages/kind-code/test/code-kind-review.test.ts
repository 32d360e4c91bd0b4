import { type Sandbox, createSandbox } from '@toolcrib/sandbox'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import { type TypeChecker, createCodeKind } from '../src/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CodeShop, openCodeShop } from './code-kind-shop.ts'
import { type CodeWorld, openCodeWorld } from './code-kind-world.ts'

let world: CodeWorld
let sandbox: Sandbox
let shop: CodeShop

beforeAll(async () => {
  sandbox = createSandbox({ maxWorkers: 1 })
  world = await openCodeWorld()
  shop = await openCodeShop({ sandbox, powers: world.powers() })
})
afterAll(async () => {
  await world.close()
  await sandbox.close()
})

/** A spec that nobody proposed, to ask a kind directly. */
function specOf(
  changes: Partial<ToolSpec> & { readonly source?: string; readonly form?: 'function' | 'factory' },
): ToolSpec {
  const { form = 'function', source = 'export default () => 1', ...rest } = changes
  return {
    kind: 'code',
    name: 'some_code',
    description: 'Does something',
    inputSchema: { type: 'object' },
    definition: { language: 'typescript', form, source },
    capabilities: [],
    allowedPaths: [],
    allowedDomains: [],
    secrets: [],
    callees: [],
    limits: {},
    examples: [],
    risk: 'medium',
    visibility: 'owner',
    owner: 'agent:ada',
    version: 1,
    contentHash: 'a'.repeat(64),
    createdAt: '2030-01-01T00:00:00.000Z',
    createdBy: 'ada',
    ...rest,
  }
}

const run = (
  spec: ToolSpec,
  input: unknown,
  kind = createCodeKind({ sandbox }),
): Promise<unknown> =>
  Promise.resolve(
    kind.compile(spec).execute(input, new AbortController().signal, undefined as never),
  )

test('a review says what the tool may touch, what its source names and where, and what that does not show', async () => {
  const built = await shop.propose({
    name: 'report_weather',
    capabilities: ['http', 'secrets', 'fs_write'],
    allowedDomains: ['api.example.com'],
    allowedPaths: ['data'],
    secrets: ['API_TOKEN'],
    source: [
      'export default async (input, ctx) => {',
      '  const token = await ctx.secrets.ref("API_TOKEN")',
      '  const answer = await ctx.http.get("https://api.example.com/", { headers: { authorization: token } })',
      '  const { fs } = ctx; await fs.writeText("data/x.txt", answer.text)',
      '  return (await ctx.http.get("https://api.example.com/b")).status',
      '}',
    ].join('\n'),
    codeLimits: { memoryBytes: 67_108_864 },
    examples: [
      {
        input: {},
        fixtures: [{ operation: 'http.request', result: 'ok' }, { operation: 'fs.writeText' }],
      },
    ],
  })
  expect(built.status).toBe('approval_required')
  // What the kind adds, and what a policy allows.
  expect(built.report.powers).toEqual([
    'May use 67108864 bytes of memory in one call',
    'may create, change and delete files in data',
    'may send HTTP requests to api.example.com',
    'may use the secret API_TOKEN',
  ])
  const review = await shop.maker.readReview('report_weather', 1)
  expect(review?.powers).toEqual(built.report.powers)
  expect(built.report.steps).toEqual([
    expect.stringMatching(/^Runs 6 lines of TypeScript \(\d+ characters\) in the sandbox\.$/),
    'Names ctx.secrets.ref at line 2.',
    'Names ctx.http.get at lines 3, 5.',
    'Has the power fs_write and does not name where it uses it; read the source.',
    'Code can use what it may under other names too; only the powers above bound it.',
  ])
})

test('the change since the last approved version is said in every part', async () => {
  await shop.make({
    name: 'change_often',
    inputs: { a: { type: 'string' } },
    source: 'export default () => {\n  return 1\n}\n',
    examples: [{ input: { a: '' } }],
  })
  const built = await shop.propose({
    name: 'change_often',
    inputs: { a: { type: 'string' } },
    source: 'export default () => {\n  const one = 1\n  return one\n}\n',
    humanReadableFormat: 'Change ${input.a}',
    codeLimits: { cpuMs: 100 },
    examples: [{ input: { a: '' } }],
  })
  expect(built.report.change).toEqual([
    'The source changed: 2 lines added, 1 line removed.',
    'The line about a call was the usual one and is "Change ${input.a}".',
    'The limit cpuMs was the usual one and is 100.',
  ])
  const kind = createCodeKind({ sandbox })
  const ask = (spec: ToolSpec, previous: ToolSpec): unknown =>
    kind.describeChange?.({ spec, previous })
  expect(ask(specOf({}), specOf({}))).toEqual(['The source is the same.'])
  expect(ask(specOf({}), specOf({ kind: 'compute', definition: { steps: [] } }))).toEqual([
    'It was a tool of kind "compute" before; every line is new.',
  ])
  expect(ask(specOf({}), specOf({ form: 'factory' }))).toEqual([
    'Its form was "factory" and is "function".',
  ])
})

test('the source is a file of its own, byte for byte, and the custom tool names it', () => {
  const kind = createCodeKind({ sandbox })
  const source = '// \u00e4\r\nexport default () => 1'
  const spec = specOf({ source, version: 3 })
  expect(kind.renderSource?.(spec)).toEqual({ extension: 'ts', text: source })
  expect(kind.toCustomTool?.(spec)).toEqual({
    form: 'function',
    source: 'generated/some_code_v3.ts',
  })
})

test('the fingerprint names the engine, what erases types, and the modules of guests', () => {
  const { fingerprint } = createCodeKind({ sandbox })
  expect(fingerprint).toContain(sandbox.engine.fingerprint)
  expect(fingerprint).toMatch(/amaro@\d+\.\d+\.\d+ modules@[0-9a-f]{16}$/)
  const other = { ...sandbox, engine: { ...sandbox.engine, fingerprint: 'another' } }
  expect(createCodeKind({ sandbox: other }).fingerprint).not.toBe(fingerprint)
})

test('a line about a call is filled in, and nothing of it is evaluated', () => {
  const kind = createCodeKind({ sandbox })
  const definition = (humanReadableFormat?: string): ToolSpec =>
    specOf({
      definition: {
        language: 'typescript',
        form: 'function',
        source: 'export default () => 1',
        ...(humanReadableFormat === undefined ? {} : { humanReadableFormat }),
      },
    })
  const line = (format: string | undefined, input: unknown): unknown =>
    kind.compile(definition(format)).describeCall?.(input)
  expect(line('Sends ${input.to}', { to: 'Ada\u202e' })).toBe('Sends Ada⟨U+202E⟩')
  expect(line('${process.exit(1)}', {})).toContain('process.exit')
  expect(line(undefined, { a: 'x'.repeat(100), b: [1], c: { d: 1 }, e: null })).toBe(
    `some_code({ a: "${'x'.repeat(40)}…", b: [1 items], c: {1 fields}, e: null })`,
  )
  expect(line(undefined, 'text')).toBe('some_code("text")')
})

test('a tool factory of the AI SDK runs, and its errors have their place in its own source', async () => {
  const source = [
    "import { tool } from 'ai'",
    "import { z } from 'zod'",
    'export default (context: { agentId: string }) => tool({',
    "  description: 'Doubles',",
    '  inputSchema: z.object({ n: z.number() }),',
    '  execute: async ({ n }) => {',
    "    if (n < 0) throw new RangeError('negative')",
    '    return n * 2',
    '  },',
    '})',
  ].join('\n')
  await shop.make({
    name: 'double_by_factory',
    form: 'factory',
    inputs: { n: { type: 'number' } },
    source,
    examples: [{ input: { n: 2 }, expected: 4 }],
  })
  expect(await shop.call('double_by_factory', { n: 21 })).toMatchObject({ output: 42 })
  expect(await shop.call('double_by_factory', { n: -1 })).toMatchObject({
    error: expect.stringMatching(/RangeError: negative \(at source 7:\d+\)/) as string,
  })
})

test('types are checked where a checker is given, and the report says so where none is', async () => {
  const asked: unknown[] = []
  const checker: TypeChecker = {
    check: async ({ definition }) => {
      asked.push(definition.source)
      return definition.source.includes('wrong')
        ? {
            problems: [
              { rule: 'types', severity: 'error', message: 'It is wrong.', line: 1, column: 4 },
            ],
          }
        : { notChecked: 'typescript is not installed.' }
    },
    close: () => undefined,
  }
  const checked = await openCodeShop({ sandbox, typeChecker: checker })
  const wrong = await checked.propose({
    name: 'type_wrongly',
    source: 'export default () => "wrong"',
  })
  expect(wrong.status).toBe('rejected')
  expect(wrong.report.checks).toContainEqual({
    name: 'types',
    pass: false,
    message: 'line 1, column 4: It is wrong.',
  })
  const skipped = await checked.propose({ name: 'type_nothing', source: 'export default () => 1' })
  expect(skipped.report.checks).toContainEqual({
    name: 'types',
    pass: true,
    message: 'not type-checked: typescript is not installed.',
  })
  expect(asked).toHaveLength(2)
  const without = await shop.propose({ name: 'type_never', source: 'export default () => 1' })
  expect(without.report.checks).toContainEqual({
    name: 'types',
    pass: true,
    message: 'not type-checked: this host has no type checker.',
  })
})

const noFacts = {
  logs: [],
  droppedLogs: 0,
  hostCalls: [],
  violations: [],
  durationMs: 0,
  cpuMs: 0,
} as const

/** The sandbox with other answers. */
function sandboxWith(changes: Partial<Sandbox>): Sandbox {
  return {
    engine: sandbox.engine,
    load: (module, options) => sandbox.load(module, options),
    call: (hash, input, options) => sandbox.call(hash, input, options),
    unload: () => undefined,
    close: async () => undefined,
    ...changes,
  }
}

test('a sandbox that loads something else than before is not believed', async () => {
  let loads = 0
  const swapping = sandboxWith({
    load: async (module, options) => {
      loads += 1
      const loaded = await sandbox.load(module, options)
      return loaded.ok && loads > 1 ? { ...loaded, hash: 'f'.repeat(64) } : loaded
    },
    call: async () => ({ ok: false, reason: 'load', message: 'it is not known', ...noFacts }),
  })
  await expect(run(specOf({}), {}, createCodeKind({ sandbox: swapping }))).rejects.toMatchObject({
    code: 'TOOL_TAMPERED',
  })
})

test('what is tried while a call ends is told although the call has its answer', async () => {
  const late = sandboxWith({
    call: async (_hash, _input, { operations = {} } = {}) => {
      setTimeout(() => {
        const { signal } = new AbortController()
        Promise.resolve(operations['fs.readText']?.({ path: 'x' }, { signal })).catch(
          () => undefined,
        )
      }, 5)
      return { ok: true, json: '1', ...noFacts }
    },
  })
  const told: string[] = []
  const tool = createCodeKind({ sandbox: late }).compile(specOf({}))
  const context = { reportViolation: ({ code }: { code: string }) => void told.push(code) }
  expect(await tool.execute({}, new AbortController().signal, context as never)).toBe(1)
  await expect.poll(() => told).toEqual(['POLICY_VIOLATION'])
})

test('a guest that was stopped although nobody asked for it has run out of time', async () => {
  const stopping = sandboxWith({
    call: async () => ({ ok: false, reason: 'aborted', message: 'stopped', ...noFacts }),
  })
  await expect(run(specOf({}), {}, createCodeKind({ sandbox: stopping }))).rejects.toMatchObject({
    code: 'TIMEOUT',
    message: 'It did not finish within 30000 ms.',
  })
})

test('a definition that is none is compiled into nothing', () => {
  expect(() => createCodeKind({ sandbox }).compile(specOf({ definition: { source: 1 } }))).toThrow(
    /language/,
  )
})

test('without an invoker a tool runs, and calls no other', async () => {
  expect(
    await run(specOf({ source: 'export default (input, ctx) => [input, ctx.call]' }), { a: 1 }),
  ).toEqual([{ a: 1 }, {}])
  const calling = specOf({
    source: 'export default (input, ctx) => ctx.tools.call("other", {})',
    capabilities: ['tools'],
    callees: [{ name: 'other', hash: null }],
  })
  await expect(
    run(calling, {}, createCodeKind({ sandbox, powers: world.powers() })),
  ).rejects.toThrow(/only in calls of an invoker/)
})

test.for([
  [{ exampleTimeoutMs: 0 }, /exampleTimeoutMs/],
  [{ evidenceTimeoutMs: 1.5 }, /evidenceTimeoutMs/],
  [{ maxRecordedLength: -1 }, /maxRecordedLength/],
  [{ loadTimeoutMs: Number.NaN }, /loadTimeoutMs/],
  [{ moduleCheckMs: -1 }, /moduleCheckMs/],
] as const)('%j is refused at once', ([options, message]) => {
  expect(() => createCodeKind({ sandbox, ...options })).toThrow(message)
})
