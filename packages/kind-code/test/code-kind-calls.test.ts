import type { Logger } from '@toolcrib/registry'
import { type Sandbox, createSandbox } from '@toolcrib/sandbox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
// @boundaries-ignore tests of the packages share what sets the scene
import { agent, callTool } from '../../toolsmaker/test/bench-of-tests.ts'
import { type CodeShop, openCodeShop } from './code-kind-shop.ts'
import { type CodeWorld, canary, openCodeWorld, secretValue } from './code-kind-world.ts'

let world: CodeWorld
let sandbox: Sandbox
let shop: CodeShop
const logged: unknown[][] = []
const logger: Logger = {
  debug: (...entry) => void logged.push(['debug', ...entry]),
  info: (...entry) => void logged.push(['info', ...entry]),
  warn: (...entry) => void logged.push(['warn', ...entry]),
  error: (...entry) => void logged.push(['error', ...entry]),
}

beforeAll(async () => {
  sandbox = createSandbox({ maxWorkers: 1 })
  world = await openCodeWorld()
  shop = await openCodeShop({ sandbox, powers: world.powers(), logger })
})
beforeEach(() => {
  world.seen.length = 0
  shop.violations.length = 0
  logged.length = 0
})
afterAll(async () => {
  await world.close()
  await sandbox.close()
})

test('a tool is proposed, reviewed, approved and called, and works on its input', async () => {
  const built = await shop.make({
    name: 'join_words',
    source:
      'interface Input { readonly words: string[] }\nexport default ({ words }: Input): { text: string } => ({ text: words.join(" ") })\n',
    inputs: {
      type: 'object',
      properties: { words: { type: 'array', items: { type: 'string' } } },
      required: ['words'],
    },
    outputs: { text: { type: 'string' } },
    humanReadableFormat: 'Join ${input.words}',
    examples: [{ input: { words: ['a', 'b'] }, expected: { text: 'a b' } }],
  })
  expect(built.report.evidence).toMatchObject([{ actual: { text: 'a b' }, pass: true }])
  expect(built.report.powers).toEqual([])
  expect(built.report.steps.join(' ')).toContain('2 lines of TypeScript')
  expect(await shop.call('join_words', { words: ['x', 'y', 'z'] })).toMatchObject({
    success: true,
    output: { text: 'x y z' },
  })
  expect(shop.registry.get('join_words')?.describeCall?.({ words: ['x'] })).toBe('Join ["x"]')
  expect(await callTool(shop, 'join_words', { words: ['without', 'invoker'] })).toEqual({
    text: 'without invoker',
  })
})

test('an error of the code says what, and where in the source', async () => {
  await shop.make({
    name: 'fail_clearly',
    inputs: { fail: { type: 'boolean' } },
    source: [
      'export default ({ fail }: { fail: boolean }) => {',
      '  if (fail) throw new RangeError("too far")',
      '  return 1',
      '}',
    ].join('\n'),
    examples: [{ input: { fail: false }, expected: 1 }],
  })
  const failed = await shop.call('fail_clearly', { fail: true })
  expect(failed).toMatchObject({
    success: false,
    errorCode: 'TOOL_FAILED',
    error: expect.stringMatching(/RangeError: too far \(at source 2:\d+\)/) as string,
    errorData: {
      toolErrorData: { reason: 'guest-error', errorName: 'RangeError', position: { line: 2 } },
    },
  })
})

const hostile = {
  spin: ['while (true);', /TIMEOUT|did not finish/],
  memory: ['const a = []; while (true) a.push("x".repeat(100000) + a.length)', /memory/],
  stack: ['const f = (n) => f(n + 1) + 1; return f(0)', /too deeply/],
  stalled: ['return new Promise(() => {})', /never come/],
  output: ['return "x".repeat(11_000_000)', /larger than it may be/],
  calls: ['for (let i = 0; i < 2000; i += 1) await ctx.sleep(0)', /1000 operations/],
  nothing: ['return () => 1', /JSON|function/],
} as const

