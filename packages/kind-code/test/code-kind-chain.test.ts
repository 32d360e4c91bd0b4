import type { ToolContext } from '@toolcrib/registry'
import { type Sandbox, createSandbox } from '@toolcrib/sandbox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CodeIntent, type CodeShop, openCodeShop } from './code-kind-shop.ts'
import { type CodeWorld, openCodeWorld } from './code-kind-world.ts'

let world: CodeWorld
let sandbox: Sandbox
let shop: CodeShop
const contexts: ToolContext[] = []

const caller = (name: string, callee: string, intent: Partial<CodeIntent> = {}): CodeIntent => ({
  name,
  capabilities: ['tools'],
  callees: [callee],
  risk: 'high',
  source: `export default async (input, ctx) => "${name}: " + (await ctx.tools.call("${callee}", {}))`,
  examples: [{ input: {}, fixtures: [{ operation: 'tools.call', result: 'x' }] }],
  ...intent,
})

beforeAll(async () => {
  sandbox = createSandbox({ maxWorkers: 1 })
  world = await openCodeWorld()
  const powers = world.powers()
  shop = await openCodeShop({ sandbox, powers })
  shop.registry.register({
    name: 'note_context',
    description: 'Keeps its context',
    inputSchema: { type: 'object' },
    risk: 'low',
    execute: (_input, _signal, context) => {
      contexts.push(context)
      return 'noted'
    },
  })
  await shop.make({
    name: 'fetch_page',
    capabilities: ['http'],
    allowedDomains: [world.origin('api.test')],
    risk: 'high',
    source: `export default async (input, ctx) => (await ctx.http.get("${world.origin('api.test')}/page")).text`,
    examples: [{ input: {}, fixtures: [{ operation: 'http.request', result: 'page' }] }],
  })
})
beforeEach(() => {
  world.seen.length = 0
  shop.violations.length = 0
  contexts.length = 0
})
afterAll(async () => {
  await world.close()
  await sandbox.close()
})

test('a tool without http gets none by calling one that has it', async () => {
  await shop.make(caller('ask_for_page', 'fetch_page'))
  expect(await shop.call('fetch_page', {})).toMatchObject({ output: 'hello' })
  world.seen.length = 0
  const refused = await shop.call('ask_for_page', {})
  expect(refused).toMatchObject({ success: false, errorCode: 'POLICY_VIOLATION' })
  expect(JSON.stringify(refused)).toMatch(/fetch_page.*ctx\.http\.request/)
  expect(world.seen).toEqual([])
  expect(shop.violations.map(({ toolName }) => toolName)).toEqual(['fetch_page', 'ask_for_page'])
})

test('a refusal in a called tool that its caller catches is told once, of the one that tried', async () => {
  await shop.make(
    caller('ask_in_silence', 'fetch_page', {
      source:
        'export default async (input, ctx) => ctx.tools.call("fetch_page", {}).then(() => "got it", (error) => error.code)',
    }),
  )
  expect(await shop.call('ask_in_silence', {})).toMatchObject({ output: 'POLICY_VIOLATION' })
  expect(shop.violations.map(({ toolName }) => toolName)).toEqual(['fetch_page'])
})

test('with the same power the call goes through', async () => {
  await shop.make(
    caller('ask_with_http', 'fetch_page', {
      capabilities: ['tools', 'http'],
      allowedDomains: [world.origin('api.test'), world.origin('other.test')],
      source: [
        'export default async (input, ctx) => {',
        `  const own = await ctx.http.get("${world.origin('other.test')}/own")`,
        '  return own.status + " " + (await ctx.tools.call("fetch_page", {}))',
        '}',
      ].join('\n'),
      examples: [
        {
          input: {},
          fixtures: [
            { operation: 'tools.call', result: 'x' },
            { operation: 'http.request', result: 'y' },
          ],
        },
      ],
    }),
  )
  expect(await shop.call('ask_with_http', {})).toMatchObject({ output: '200 hello' })
  expect(world.seen).toEqual(['GET other.test /own', 'GET api.test /page'])
})

