import { createSandbox } from '@toolcrib/sandbox'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CodeHost, openCodeHost } from '../../test/open-code-host.ts'
import { resolveTools } from '../index.ts'

const sandbox = createSandbox({ maxWorkers: 1 })
let host: CodeHost

beforeEach(async () => {
  host = await openCodeHost(sandbox)
})
afterEach(async () => {
  await host.close()
})
afterAll(async () => {
  await sandbox.close()
})

const ada = { kind: 'agent', id: 'ada' } as const
const bob = { kind: 'agent', id: 'bob' } as const

const makeDouble = async (name: string): Promise<void> => {
  await host.call('ada', 'toolFactory_createCompute', {
    tool_name: name,
    tool_description: 'Doubles a number',
    tool_parameters: { n: { type: 'number' } },
    logic: {
      steps: [
        { op: 'math', expression: 'n * 2', output: 'd' },
        { op: 'return', value: 'd' },
      ],
    },
  })
}

const adding = `export const toolcrib = {
  description: 'Adds one',
  inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  examples: [{ input: { n: 1 }, expected: 2 }],
}
export default (input: { n: number }) => input.n + 1
`

const mount = (name: string): void => {
  host.registry.register({
    name,
    description: 'A tool of a server',
    inputSchema: { type: 'object' },
    source: { type: 'mcp', server: 'github' },
    execute: async () => 'found',
  })
}

test('built-in, made, dynamic and mounted tools are found by the names they have', async () => {
  const { registry, toolsmaker } = host
  await makeDouble('double_it')
  mount('mcp__github__search')
  await host.write('agent_ada_add_one.ts', adding)
  const dynamicTools = host.openService()
  await dynamicTools.initialize()
  await dynamicTools.whenIdle()
  await host.approve('add_one', 1)
  const names = [
    'add_one',
    'toolFactory_listCustomTools',
    'mcp__github__search',
    'double_it',
    'add_one',
  ]
  const resolved = resolveTools(names, { registry, toolsmaker, dynamicTools, principal: ada })
  expect(resolved.missing).toEqual([])
  expect(resolved.tools.map(({ name }) => name)).toEqual(names.slice(0, 4))
})

describe('each that is missing is named with its reason', () => {
  const missing = async (
    name: string,
    principal: typeof ada | typeof bob = ada,
  ): Promise<unknown> => {
    const { registry, toolsmaker } = host
    const dynamicTools = host.openService()
    await dynamicTools.initialize()
    await dynamicTools.whenIdle()
    const resolved = resolveTools([name], { registry, toolsmaker, dynamicTools, principal })
    expect(resolved.tools).toEqual([])
    return resolved.missing[0]
  }

  test('no such tool, with the nearest name', async () => {
    await makeDouble('double_it')
    expect(await missing('duoble_it')).toEqual({
      name: 'duoble_it',
      problem: 'not-found',
      reason: 'There is no tool of that name. The nearest name is "double_it".',
      nearestName: 'double_it',
    })
    expect(await missing('something_else_entirely')).toEqual({
      name: 'something_else_entirely',
      problem: 'not-found',
      reason: 'There is no tool of that name.',
    })
  })

  test('a tool of a server that is not mounted, or that the server has not', async () => {
    expect(await missing('mcp__github__search')).toMatchObject({
      problem: 'not-found',
      reason: expect.stringContaining('No tool of an MCP server "github" is mounted'),
    })
    mount('mcp__github__search')
    expect(await missing('mcp__github__serch')).toMatchObject({
      nearestName: 'mcp__github__search',
      reason: expect.stringContaining('The MCP server "github" has no such tool'),
    })
  })

  test.each(['not a name', '', '__proto__', 'toString'])('no name: %j', async (name) => {
    expect(await missing(name)).toMatchObject({ problem: 'name-invalid' })
  })

  test('it waits for a person, was rejected, taken out of use, revoked', async () => {
    await host.write('agent_ada_add_one.ts', adding)
    expect(await missing('add_one')).toEqual({
      name: 'add_one',
      problem: 'waits',
      reason: 'Version 1 waits for a person to approve it (it came from a file).',
    })
    await host.toolsmaker.rejectTool('add_one', 1, { reason: 'not needed' })
    expect(await missing('add_one')).toMatchObject({
      problem: 'file-failed',
      reason: expect.stringContaining('not needed'),
    })
    await makeDouble('double_it')
    await host.toolsmaker.deactivateTool('double_it', { reason: 'too old' })
    expect(await missing('double_it')).toMatchObject({
      problem: 'out-of-use',
      reason: 'Version 1 was taken out of use; a person can activate it again (too old).',
    })
    await host.toolsmaker.revokeTool('double_it', 1, { reason: 'harmful' })
    expect(await missing('double_it')).toMatchObject({
      problem: 'out-of-use',
      reason: 'Version 1 was revoked for ever (harmful).',
    })
  })

  test('its file failed, with the reason', async () => {
    await host.write('agent_ada_add_one.ts', 'export default (')
    expect(await missing('add_one')).toMatchObject({
      problem: 'file-failed',
      reason: expect.stringMatching(/agent_ada_add_one\.ts failed: .*line 1, column 17/),
    })
    expect(await missing('add_one', bob)).toMatchObject({ problem: 'not-found' })
  })

  test('its file is about to be read', async () => {
    const { registry, toolsmaker } = host
    const dynamicTools = host.openService({ debounceMs: 60_000 })
    await host.write('agent_ada_add_one.ts', adding)
    await dynamicTools.initialize()
    const resolved = resolveTools(['add_one'], {
      registry,
      toolsmaker,
      dynamicTools,
      principal: ada,
    })
    expect(resolved.missing).toMatchObject([{ problem: 'loading' }])
  })

  test('it belongs to somebody else', async () => {
    await makeDouble('double_it')
    expect(await missing('double_it', bob)).toMatchObject({
      problem: 'not-visible',
      reason: expect.stringContaining('is not shared'),
    })
  })

  test('everything is paused', async () => {
    await makeDouble('double_it')
    await host.toolsmaker.pauseTools({ reason: 'an alarm' })
    expect(await missing('double_it')).toMatchObject({
      problem: 'not-callable',
      reason: expect.stringContaining('an alarm'),
    })
  })

  test('also where only the registry is known', () => {
    const { registry } = host
    expect(resolveTools(['nothing'], { registry, principal: ada }).missing).toMatchObject([
      { problem: 'not-found' },
    ])
  })
})