test.for(Object.entries(hostile))(
  'code that goes wrong by %s ends with its reason',
  async ([how, [body, message]]) => {
    const name = `goes_wrong_${how}`
    await shop.make({
      name,
      inputs: { bad: { type: 'boolean' } },
      source: `export default async ({ bad }, ctx) => { if (!bad) return 1; ${body} }`,
      ...(how === 'output' ? { codeLimits: { memoryBytes: 268_435_456 } } : {}),
      examples: [{ input: { bad: false } }],
    })
    const timeoutMs = how === 'spin' ? 500 : 20_000
    const result = await shop.call(name, { bad: true }, { timeoutMs })
    expect(result.success).toBe(false)
    if (result.success) return
    expect(`${result.errorCode} ${result.error}`).toMatch(message)
    expect(await shop.call(name, { bad: false })).toMatchObject({ output: 1 })
  },
)

test('a call that takes too long is reported as timed out, and as over', async () => {
  await shop.make({
    name: 'wait_long',
    inputs: { forMs: { type: 'number' } },
    source: 'export default async ({ forMs }, ctx) => { await ctx.sleep(forMs); return 1 }',
    examples: [{ input: { forMs: 0 } }],
  })
  const result = await shop.call('wait_long', { forMs: 60_000 }, { timeoutMs: 300 })
  expect(result).toMatchObject({ success: false, errorCode: 'TIMEOUT' })
  expect(result).not.toHaveProperty('mayStillBeRunning')
  const spinning = await shop.call('goes_wrong_spin', { bad: true }, { timeoutMs: 300 })
  expect(spinning).toMatchObject({ success: false, errorCode: 'TIMEOUT' })
  expect(spinning).not.toHaveProperty('mayStillBeRunning')
})

test('the limit that was signed ends a call that was given more time', async () => {
  await shop.make({
    name: 'wait_within_limit',
    inputs: { forMs: { type: 'number' } },
    limits: { timeoutMs: 200 },
    source: 'export default async ({ forMs }, ctx) => { await ctx.sleep(forMs); return 1 }',
    examples: [{ input: { forMs: 0 } }],
  })
  expect(
    await shop.call('wait_within_limit', { forMs: 60_000 }, { timeoutMs: 20_000 }),
  ).toMatchObject({
    success: false,
    error: expect.stringContaining('did not finish within 200 ms') as string,
  })
})

test('a cancelled call ends with the reason of its signal', async () => {
  const controller = new AbortController()
  const asked = shop.invoker.invoke('wait_long', { forMs: 60_000 }, { signal: controller.signal })
  setTimeout(() => controller.abort(new Error('enough')), 30)
  expect(await asked).toMatchObject({ success: false, errorCode: 'CANCELLED' })
  const tool = shop.registry.get('wait_long')
  await expect(
    tool?.execute({ forMs: 1 }, AbortSignal.abort(new Error('before')), {} as never),
  ).rejects.toThrow('before')
})

test('its own limits hold: computing, memory, operations', async () => {
  const body = 'if (!bad) return 1;'
  const make = (name: string, source: string, codeLimits: object): Promise<unknown> =>
    shop.make({
      name,
      inputs: { bad: { type: 'boolean' } },
      source: `export default async ({ bad }, ctx) => { ${body} ${source} }`,
      codeLimits,
      examples: [{ input: { bad: false } }],
    })
  await make('compute_little', 'while (true);', { cpuMs: 50 })
  await make('keep_little', 'return "x".repeat(6_000_000).length', { memoryBytes: 4_194_304 })
  await make('ask_little', 'await ctx.sleep(0); await ctx.sleep(0); await ctx.sleep(0)', {
    maxHostCalls: 2,
  })
  const errorOf = async (name: string): Promise<unknown> => {
    const result = await shop.call(name, { bad: true })
    return result.success ? 'none' : result.error
  }
  expect(await errorOf('compute_little')).toMatch(/computed for more than 50 ms.*limits\.cpuMs/)
  expect(await errorOf('keep_little')).toMatch(/more memory.*4194304 bytes.*limits\.memoryBytes/)
  expect(await errorOf('ask_little')).toMatch(/more than 2 operations.*limits\.maxHostCalls/)
})

