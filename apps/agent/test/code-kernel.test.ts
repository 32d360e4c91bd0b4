import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Principal, ToolResult } from '@toolcrib/registry'
import {
  type ApprovalSigner,
  type BuildOutcome,
  createApprover,
  signDecision,
  unlockSigner,
} from '@toolcrib/toolsmaker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Envelope } from '../src/host/envelope.ts'
import { type Kernel, type KernelOptions, createKernel } from '../src/host/kernel.ts'
import { runOperation } from '../src/operations/catalogue.ts'
import { makeTemporaryFolder } from './run-toolcrib.ts'

const agent: Principal = { kind: 'agent', id: 'ada' }
const passphrase = 'correct horse battery'

const folder = makeTemporaryFolder()
const data = join(folder.path, 'data')
let signer: ApprovalSigner
let kernel: Kernel

beforeAll(async () => {
  await createApprover(join(data, 'trust'), { id: 'alice', passphrase })
  signer = await unlockSigner(join(data, 'trust'), { id: 'alice', passphrase })
})
afterAll(() => folder.remove())

const open = (options: KernelOptions = {}): Promise<Kernel> =>
  createKernel({ data, environment: {}, ...options })

interface Parts {
  readonly name: string
  readonly source: string
  readonly input?: object
  readonly expected?: unknown
  readonly more?: object
}

function propose({ name, source, input = {}, expected, more = {} }: Parts): Promise<BuildOutcome> {
  const example = { input, ...(expected === undefined ? {} : { expected }) }
  return kernel.toolsmaker.forAgent(agent).buildToolFromIntent({
    name,
    purpose: 'Gives what the test wants it to give, for whatever comes in',
    inputs: { type: 'object', additionalProperties: true },
    kind: 'code',
    definition: { language: 'typescript', form: 'function', source },
    examples: [example],
    ...more,
  } as never)
}

async function approve(name: string, version = 1): Promise<void> {
  await kernel.toolsmaker.approveTool(name, version, { signer })
  await kernel.toolsmaker.activateToolVersion(name, version, { signer })
}

async function make(parts: Parts): Promise<void> {
  const { spec, status, report } = await propose(parts)
  expect(status, JSON.stringify(report, undefined, 1)).toBe('approval_required')
  await approve(parts.name, spec.version)
}

