import { join } from 'node:path'
import { type Principal, type ToolResult, defineTool } from '@toolcrib/registry'
import { type ApprovalSigner, createApprover, unlockSigner } from '@toolcrib/toolsmaker'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Kernel, createKernel } from '../src/host/kernel.ts'
import { makeTemporaryFolder } from './run-toolcrib.ts'

const agent: Principal = { kind: 'agent', id: 'ada' }
const passphrase = 'correct horse battery'
const folder = makeTemporaryFolder()
const data = join(folder.path, 'data')
let signer: ApprovalSigner
let kernel: Kernel
let beats = 0
/** Told of each beat; the beat ends when it gives something. */
let whenBeaten: () => Promise<void> = async () => undefined

const beat = defineTool({
  name: 'beat_it',
  description: 'Counts',
  risk: 'low',
  inputSchema: { type: 'object', properties: {} },
  async execute() {
    beats += 1
    await whenBeaten()
    return beats
  },
})

beforeAll(async () => {
  await createApprover(join(data, 'trust'), { id: 'alice', passphrase })
  signer = await unlockSigner(join(data, 'trust'), { id: 'alice', passphrase })
})
beforeEach(async () => {
  kernel = await createKernel({ data, environment: {}, tools: [beat] })
  beats = 0
})
afterEach(() => kernel.close())
afterAll(() => folder.remove())

/** A made tool that calls `callee` once for each that it is asked for, and goes on where a call is refused. */
async function make(name: string, callee: string): Promise<void> {
  const built = await kernel.toolsmaker.forAgent(agent).buildToolFromIntent({
    name,
    purpose: 'Calls another tool as often as it is asked to',
    inputs: {
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
      additionalProperties: false,
    },
    kind: 'code',
    definition: {
      language: 'typescript',
      form: 'function',
      humanReadableFormat: 'Call it ${input.n} times',
      source: `export default async (input: any, ctx: any) => {
  const refusals: string[] = []
  for (let at = 0; at < input.n; at += 1) {
    try {
      await ctx.tools.call('${callee}', ${callee === 'beat_it' ? '{}' : '{ n: 2 }'})
    } catch (error: any) {
      refusals.push(String(error.message))
    }
  }
  return refusals
}`,
    },
    capabilities: ['tools'],
    // What a tool calls calls only what that tool may call itself.
    callees: [...new Set([callee, 'beat_it'])],
    examples: [{ input: { n: 0 }, expected: [] }],
  } as never)
  expect(built.status, JSON.stringify(built.report, undefined, 1)).toBe('approval_required')
  await kernel.toolsmaker.approveTool(name, 1, { signer })
  await kernel.toolsmaker.activateToolVersion(name, 1, { signer })
}

/** Calls a made tool that wants three beats, and does `stop` while the first is on its way. */
async function stopAtFirstBeat(name: string, stop: () => Promise<unknown>): Promise<ToolResult> {
  whenBeaten = async () => {
    if (beats === 1) await stop()
  }
  return kernel.invoker.invoke(name, { n: 3 }, { principal: agent, timeoutMs: 120_000 })
}

test('a made tool that runs when everything is paused is ended, and starts no more calls', async () => {
  await make('beat_on', 'beat_it')
  const result = await stopAtFirstBeat('beat_on', () =>
    kernel.toolsmaker.pauseTools({ reason: 'Incident' }),
  )
  await kernel.toolsmaker.resumeTools({ signer })
  expect(beats).toBe(1)
  expect(result).toMatchObject({
    errorCode: 'TOOLS_PAUSED',
    error: expect.stringContaining('All made tools are paused: Incident') as unknown,
  })
})

test.each(['deactivateTool', 'revokeTool'] as const)(
  'nor does one after %s, also not over the made tools that it calls',
  async (way) => {
    const [inner, outer] = [`inner_${way.toLowerCase()}`, `outer_${way.toLowerCase()}`]
    await make(inner, 'beat_it')
    await make(outer, inner)
    const result = await stopAtFirstBeat(outer, () =>
      way === 'revokeTool'
        ? kernel.toolsmaker.revokeTool(outer, 1, { reason: 'Bad' })
        : kernel.toolsmaker.deactivateTool(outer, { reason: 'Bad' }),
    )
    expect(beats).toBe(1)
    expect(result).toMatchObject({
      errorCode: 'TOOL_REVOKED',
      error: expect.stringContaining(`${outer} was taken out of use`) as unknown,
    })
  },
)