const reader = {
  inputs: { path: { type: 'string' } },
  capabilities: ['fs_read'],
  allowedPaths: ['data'],
  examples: [
    {
      input: { path: 'data/a.txt' },
      fixtures: [{ operation: 'fs.readText', result: 'A' }],
    },
  ],
} as const

test('a refusal that the code lets through ends the call as that violation, and is told', async () => {
  await shop.make({
    ...reader,
    name: 'read_given_path',
    source: 'export default async ({ path }, ctx) => (await ctx.fs.readText(path)).text',
  })
  expect(await shop.call('read_given_path', { path: 'data/a.txt' })).toMatchObject({
    output: 'content of a',
  })
  expect(shop.violations).toEqual([])
  const refused = await shop.call('read_given_path', { path: '../outside.txt' })
  expect(refused).toMatchObject({
    success: false,
    errorCode: 'POLICY_VIOLATION',
    errorData: { toolErrorData: { rule: 'fs.path' } },
  })
  expect(JSON.stringify(refused)).not.toContain(canary)
  expect(shop.violations).toMatchObject([{ toolName: 'read_given_path', rule: 'fs.path' }])
})

test('a refusal that the code catches is told all the same', async () => {
  await shop.make({
    ...reader,
    name: 'read_quietly',
    source: [
      'export default async ({ path }, ctx) => {',
      '  const text = await ctx.fs.readText(path).then((file) => file.text, () => "hidden")',
      '  if (path === "data/throw") throw new Error("something else")',
      '  return text',
      '}',
    ].join('\n'),
  })
  expect(await shop.call('read_quietly', { path: 'host/key.txt' })).toMatchObject({
    output: 'hidden',
  })
  expect(shop.violations).toMatchObject([{ toolName: 'read_quietly', rule: 'fs.path' }])
})

test('a refusal that nobody waited for is told too', async () => {
  await shop.make({
    ...reader,
    name: 'read_and_leave',
    source: [
      'export default async ({ path }, ctx) => {',
      '  const reading = ctx.fs.readText(path)',
      '  reading.catch(() => {})',
      '  await ctx.sleep(0)',
      '  return path',
      '}',
    ].join('\n'),
  })
  expect(await shop.call('read_and_leave', { path: '/etc/hostname' })).toMatchObject({
    success: true,
  })
  await expect.poll(() => shop.violations).toMatchObject([{ rule: 'fs.path' }])
})

test('a violation that the code made up is an error like any other', async () => {
  await shop.make({
    ...reader,
    name: 'forge_violation',
    source: [
      'export default async ({ path }, ctx) => {',
      '  const { text } = await ctx.fs.readText("data/a.txt")',
      '  if (path === "") return text',
      '  throw Object.assign(new Error("Refused: nothing"), { code: "POLICY_VIOLATION", name: "ToolPolicyViolation" })',
      '}',
    ].join('\n'),
    examples: [{ input: { path: '' }, fixtures: [{ operation: 'fs.readText', result: 'A' }] }],
  })
  expect(await shop.call('forge_violation', { path: 'x' })).toMatchObject({
    success: false,
    errorCode: 'TOOL_FAILED',
  })
  expect(shop.violations).toEqual([])
})