const call = (name: string, input: unknown = {}, timeoutMs?: number): Promise<ToolResult> =>
  kernel.invoker.invoke(name, input, {
    principal: agent,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

const outputOf = async (name: string, input?: unknown): Promise<unknown> => {
  const result = await call(name, input)
  return result.success ? result.output : result.errorCode
}

const gives = (value: unknown): string => `export default () => (${JSON.stringify(value)})`

describe('in one host', () => {
  beforeAll(async () => {
    kernel = await open()
  })
  afterAll(() => kernel.close())

  test('the events of a tool come in the order of the audit; a second version supersedes the first, which is approved again', async () => {
    const types: string[] = []
    const stop = kernel.toolsmaker.onEvent(({ event }) => {
      if (event !== undefined) types.push(event.type)
    })
    await make({ name: 'one_or_two', source: gives(1), expected: 1 })
    expect(types).toEqual([
      'tool_build_requested',
      'tool_build_generated',
      'tool_build_validated',
      'tool_approval_required',
      'tool_approved',
      'tool_activated',
    ])
    await make({ name: 'one_or_two', source: gives(2), expected: 2 })
    stop()
    expect(types.slice(-3)).toEqual(['tool_approved', 'tool_superseded', 'tool_activated'])
    expect(kernel.toolsmaker.listVersions('one_or_two').map(({ status }) => status)).toEqual([
      'approved',
      'activated',
    ])
    expect(await outputOf('one_or_two')).toBe(2)
    await kernel.toolsmaker.rollbackTool('one_or_two', { signer })
    expect(await outputOf('one_or_two')).toBe(1)
  })

  test.each(['tool', 'new_tool', 'generated_tool', 'example_tool', 'tool_123'])(
    'the name %s says nothing and is refused',
    async (name) => {
      await expect(propose({ name, source: gives(1) })).rejects.toMatchObject({
        code: 'TOOL_NAME_NOT_MEANINGFUL',
      })
    },
  )

  test('what a policy blocks is on record, with the tool, its version, the caller and the rule', async () => {
    const source = `export default async (input: { path?: string }, ctx) => {
  return input.path === undefined ? 'nothing' : (await ctx.fs.readText(input.path)).text
}`
    const more = { capabilities: ['fs_read'], allowedPaths: ['notes'] }
    await make({ name: 'reads_notes', source, expected: 'nothing', more })
    for (const path of ['../trust/host-key.json', '/etc/hostname', join(data, 'host.log')])
      // oxlint-disable-next-line no-await-in-loop -- three calls
      expect(await outputOf('reads_notes', { path }), path).toBe('POLICY_VIOLATION')
    await expect
      .poll(() =>
        kernel.toolsmaker.listEvents({ type: 'tool_policy_blocked', name: 'reads_notes' }),
      )
      .toHaveLength(3)
    const [stored] = await kernel.toolsmaker.listEvents({ type: 'tool_policy_blocked' })
    expect(stored?.event).toMatchObject({
      name: 'reads_notes',
      version: 1,
      principal: agent,
      rule: 'fs.path',
    })
  })

  test('a timeout says so, in the result and in the log', async () => {
    const source = 'export default (input: { loop?: true }) => { while (input.loop) {} return 1 }'
    await make({ name: 'loops_on_demand', source, expected: 1 })
    const late = await call('loops_on_demand', { loop: true }, 300)
    expect(late).toMatchObject({ errorCode: 'TIMEOUT', error: expect.stringMatching(/300 ms/) })
    expect(await kernel.callLog.get(late.callId)).toMatchObject({ status: 'timed_out' })
    expect(await outputOf('loops_on_demand')).toBe(1)
  })

  test('a callee that was replaced after the approval suspends its caller', async () => {
    await make({ name: 'base_price', source: gives(10), expected: 10 })
    const source = `export default async (input, ctx) => 2 * Number(await ctx.tools.call('base_price', {}))`
    await make({
      name: 'double_price',
      source,
      expected: 20,
      more: {
        capabilities: ['tools'],
        callees: ['base_price'],
        examples: [
          { input: {}, expected: 20, fixtures: [{ operation: 'tools.call', result: 10 }] },
        ],
      },
    })
    expect(await outputOf('double_price')).toBe(20)
    await make({ name: 'base_price', source: gives(11), expected: 11 })
    expect(await call('double_price')).toMatchObject({
      errorCode: 'TOOL_REVOKED',
      error: expect.stringMatching(/suspended.*base_price/),
    })
    await kernel.toolsmaker.rollbackTool('base_price', { signer })
    expect(await outputOf('double_price')).toBe(20)
  })

  test('a tool that was said to be harmless borrows nothing from a strong one, over two hops', async () => {
    await make({
      name: 'reads_any_note',
      source: `export default async (input: { path?: string }, ctx) =>
  input.path === undefined ? '' : (await ctx.fs.readText(input.path)).text`,
      more: { capabilities: ['fs_read'], allowedPaths: ['.'] },
    })
    const passesOn = (callee: string): string =>
      `export default async (input, ctx) => ctx.tools.call('${callee}', input)`
    const callsOnly = (callee: string, risk: string): object => ({
      capabilities: ['tools'],
      callees: [callee],
      risk,
      examples: [{ input: {}, fixtures: [{ operation: 'tools.call', result: '' }] }],
    })
    const middle = (risk: string): Parts => ({
      name: 'middle_reader',
      source: passesOn('reads_any_note'),
      more: callsOnly('reads_any_note', risk),
    })
    const outer = (risk: string): Parts => ({
      name: 'outer_reader',
      source: passesOn('middle_reader'),
      more: callsOnly('middle_reader', risk),
    })
    expect(await propose(middle('low'))).toMatchObject({ status: 'rejected' })
    await make(middle('high'))
    const { status, report } = await propose(outer('medium'))
    expect(status).toBe('rejected')
    expect(report.checks.find(({ pass }) => !pass)?.message).toMatch(/risk high/)
    // Said to be as strong as it is, it still may do no more than each tool on the way.
    await make(outer('high'))
    expect(await outputOf('reads_any_note', { path: 'none.txt' })).toBe('TOOL_FAILED')
    for (const name of ['middle_reader', 'outer_reader'])
      // oxlint-disable-next-line no-await-in-loop -- two calls
      expect(await outputOf(name, { path: 'none.txt' }), name).toBe('POLICY_VIOLATION')
  })

  test('approved, a tool is callable at once', async () => {
    const durations: number[] = []
    for (let index = 0; index < 5; index += 1) {
      const name = `quickly_${'abcde'[index]}`
      // oxlint-disable-next-line no-await-in-loop -- one after the other is what is measured
      const { spec } = await propose({ name, source: gives(index), expected: index })
      const request = { action: 'approve_and_activate', name, version: spec.version } as const
      // oxlint-disable-next-line no-await-in-loop -- as above
      const statement = await kernel.toolsmaker.prepareDecision({
        ...request,
        approver: signer.approverId,
      })
      // oxlint-disable-next-line no-await-in-loop -- as above
      const decision = await signDecision(statement, signer)
      const before = process.cpuUsage()
      // oxlint-disable-next-line no-await-in-loop -- as above
      await kernel.toolsmaker.approveTool(name, spec.version, { decision })
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await outputOf(name)).toBe(index)
      durations.push(process.cpuUsage(before).user / 1_000)
    }
    // 50 ms is the promise on a machine that does nothing else; of the processor here, which others may use as well.
    expect(Math.min(...durations)).toBeLessThan(250)
    if (process.env['TOOLCRIB_SHOW_TIMES'] !== undefined) console.log(durations)
  })
})

describe('hosts of their own', () => {
  test('the tool of the README waits for a person, and nothing about it is wrong', async () => {
    const readme = readFileSync(resolve(import.meta.dirname, '../README.md'), 'utf8')
    const [, source = ''] = /^```typescript\n(.*?)^```/ms.exec(readme) ?? []
    kernel = await open({
      environment: { WEATHER_KEY: 'weather-key-0123456789' },
      builtInTools: {
        secrets: { WEATHER_KEY: { environment: 'WEATHER_KEY', hosts: ['api.weather.example'] } },
      },
    })
    const made = (await runOperation(
      'tools.make-file',
      { name: 'how_warm', source, file: 'how_warm.ts' },
      { kernel, principal: agent, signal: new AbortController().signal },
    )) as Envelope<BuildOutcome>
    await kernel.close()
    expect(made, JSON.stringify(made)).toMatchObject({ data: { status: 'approval_required' } })
  })

  test('files that lie in the dynamic folder when a host starts are proposals before its first command; one that is gone is taken back', async () => {
    const file = join(data, 'tools/dynamic/agent_ada_say_four.ts')
    mkdirSync(join(data, 'tools/dynamic'), { recursive: true })
    writeFileSync(
      file,
      `export const toolcrib = { description: 'Says four, whatever comes in', inputSchema: { type: 'object' }, examples: [{ input: {}, expected: 4 }] }
export default () => 4
`,
    )
    kernel = await open()
    expect(kernel.toolsmaker.listVersions('say_four')).toMatchObject([
      { status: 'approval_required', owner: 'agent:ada' },
    ])
    await kernel.close()
    rmSync(file)
    kernel = await open()
    const [version] = kernel.toolsmaker.listVersions('say_four')
    await kernel.close()
    expect(version?.status).not.toBe('approval_required')
  })

  test("the host's own files and services are out of reach, also where the settings and a person allow what is around them", async () => {
    writeFileSync(join(folder.path, 'notes.txt'), 'milk')
    kernel = await open({
      deniedServices: [{ host: '127.0.0.1', port: 1 }],
      builtInTools: {
        code: {
          policy: {
            fs_read: { paths: [folder.path] },
            http: { origins: ['http://127.0.0.1:*'], privateAddresses: ['127.0.0.1'] },
          },
        },
      },
    })
    const source = `export default async (input: { path?: string; url?: string }, ctx) => {
  if (input.path !== undefined) return (await ctx.fs.readText(input.path)).text
  return input.url === undefined ? '' : (await ctx.http.get(input.url)).text
}`
    const more = {
      capabilities: ['fs_read', 'http'],
      allowedPaths: [folder.path],
      allowedDomains: ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
    }
    await make({ name: 'reads_around', source, expected: '', more })
    expect(await outputOf('reads_around', { path: join(folder.path, 'notes.txt') })).toBe('milk')
    for (const path of ['trust/host-key.json', 'store/audit.jsonl', 'host.log', 'tools/dynamic'])
      // oxlint-disable-next-line no-await-in-loop -- four calls
      expect(await outputOf('reads_around', { path: join(data, path) }), path).toBe(
        'POLICY_VIOLATION',
      )
    expect(await call('reads_around', { url: 'http://127.0.0.1:1/' })).toMatchObject({
      errorData: { toolErrorData: { rule: 'http.host' } },
    })
    expect(await outputOf('reads_around', { url: 'http://127.0.0.1:2/' })).toBe('TOOL_FAILED')
    await kernel.close()
  })

  test('a guest that hangs does not keep a host from shutting down', async () => {
    kernel = await open({ drainMs: 200 })
    const source = 'export default (input: { loop?: true }) => { while (input.loop) {} return 1 }'
    await make({ name: 'hangs_on_demand', source, expected: 1 })
    const hanging = call('hangs_on_demand', { loop: true }, 60_000)
    const started = { toolName: 'hangs_on_demand', status: 'started' } as const
    await expect.poll(async () => (await kernel.callLog.query(started)).calls.length).toBe(1)
    const before = performance.now()
    await kernel.close()
    expect(performance.now() - before).toBeLessThan(60_000)
    expect(await hanging).toMatchObject({ success: false })
  })

  test('a mode that does not work here is replaced by no other: calls fail and say so, and the host has its other tools', async () => {
    const { PATH } = process.env
    process.env['PATH'] = folder.path
    try {
      kernel = await open({ environment: { TOOLCRIB_SANDBOX: 'bubblewrap' } })
      const result = await call('one_or_two')
      expect(result, JSON.stringify(result)).toMatchObject({
        success: false,
        errorData: { toolErrorCode: 'SANDBOX_UNAVAILABLE' },
      })
      expect(await outputOf('file', { operation: 'exists', path: 'none' })).toMatchObject({
        result: false,
      })
      await kernel.close()
    } finally {
      process.env['PATH'] = PATH
    }
  })

  test('with code switched off no code tool is there, nor the tool that makes them, and its name stays taken', async () => {
    kernel = await open({ builtInTools: { code: { enabled: false } } })
    expect(kernel.registry.has('create_dynamic_tool')).toBe(false)
    expect(await outputOf('one_or_two')).toBe('TOOL_NOT_FOUND')
    await expect(propose({ name: 'say_three', source: gives(3) })).rejects.toMatchObject({
      code: 'TOOL_KIND_UNKNOWN',
    })
    expect(kernel.code?.standing).toMatchObject({ isOn: false, because: /code\.enabled/ })
    await kernel.close()
    kernel = await open()
    expect(await outputOf('one_or_two')).toBe(1)
    await kernel.close()
  })

  test.each([
    [{ code: { polcy: {} } }, /code: .*"polcy"/],
    [{ code: { sandbox: { mode: 'inline' } } }, /code\.sandbox\.mode/],
    [{ code: { sandbox: { maxWorkers: 0 } } }, /code\.sandbox\.maxWorkers.*got 0/],
    [{ code: { policy: { http: { origins: ['a b'] } } } }, /code\.policy\.http\.origins/],
    [
      { code: { policy: { secrets: { names: ['NONE'] } } } },
      /code\.policy\.secrets\.names: has NONE/,
    ],
    [{ code: { policy: { fs_read: { paths: ['none'] } } } }, /code\.policy: .*none/],
  ])(
    'with the settings %j nothing starts, and the message names the field',
    async (settings, message) => {
      const starting = open({ builtInTools: settings as never })
      await expect(starting).rejects.toMatchObject({ code: 'SETTINGS_INVALID' })
      await expect(starting).rejects.toThrow(message)
    },
  )

  test('code tools never write where the approvers are, whatever the settings say', async () => {
    const policy = { fs_write: { paths: [data] } }
    await expect(open({ builtInTools: { code: { policy } } })).rejects.toMatchObject({
      code: 'WORKSPACE_MISPLACED',
      message: expect.stringMatching(/code\.policy\.fs_write/),
    })
  })
})