test('the power to call is narrowed as every other: the first must name the third too', async () => {
  await shop.make(caller('note_for_others', 'note_context'))
  await shop.make(caller('start_short_chain', 'note_for_others'))
  await shop.make(
    caller('start_whole_chain', 'note_for_others', {
      callees: ['note_for_others', 'note_context'],
    }),
  )
  const refused = await shop.call('start_short_chain', {})
  expect(refused).toMatchObject({ success: false, errorCode: 'POLICY_VIOLATION' })
  expect(shop.violations[0]).toMatchObject({ toolName: 'note_for_others' })
  expect(contexts).toEqual([])
  expect(await shop.call('start_whole_chain', {})).toMatchObject({
    output: 'start_whole_chain: note_for_others: noted',
  })
  expect(contexts).toHaveLength(1)
  expect(contexts[0]?.callerPolicy).toEqual({
    tools: { callees: [{ name: 'note_context', hash: null }] },
  })
})

test('an error of a called tool reaches its caller with message and code', async () => {
  await shop.make({
    name: 'fail_always_when_asked',
    inputs: { fail: { type: 'boolean', default: true } },
    source: 'export default ({ fail }) => { if (fail) throw new Error("broken inside"); return 1 }',
    examples: [{ input: { fail: false } }],
  })
  await shop.make(
    caller('tell_of_failure', 'fail_always_when_asked', {
      source:
        'export default async (input, ctx) => ctx.tools.call("fail_always_when_asked", {}).catch((error) => ({ message: error.message, code: error.code }))',
    }),
  )
  expect(await shop.call('tell_of_failure', {})).toMatchObject({
    output: {
      code: 'TOOL_FAILED',
      message: expect.stringContaining('Error: broken inside (at source 1:') as string,
    },
  })
})

test('a replaced callee suspends its caller until that is approved anew', async () => {
  await shop.make({ name: 'give_number', source: 'export default () => 1' })
  await shop.make(caller('show_number', 'give_number', { risk: 'medium' }))
  expect(await shop.call('show_number', {})).toMatchObject({ output: 'show_number: 1' })
  await shop.make({ name: 'give_number', source: 'export default () => 2' })
  expect(await shop.call('show_number', {})).toMatchObject({
    success: false,
    errorCode: 'TOOL_REVOKED',
    error: expect.stringContaining('give_number') as string,
  })
  await shop.make(
    caller('show_number', 'give_number', { risk: 'medium', purpose: 'Shows it anew' }),
  )
  expect(await shop.call('show_number', {})).toMatchObject({ output: 'show_number: 2' })
})

test('a tool that calls itself by way of another ends, and the depth of calls says why', async () => {
  await shop.make({ name: 'call_back', source: 'export default () => 1' })
  await shop.make(caller('call_around', 'call_back', { callees: ['call_back'] }))
  const again = await shop.propose(caller('call_back', 'call_around'))
  expect(again.status).toBe('approval_required')
  await shop.maker.approveTool('call_back', 2, { signer: shop.grace })
  await shop.maker.activateToolVersion('call_back', 2, { signer: shop.grace })
  expect(await shop.call('call_back', {})).toMatchObject({ success: false })
})

test('a called tool that does not stop may go on, and the caller that stopped says so', async () => {
  shop.registry.register({
    name: 'ends_never',
    description: 'Heeds no signal',
    inputSchema: { type: 'object' },
    risk: 'low',
    execute: () => new Promise(() => undefined),
  })
  await shop.make(caller('wait_for_nothing', 'ends_never'))
  expect(await shop.call('wait_for_nothing', {}, { timeoutMs: 300 })).toMatchObject({
    errorCode: 'TIMEOUT',
    mayStillBeRunning: true,
  })
})
