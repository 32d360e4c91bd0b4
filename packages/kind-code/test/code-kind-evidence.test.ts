import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Sandbox, createSandbox } from '@toolcrib/sandbox'
import type { BuildOutcome } from '@toolcrib/toolsmaker'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CodeIntent, type CodeShop, openCodeShop } from './code-kind-shop.ts'
import { type CodeWorld, canary, openCodeWorld, secretValue } from './code-kind-world.ts'

let world: CodeWorld
let sandbox: Sandbox
let shop: CodeShop
/** The same with little time for examples. */
let hasty: CodeShop
let count = 0

beforeAll(async () => {
  sandbox = createSandbox({ maxWorkers: 1 })
  world = await openCodeWorld()
  shop = await openCodeShop({ sandbox, powers: world.powers() })
  hasty = await openCodeShop({
    sandbox,
    exampleTimeoutMs: 300,
    evidenceTimeoutMs: 700,
    loadTimeoutMs: 1_000,
  })
})
beforeEach(() => {
  world.seen.length = 0
})
afterAll(async () => {
  await world.close()
  await sandbox.close()
})

/** Proposes under a name of its own. */
function propose(intent: Omit<CodeIntent, 'name'>, workshop = shop): Promise<BuildOutcome> {
  count += 1
  return workshop.propose({ ...intent, name: `evidence_number_${count}` })
}

function failuresOf({ report }: BuildOutcome): readonly string[] {
  return report.checks.filter(({ pass }) => !pass).map(({ message, name }) => `${name}: ${message}`)
}

const everything = (): Pick<
  CodeIntent,
  'capabilities' | 'allowedPaths' | 'allowedDomains' | 'secrets' | 'callees' | 'risk'
> => ({
  capabilities: ['fs_read', 'fs_write', 'http', 'secrets', 'tools'],
  allowedPaths: ['data', 'host'],
  allowedDomains: [world.origin('api.test')],
  secrets: ['API_TOKEN'],
  callees: ['canary_tool'],
  risk: 'high',
})

test('while examples are tried nothing outside is touched: no server, no file, no secret, no tool', async () => {
  const called: unknown[] = []
  shop.registry.register({
    name: 'canary_tool',
    description: 'Tells when it is called',
    inputSchema: { type: 'object' },
    execute: (input) => {
      called.push(input)
      return canary
    },
  })
  const before = readdirSync(world.workspace, { recursive: true })
  const built = await propose({
    ...everything(),
    source: [
      'export default async (input, ctx) => {',
      '  const file = await ctx.fs.readText("data/a.txt")',
      '  await ctx.fs.writeText("data/written.txt", "x")',
      '  await ctx.fs.appendText("data/a.txt", "x")',
      '  await ctx.fs.delete("data/a.txt")',
      '  await ctx.fs.createFolder("data/folder")',
      '  const token = await ctx.secrets.ref("API_TOKEN")',
      `  const answer = await ctx.http.post("${world.origin('api.test')}/x", { headers: { authorization: token }, json: { a: 1 } })`,
      '  const called = await ctx.tools.call("canary_tool", { b: 2 })',
      '  const there = [await ctx.fs.exists("data/a.txt"), await ctx.fs.list("data"), await ctx.fs.stat("data/a.txt")]',
      '  return { text: file.text, bytes: file.bytes, token, json: answer.json, status: answer.status, called, there }',
      '}',
    ].join('\n'),
    examples: [
      {
        input: {},
        expected: {
          text: 'as the author says',
          bytes: 18,
          token: 'tmsec_0000000000000000_API_TOKEN_',
          json: { hello: 'world' },
          status: 201,
          called: { from: 'fixture' },
          there: [
            true,
            ['x.txt'],
            { type: 'file', bytes: 3, modifiedAt: '2000-01-01T00:00:00.000Z' },
          ],
        },
        fixtures: [
          {
            operation: 'fs.readText',
            argument: { path: 'data/a.txt' },
            result: 'as the author says',
          },
          { operation: 'fs.writeText' },
          { operation: 'fs.appendText' },
          { operation: 'fs.delete' },
          { operation: 'fs.createFolder' },
          {
            operation: 'http.request',
            argument: { method: 'POST', json: { a: 1 } },
            result: { status: 201, json: { hello: 'world' } },
          },
          {
            operation: 'tools.call',
            argument: { name: 'canary_tool' },
            result: { from: 'fixture' },
          },
          { operation: 'fs.exists', result: true },
          { operation: 'fs.list', result: ['x.txt'] },
          { operation: 'fs.stat', result: { bytes: 3 } },
        ],
      },
    ],
  })
  expect(failuresOf(built)).toEqual([])
  expect(built.status).toBe('approval_required')
  const [run] = built.report.evidence
  expect(run?.operations?.map(({ answer, operation }) => `${operation} ${answer}`)).toEqual([
    'fs.readText fixture',
    'fs.writeText fixture',
    'fs.appendText fixture',
    'fs.delete fixture',
    'fs.createFolder fixture',
    'secrets.ref fixture',
    'http.request fixture',
    'tools.call fixture',
    'fs.exists fixture',
    'fs.list fixture',
    'fs.stat fixture',
  ])
  expect(run?.operations?.[6]?.argument).toMatchObject({ method: 'POST', json: { a: 1 } })
  expect(world.seen).toEqual([])
  expect(called).toEqual([])
  expect(readdirSync(world.workspace, { recursive: true })).toEqual(before)
  expect(readFileSync(join(world.workspace, 'data', 'a.txt'), 'utf8')).toBe('content of a')
  expect(JSON.stringify(built)).not.toContain(secretValue)
  expect(JSON.stringify(built)).not.toContain(canary)
})

