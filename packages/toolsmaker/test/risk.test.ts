import { type ToolDefinition, ToolRegistry, type ToolRisk } from '@toolcrib/registry'
import type { ToolIntent } from '@toolcrib/toolsmaker'
import { describe, expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import { type Workshop, adderIntent, agent, callTool, openWorkshop } from './bench-of-tests.ts'

const builtIn = (name: string, risk: ToolRisk): ToolDefinition => ({
  name,
  description: 'A tool of the host',
  inputSchema: { type: 'object' },
  risk,
  execute: () => 'ran',
})

async function open(): Promise<Workshop> {
  const registry = new ToolRegistry()
  registry.register(builtIn('shell', 'high'))
  registry.register(builtIn('sql', 'medium'))
  return openWorkshop({ registry, kinds: [createAdderKind({ kind: 'code' })] })
}

function intent(overrides: Partial<ToolIntent>): ToolIntent {
  return adderIntent({ kind: 'code', ...overrides })
}

const calls = (...callees: string[]): Partial<ToolIntent> => ({ capabilities: ['tools'], callees })

async function propose(
  { maker }: Workshop,
  overrides: Partial<ToolIntent>,
): Promise<{ status: string; risk: ToolRisk; said: Record<string, string>; passed: boolean }> {
  const built = await maker.forAgent(agent).buildToolFromIntent(intent(overrides))
  const { checks } = built.report
  return {
    status: built.status,
    risk: built.spec.risk,
    said: Object.fromEntries(checks.map(({ name, message }) => [name, message])),
    passed: checks.every(({ pass }) => pass),
  }
}

async function put({ maker, grace }: Workshop, overrides: Partial<ToolIntent>): Promise<void> {
  const { report, spec } = await maker.forAgent(agent).buildToolFromIntent(intent(overrides))
  expect(report.checks.filter(({ pass }) => !pass)).toEqual([])
  const { name, version } = spec
  await maker.approveTool(name, version, { signer: grace })
  await maker.activateToolVersion(name, version, { signer: grace })
}

describe('the risk of a proposal', () => {
  const reads = { capabilities: ['fs_read'], allowedPaths: ['data'] } as const
  test.each<[string, Partial<ToolIntent>, ToolRisk]>([
    ['nothing', {}, 'low'],
    ['reading', reads, 'low'],
    ['writing', { capabilities: ['fs_write'], allowedPaths: ['data'] }, 'medium'],
    ['sending', { capabilities: ['http'], allowedDomains: ['a.example.com'] }, 'medium'],
    ['secrets', { capabilities: ['secrets'], secrets: ['API_KEY'] }, 'medium'],
    ['calls', calls('sql'), 'medium'],
    [
      'reading and sending',
      { ...reads, capabilities: ['fs_read', 'http'], allowedDomains: ['a.example.com'] },
      'high',
    ],
    [
      'writing and sending',
      { ...reads, capabilities: ['fs_write', 'http'], allowedDomains: ['a.example.com'] },
      'high',
    ],
    [
      'sending secrets',
      { capabilities: ['http', 'secrets'], allowedDomains: ['a.example.com'], secrets: ['K'] },
      'high',
    ],
    ['sending to every host', { capabilities: ['http'], allowedDomains: ['*'] }, 'high'],
    ['reading the whole disk', { capabilities: ['fs_read'], allowedPaths: ['/etc'] }, 'high'],
  ])('declared low and asking for %s', async (_what, overrides, risk) => {
    const workshop = await open()
    const found = await propose(workshop, { ...overrides, risk: 'low' })
    expect(found.risk).toBe(risk)
    expect(found.said['risk']).toMatch(risk === 'low' ? /^low, as its author/ : /^raised from low/)
    // A risk that the author puts higher stays.
    const high = await propose(workshop, { ...overrides, risk: 'high', name: 'other_sum' })
    expect(high.risk).toBe('high')
  })

  test('is what a person signs', async () => {
    const { maker } = await open()
    await maker
      .forAgent(agent)
      .buildToolFromIntent(
        intent({ risk: 'low', capabilities: ['http'], allowedDomains: ['a.example.com'] }),
      )
    const review = await maker.readReview('plus_some', 1)
    expect(review?.risk.level).toBe('medium')
    expect(maker.listVersions('plus_some')[0]?.risk).toBe('medium')
  })
})

describe('a tool that reaches others', () => {
  test('is refused when one of them is riskier than it says, over one hop or two, with the way', async () => {
    const workshop = await open()
    const direct = await propose(workshop, { ...calls('shell'), risk: 'low' })
    expect(direct).toMatchObject({ status: 'rejected', passed: false })
    expect(direct.said['callees']).toContain('plus_some calls shell')
    await put(workshop, { ...calls('shell'), name: 'run_things', risk: 'high' })
    const two = await propose(workshop, { ...calls('run_things'), name: 'harmless', risk: 'low' })
    expect(two.status).toBe('rejected')
    expect(two.said['callees']).toContain('harmless calls run_things, run_things calls shell')
    const honest = await propose(workshop, { ...calls('run_things'), name: 'honest', risk: 'high' })
    expect(honest.status).toBe('approval_required')
  })

  test('is refused over two hops when only the far one became riskier', async () => {
    const workshop = await open()
    await put(workshop, { ...calls('sql'), name: 'asks_sql', risk: 'medium' })
    workshop.registry.replace(builtIn('sql', 'high'))
    const found = await propose(workshop, { ...calls('asks_sql'), name: 'outer_sum' })
    expect(found.status).toBe('rejected')
    expect(found.said['callees']).toBe(
      'sql has risk high, so risk must be high or higher, got medium (outer_sum calls asks_sql, asks_sql calls sql)',
    )
  })

  test('shows which calls will be refused for want of its own powers, and that is no fault', async () => {
    const workshop = await open()
    await put(workshop, {
      ...calls('sql'),
      name: 'fetch_some',
      risk: 'high',
      capabilities: ['http', 'tools', 'fs_read'],
      allowedDomains: ['x.example.com', 'y.example.com'],
      allowedPaths: ['data'],
    })
    const found = await propose(workshop, {
      ...calls('fetch_some'),
      name: 'outer_sum',
      risk: 'high',
      capabilities: ['http', 'tools'],
      allowedDomains: ['x.example.com'],
    })
    expect(found).toMatchObject({ status: 'approval_required', passed: true })
    const said = found.said['callee-powers']
    expect(said).toMatch(/fetch_some .*y\.example\.com.*, which this tool may not: such calls will/)
    expect(said).toMatch(/fetch_some may read files in data/)
    expect(said).toMatch(/fetch_some may call the tool sql/)
    expect(said).not.toContain('x.example.com')
  })

  test('may not reach itself over another, and a circle ends the search', async () => {
    const workshop = await open()
    await put(workshop, { ...calls('sql'), name: 'first_sum', risk: 'medium' })
    await put(workshop, { ...calls('first_sum'), name: 'second_sum', risk: 'medium' })
    const found = await propose(workshop, { ...calls('second_sum'), name: 'first_sum' })
    expect(found.passed).toBe(true)
  })
})

describe('a callee that changes', () => {
  /** outer_sum calls inner_sum, inner_sum calls core_sum. */
  async function openChain(): Promise<Workshop> {
    const workshop = await open()
    await put(workshop, { name: 'core_sum' })
    await put(workshop, { ...calls('core_sum'), name: 'inner_sum' })
    await put(workshop, { ...calls('inner_sum'), name: 'outer_sum' })
    return workshop
  }
  const state = async (workshop: Workshop): Promise<unknown[]> => [
    await callTool(workshop, 'core_sum', { value: 1 }),
    await callTool(workshop, 'inner_sum', { value: 1 }),
    await callTool(workshop, 'outer_sum', { value: 1 }),
  ]
  const why = ({ maker, registry }: Workshop, name: string): string => {
    const tool = registry.get(name)
    return (tool && maker.checkCallable(tool, agent)?.message) ?? 'callable'
  }

  test('suspends its caller and the caller of that, by name', async () => {
    const workshop = await openChain()
    expect(await state(workshop)).toEqual([2, 2, 2])
    await put(workshop, { name: 'core_sum', definition: { add: 2 } })
    expect(await state(workshop)).toEqual([3, 'TOOL_REVOKED', 'TOOL_REVOKED'])
    expect(why(workshop, 'outer_sum')).toBe(
      'outer_sum is suspended: inner_sum, which it calls, is suspended: core_sum, which it calls, is not the version that was approved.',
    )
  })

  test('and comes back in the approved version lets them run again, and in no other', async () => {
    const workshop = await openChain()
    const { maker, grace } = workshop
    await maker.deactivateTool('core_sum', { reason: 'for a while' })
    expect(await state(workshop)).toEqual(['not registered', 'TOOL_REVOKED', 'TOOL_REVOKED'])
    await maker.activateToolVersion('core_sum', 1, { signer: grace })
    expect(await state(workshop)).toEqual([2, 2, 2])
    await put(workshop, { name: 'core_sum', definition: { add: 2 } })
    await maker.rollbackTool('core_sum', { signer: grace })
    expect(await state(workshop)).toEqual([2, 2, 2])
    await maker.revokeTool('core_sum', 1, { reason: 'it was wrong' })
    await maker.activateToolVersion('core_sum', 2, { signer: grace })
    expect(await state(workshop)).toEqual([3, 'TOOL_REVOKED', 'TOOL_REVOKED'])
  })

  test('into a tool of the host with its name suspends them too', async () => {
    const workshop = await openChain()
    await workshop.maker.deactivateTool('core_sum', { reason: 'for a while' })
    workshop.registry.register(builtIn('core_sum', 'low'))
    expect((await state(workshop)).slice(1)).toEqual(['TOOL_REVOKED', 'TOOL_REVOKED'])
  })
})