test('an operation that was not declared is refused although the source hides that it asks', async () => {
  await shop.make({
    name: 'ask_in_hiding',
    inputs: { group: { type: 'string' }, name: { type: 'string' }, value: { type: 'string' } },
    source: [
      'const pick = (from, key) => from[key]',
      'export default async ({ group, name, value }, c) => group === "" ? 1 : pick(pick(c, group), name)(value)',
    ].join('\n'),
    examples: [{ input: { group: '', name: '', value: '' } }],
  })
  for (const [group, name, value] of [
    ['http', 'get', world.origin('api.test')],
    ['fs', 'readText', 'data/a.txt'],
    ['secrets', 'ref', 'API_TOKEN'],
    ['tools', 'call', 'join_words'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const result = await shop.call('ask_in_hiding', { group, name, value })
    expect(result).toMatchObject({ errorCode: 'POLICY_VIOLATION' })
  }
  expect(shop.violations).toHaveLength(4)
  expect(world.seen).toEqual([])
})

test('an API is called with a secret that the code never sees', async () => {
  await shop.make({
    name: 'ask_api',
    inputs: { path: { type: 'string' } },
    capabilities: ['http', 'secrets'],
    allowedDomains: [world.origin('api.test')],
    secrets: ['API_TOKEN'],
    source: [
      'export default async ({ path }: { path: string }, ctx) => {',
      '  const token = await ctx.secrets.ref("API_TOKEN")',
      `  const answer = await ctx.http.get("${world.origin('api.test')}" + path, { headers: { authorization: "Bearer " + token } })`,
      '  return { token, status: answer.status, json: answer.json, text: answer.text }',
      '}',
    ].join('\n'),
    examples: [
      {
        input: { path: '/me' },
        fixtures: [{ operation: 'http.request', result: { json: { name: 'Ada' } } }],
      },
    ],
  })
  world.answer = (request, response) =>
    response.end(JSON.stringify({ sent: request.headers.authorization }))
  const result = await shop.call('ask_api', { path: '/me' })
  expect(world.seen).toEqual(['GET api.test /me'])
  expect(world.seenHeaders.at(-1)?.authorization).toBe(`Bearer ${secretValue}`)
  expect(result).toMatchObject({ success: true, output: { status: 200 } })
  expect(JSON.stringify(result)).not.toContain(secretValue)
})

test('what the code knows of its call, and what it logs', async () => {
  await shop.make({
    name: 'tell_call',
    source: [
      'export default (input, ctx) => {',
      '  ctx.log("warn", "\\u001b[31mlook")',
      '  ctx.log("info", "x".repeat(3000))',
      '  for (let i = 0; i < 300; i += 1) ctx.log("info", "message " + i)',
      '  return ctx.call',
      '}',
    ].join('\n'),
  })
  const result = await shop.call('tell_call', {})
  expect(result).toMatchObject({
    output: {
      id: result.callId,
      toolName: 'tell_call',
      agentId: agent.id,
      deadline: expect.any(Number) as number,
    },
  })
  const says = logged.filter(([, , message]) => message === 'A made tool says')
  expect(says[0]).toMatchObject([
    'warn',
    { toolName: 'tell_call', text: '\u001b[31mlook' },
    'A made tool says',
  ])
  expect(says).toHaveLength(100)
  expect(says[1]?.[1]).toMatchObject({ text: 'x'.repeat(2_000) })
  expect(logged.at(-1)?.[1]).toMatchObject({ dropped: 202 })
})

test('calls share nothing', async () => {
  await shop.make({
    name: 'count_calls',
    source: 'let count = 0\nexport default () => { count += 1; return count }',
  })
  for (let call = 0; call < 3; call += 1)
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    expect(await shop.call('count_calls', {})).toMatchObject({ output: 1 })
})

test('a sandbox that forgot a tool is given it again', async () => {
  const small = createSandbox({ maxWorkers: 1, maxModules: 1 })
  const other = await openCodeShop({ sandbox: small })
  for (const name of ['first_of_two', 'second_of_two'])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await other.make({ name, source: `export default () => "${name}"` })
  for (const name of ['first_of_two', 'second_of_two', 'first_of_two'])
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await other.call(name, {})).toMatchObject({ output: name })
  await small.close()
  expect(await other.call('first_of_two', {})).toMatchObject({
    success: false,
    error: expect.stringContaining('sandbox is closed') as string,
  })
})