test('an example knows of its call what a call knows', async () => {
  const { report } = await propose({
    source: [
      'export default ({ trial }, ctx) => {',
      '  const { deadline, id, ...rest } = ctx.call',
      '  const isLater = deadline > Date.now() && deadline < Date.now() + 60_000',
      '  return { ...rest, isLater, id }',
      '}',
    ].join('\n'),
    inputs: { trial: { type: 'number' } },
    examples: [1, 1, 2].map((trial) => ({ input: { trial } })),
  })
  const [first, second, third] = report.evidence.map(({ actual }) => actual as { id: string })
  expect(first).toMatchObject({ agentId: 'ada', isLater: true })
  expect(first?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  expect(second).toEqual(first)
  expect(third?.id).not.toBe(first?.id)
})

test('the first fixture answers that fits, by what its argument names', async () => {
  const built = await propose({
    capabilities: ['tools'],
    callees: ['canary_tool'],
    risk: 'high',
    source:
      'export default (input, ctx) => Promise.all([{ a: 1 }, { a: 2, b: [1, 2] }, { a: 2, b: [1] }, {}].map((each) => ctx.tools.call("canary_tool", each)))',
    examples: [
      {
        input: {},
        expected: ['one', 'list', 'two', 'any'],
        fixtures: [
          { operation: 'tools.call', argument: { input: { a: 1 } }, result: 'one' },
          { operation: 'tools.call', argument: { input: { b: [1, 2] } }, result: 'list' },
          { operation: 'tools.call', argument: { input: { a: 2 } }, result: 'two' },
          { operation: 'tools.call', argument: { name: 'other' }, result: 'wrong' },
          { operation: 'tools.call', result: 'any' },
        ],
      },
    ],
  })
  expect(built.report.evidence).toMatchObject([{ pass: true }])
})

test('an operation without a fixture fails, and the error says what to add', async () => {
  const built = await propose({
    capabilities: ['http'],
    allowedDomains: [world.origin('api.test')],
    source: `export default async (input, ctx) => (await ctx.http.get("${world.origin('api.test')}/a")).text`,
    examples: [{ input: {} }],
  })
  expect(built.status).toBe('rejected')
  const [run] = built.report.evidence
  expect(run).toMatchObject({
    pass: false,
    operations: [{ operation: 'http.request', answer: 'none' }],
  })
  expect(run?.error).toContain(
    `{"operation":"http.request","argument":{"url":"${world.origin('api.test')}/a","method":"GET"},"result":{"status":200,"json":{}}}`,
  )
  expect(world.seen).toEqual([])
})

const hidden = {
  http: { allowedDomains: ['api.test'] },
  fs_read: { allowedPaths: ['data'] },
} as const

test.for([
  ['what was not declared', [], ['http', 'get', 'https://api.test/'], /capability "http"/],
  ['another host', ['http'], ['http', 'get', 'https://evil.test/'], /evil\.test.*not declare/],
  ['another path', ['fs_read'], ['fs', 'readText', 'data/../../x'], /not declare.*allowedPaths/],
  ['a secret', ['http'], ['secrets', 'ref', 'API_TOKEN'], /capability "secrets"/],
] as const)(
  'a run that tries %s fails, whatever the code makes of it',
  async ([, capabilities, [group, name, value], message]) => {
    const [capability] = capabilities
    const built = await propose({
      capabilities,
      ...(capability === undefined ? {} : hidden[capability]),
      // In hiding, or the check of the source would find it.
      source: [
        'const pick = (from, key) => from[key]',
        'export default async ({ group, name, value }, c) => {',
        '  try { await pick(pick(c, group), name)(value) } catch {}',
        '  return 1',
        '}',
      ].join('\n'),
      inputs: { group: { type: 'string' }, name: { type: 'string' }, value: { type: 'string' } },
      examples: [
        {
          input: { group, name, value },
          expected: 1,
          fixtures: capability === 'http' ? [{ operation: 'http.request', result: 'x' }] : [],
        },
      ],
    })
    expect(failuresOf(built).join()).toMatch(/^evidence/)
    expect(built.report.evidence).toMatchObject([
      {
        pass: false,
        operations: [{ answer: 'refused' }],
        error: expect.stringMatching(message) as string,
      },
    ])
    expect(built.status).toBe('rejected')
  },
)

test('outputs are compared as values, and must fit the output schema', async () => {
  const base = {
    source: 'export default () => ({ b: [1, 2], a: "x" })',
    outputs: { a: { type: 'string' }, b: { type: 'array' } },
  }
  const same = await propose({
    ...base,
    examples: [{ input: {}, expected: { a: 'x', b: [1, 2] } }],
  })
  expect(same.report.evidence).toMatchObject([{ pass: true }])
  const other = await propose({
    ...base,
    examples: [{ input: {}, expected: { a: 'x', b: [2, 1] } }],
  })
  expect(other.report.evidence).toMatchObject([
    {
      pass: false,
      actual: { a: 'x', b: [1, 2] },
      error: 'Expected {"a":"x","b":[2,1]}, got {"a":"x","b":[1,2]}',
    },
  ])
  const unfit = await propose({
    ...base,
    outputs: { a: { type: 'number' } },
    examples: [{ input: {} }],
  })
  expect(unfit.report.evidence).toMatchObject([
    { pass: false, error: expect.stringContaining('does not fit the output schema') as string },
  ])
})

test.for([
  ['spins', 'while (true);', /did not finish within 300 ms/],
  ['spins at its top', 'return 1', /cannot be loaded/, 'while (true);'],
  [
    'eats memory',
    'const a = []; while (true) a.push("x".repeat(100000) + a.length)',
    /more memory/,
  ],
  ['never settles', 'return new Promise(() => {})', /never come/],
  ['throws', 'throw new TypeError("no")', /TypeError: no \(at source 2:\d+\)/],
  ['throws nothing', 'throw null', /./],
  ['gives no JSON', 'return 10n', /./],
  ['nests too deep', 'let a = []; for (let i = 0; i < 5000; i += 1) a = [a]; return a', /./],
  [
    'logs a lot',
    'for (let i = 0; i < 1e4; i += 1) ctx.log("info", "SECRETLOG".repeat(100)); throw new Error("end")',
    /end/,
  ],
] as const)(
  'an example that %s gives a failed run with its reason',
  async ([, body, message, top = '']) => {
    const built = await propose(
      {
        source: `${top}\nexport default async (input, ctx) => { ${body} }`,
        examples: [{ input: {} }],
      },
      `${body}${top}`.includes('while (true);') ? hasty : shop,
    )
    expect(built.status).toBe('rejected')
    expect(built.report.evidence).toMatchObject([
      { pass: false, error: expect.stringMatching(message) as string },
    ])
    expect(JSON.stringify(built.report)).not.toContain('SECRETLOG')
  },
)

test('examples have a time together, and those that it does not reach have failed', async () => {
  const built = await propose(
    {
      source: 'export default async ({ n }, ctx) => { await ctx.sleep(60_000); return n }',
      inputs: { n: { type: 'number' } },
      examples: [1, 2, 3, 4, 5].map((n) => ({ input: { n } })),
    },
    hasty,
  )
  const errors = built.report.evidence.map(({ error }) => error ?? 'none')
  expect(errors).toHaveLength(5)
  expect(errors[0]).toMatch(/did not finish within \d+ ms/)
  expect(errors[4]).toMatch(/It was not tried: .* all of 700 ms/)
})

test('large outputs and arguments are written down in part', async () => {
  const built = await propose({
    capabilities: ['tools'],
    callees: ['canary_tool'],
    risk: 'high',
    source: [
      'export default async (input, ctx) => {',
      '  for (let i = 0; i < 150; i += 1) await ctx.tools.call("canary_tool", { text: "y".repeat(20_000) })',
      '  return "x".repeat(100_000)',
      '}',
    ].join('\n'),
    examples: [{ input: {}, fixtures: [{ operation: 'tools.call', result: null }] }],
  })
  const [run] = built.report.evidence
  expect(run).toMatchObject({
    pass: true,
    actual: expect.stringContaining('too large to be recorded') as string,
  })
  expect(run?.operations).toHaveLength(100)
  expect(JSON.stringify(run?.operations).length).toBeLessThan(150_000)
})

test('a proposal needs an example, fixtures that can answer, and powers that the operator gives', async () => {
  const source = 'export default () => 1'
  expect(failuresOf(await propose({ source, examples: [] })).join()).toContain(
    'code needs at least one passing example',
  )
  const wrong = await propose({
    source,
    examples: [
      {
        input: {},
        fixtures: [
          { operation: 'http.get' },
          { operation: 'fs.list', result: 5 },
          { operation: 'http.request', result: { status: '200' } },
          { operation: 'http.request', result: { body: 'x' } },
          { operation: 'fs.readText', result: 'x', error: 'y' },
          { operation: 'fs.exists', result: true },
          { operation: 'http.request', result: { base64: 'A' } },
          { operation: 'http.request', result: { base64: 'AP8B', text: '' } },
        ],
      },
    ],
  })
  const message = failuresOf(wrong).join(' ')
  for (const part of [
    /fixtures\[0\]: operation "http\.get" is not known; use one of http\.request/,
    /fixtures\[1\]: result must be a list of names/,
    /fixtures\[2\]: result\.status/,
    /fixtures\[3\]: result does not know "body"/,
    /fixtures\[4\]: has both/,
    /fixtures\[5\]: fs\.exists needs the capability fs_read or fs_write/,
    /fixtures\[6\]: result\.base64/,
    /fixtures\[7\]: result\.base64/,
  ])
    expect(message).toMatch(part)
  const wide = await propose({
    source: 'export default async (input, ctx) => (await ctx.fs.readText("/etc/hosts")).text',
    capabilities: ['fs_read'],
    allowedPaths: ['/etc/hosts'],
    examples: [{ input: {}, fixtures: [{ operation: 'fs.readText', result: 'x' }] }],
  })
  expect(failuresOf(wide).join()).toMatch(
    /operator-policy: More than the operator allows.*\/etc\/hosts/,
  )
  const empty = await propose({ source, capabilities: ['http'], examples: [{ input: {} }] })
  expect(failuresOf(empty).join()).toMatch(/http needs allowedDomains.*operator-policy: The policy/)
  const powerless = await openCodeShop({ sandbox })
  const asking = await powerless.propose({
    name: 'ask_without_powers',
    source: 'export default async (input, ctx) => (await ctx.fs.readText("a")).text',
    capabilities: ['fs_read'],
    allowedPaths: ['a'],
    examples: [{ input: {}, fixtures: [{ operation: 'fs.readText', result: 'x' }] }],
  })
  expect(failuresOf(asking).join()).toContain('gives code tools no powers')
})

test('what is wrong with a source is said with its rule, line and column, and nothing runs', async () => {
  const built = await propose({
    source: 'import fs from "node:fs"\nexport default () => fs.readFileSync("/etc/passwd")',
    examples: [{ input: {} }],
  })
  expect(failuresOf(built)[0]).toMatch(/^import\.forbidden: line 1, column \d+: /)
  expect(built.report.evidence).toEqual([])
  const broken = await propose({ source: 'export default () => {', examples: [{ input: {} }] })
  expect(failuresOf(broken)[0]).toMatch(/^syntax: line 1, column \d+/)
  const wrong = await propose({ source: 'export default () => 1', form: 'script' as never })
  expect(failuresOf(wrong).join()).toMatch(/definition: definition\.form/)
})

test('a real server that an example names is not asked even by way of the machine itself', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end('x')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const built = await propose({
    capabilities: ['http'],
    allowedDomains: [`http://real.test:${port}`],
    source: `export default async (input, ctx) => (await ctx.http.get("http://real.test:${port}/")).text`,
    examples: [
      {
        input: {},
        expected: 'fixture',
        fixtures: [{ operation: 'http.request', result: 'fixture' }],
      },
    ],
  })
  expect(built.status).toBe('approval_required')
  expect(asked).toEqual([])
  await new Promise((resolve) => server.close(resolve))
})
