import type { Sandbox, SandboxModule } from '@toolcrib/sandbox'
import { createSandbox } from '@toolcrib/sandbox'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CodeHost, openCodeHost } from '../../test/open-code-host.ts'

const sandbox = createSandbox()
/** What each module was loaded for, in order: whoever something is tried for, or that it is in use. */
const loads: { readonly module: SandboxModule; readonly trialOf: string | undefined }[] = []
const watch = (watched: Sandbox): Sandbox => ({
  engine: watched.engine,
  load: (module, options = {}) => {
    loads.push({ module, trialOf: options.trialOf })
    return watched.load(module, options)
  },
  call: (hash, inputJson, options) => watched.call(hash, inputJson, options),
  unload: (hash) => watched.unload(hash),
  close: () => watched.close(),
})
let host: CodeHost

const open = async (ownerLimits: Record<string, number>, used = sandbox): Promise<void> => {
  host = await openCodeHost(watch(used), { ownerLimits })
}

beforeEach(() => {
  loads.length = 0
})
afterEach(async () => {
  await host.close()
})
afterAll(async () => {
  await sandbox.close()
})

const shorten = {
  name: 'shorten_text',
  description: 'Shortens a text',
  inputSchema: 'z.object({ text: z.string() })',
  implementation: 'return input.text.slice(0, 3)',
  examples: [{ input: { text: 'abcdef' }, expected: 'abc' }],
}
const endless = 'z.object({ a: (() => { for (;;) {} })() })'

const create = (agent: string, input: object): Promise<Record<string, unknown>> =>
  host.call(agent, 'create_dynamic_tool', { ...shorten, ...input })

const file = `
export const toolcrib = { description: 'Gives one', inputSchema: 'z.object({})', examples: [{ input: {} }] }
export default () => 1`

describe('the quota of an owner', () => {
  test('is asked before anything of a proposal runs, schemas of both kinds included', async () => {
    await open({ pending: 1 })
    expect(await create('eve', {})).toMatchObject({ status: 'approval_required' })
    loads.length = 0
    for (const schemas of [
      { inputSchema: endless },
      { outputSchema: endless },
      // Known already, but that is found out by running it only.
      {},
    ])
      expect(await create('eve', { name: 'shorten_more', ...schemas })).toMatchObject({
        success: false,
        errorCode: 'OWNER_QUOTA_EXCEEDED',
      })
    expect(loads).toEqual([])
    expect(await create('ann', { name: 'shorten_most' })).toMatchObject({ success: true })
  })

  test('counts what ran, also where nothing comes on record', async () => {
    await open({ proposalsPerMinute: 2 })
    const broken = { inputSchema: 'z.nothing()' }
    for (const _ of [1, 2])
      expect(await create('eve', broken)).toMatchObject({ errorCode: 'SCHEMA_INVALID' })
    expect(await create('eve', broken)).toMatchObject({ errorCode: 'OWNER_QUOTA_EXCEEDED' })
    expect(host.toolsmaker.listVersions()).toEqual([])
  })

  test('counts files of the dynamic folder that could not even be read', async () => {
    await open({ proposalsPerMinute: 1 })
    await host.write('agent_eve_broken_one.ts', 'export default (')
    await host.write('agent_eve_give_one.ts', file)
    const service = host.openService({ debounceMs: 0 })
    await service.initialize()
    await service.whenIdle()
    expect(service.list().map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^The file cannot become a tool/),
      expect.stringMatching(/^"agent:eve" has proposed 1 times/),
    ])
    expect(loads).toEqual([])
  })
})

describe('what is tried for a proposal', () => {
  test('is a trial of whoever proposes, and a call is none', async () => {
    await open({})
    await create('ann', { outputSchema: 'z.string()' })
    await host.write(
      'agent_bob_give_one.ts',
      `import { tool } from 'ai'
       import { z } from 'zod'
       export default () => tool({ description: 'Gives one', inputSchema: z.object({}), execute: async () => 1 })`,
    )
    const service = host.openService({ debounceMs: 0 })
    await service.initialize()
    await service.whenIdle()
    expect(new Set(loads.map(({ trialOf }) => trialOf))).toEqual(
      new Set(['agent:ann', 'agent:bob']),
    )
    loads.length = 0
    await host.approve('shorten_text', 1)
    expect(await host.call('ann', 'shorten_text', { text: 'hello' })).toBe('hel')
    expect(loads.map(({ trialOf }) => trialOf)).not.toContain('agent:ann')
  })

  test('keeps no call waiting, however much an owner has tried', async () => {
    const own = createSandbox()
    await open({}, own)
    await create('ann', {})
    await host.approve('shorten_text', 1)
    const ended: string[] = []
    const trials = ['one', 'two', 'three', 'four'].map(async (name) => {
      await create('eve', { name: `shorten_${name}`, inputSchema: endless })
      ended.push('trial')
    })
    await expect.poll(() => loads.some(({ trialOf }) => trialOf === 'agent:eve')).toBe(true)
    for (const _ of [1, 2, 3]) {
      expect(await host.call('ann', 'shorten_text', { text: 'hello' })).toBe('hel')
      ended.push('call')
    }
    // Each of them takes seconds, and they wait for each other.
    expect(ended[0]).toBe('call')
    await own.close()
    await Promise.all(trials)
  })
})
