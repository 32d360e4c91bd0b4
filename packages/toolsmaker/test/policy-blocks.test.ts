import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ToolDefinition, ToolRegistry } from '@toolcrib/registry'
import {
  type LifecycleEvent,
  type PolicyBlock,
  createMemoryEventStore,
  createMemoryTrust,
} from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import {
  adderIntent,
  agent,
  callTool,
  codeOf,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
  readEvents,
} from './bench-of-tests.ts'

const httpTool: ToolDefinition = {
  name: 'http',
  description: 'Sends requests',
  inputSchema: { type: 'object' },
  execute: () => 'sent',
}

const block: PolicyBlock = {
  toolName: 'plus_some',
  reason: 'Refused: read "/etc/passwd". The path must lie in an allowed folder.',
  rule: 'fs.path',
  tried: 'read "/etc/passwd"',
  principal: agent,
  callId: '0198c0de-0000-7000-8000-000000000000',
}

function blocksIn(events: readonly LifecycleEvent[]): readonly LifecycleEvent[] {
  return events.filter(({ type }) => type === 'tool_policy_blocked')
}

test('the latest events are found in a long record', async () => {
  const { maker } = await openWorkshop()
  await maker.recordPolicyBlock({ toolName: 'rare', reason: 'The first.' })
  for (let index = 0; index < 2_100; index += 1)
    // oxlint-disable-next-line no-await-in-loop -- the order is what is tested
    await maker.recordPolicyBlock({ toolName: 'http', reason: `Number ${index}.` })
  const reasons = (await maker.listEvents({ limit: 1_500 })).map(({ event }) => event)
  expect(reasons).toHaveLength(1_500)
  expect(reasons[0]).toMatchObject({ reason: 'Number 600.' })
  expect(reasons.at(-1)).toMatchObject({ reason: 'Number 2099.' })
  expect(await maker.listEvents({ name: 'rare' })).toMatchObject([{ sequence: 2 }])
})

test.each(['memory', 'files'])(
  'violations of every tool go on record and change nothing else, with events in %s',
  async (kind) => {
    const folder = await makeFolder()
    try {
      const store = kind === 'memory' ? createMemoryEventStore() : await openFolder(folder.path)
      const registry = new ToolRegistry()
      registry.register(httpTool)
      const workshop = await openWorkshop({ store, registry })
      const { maker } = workshop
      await maker.forAgent(agent).buildToolFromIntent(adderIntent())
      const [before] = maker.listVersions('plus_some')
      const told: LifecycleEvent[] = []
      maker.onEvent(({ event }) => event !== undefined && told.push(event))
      await maker.recordPolicyBlock(block)
      await maker.recordPolicyBlock({ toolName: 'http', reason: 'Refused: GET.', count: 7 })
      await maker.recordPolicyBlock({ toolName: 'left_long_ago', reason: 'Refused: GET.' })
      const { toolName, ...facts } = block
      const frame = { type: 'tool_policy_blocked', actor: { kind: 'host', id: 'default' } }
      const at = new Date(workshop.clock.now).toISOString()
      expect(told).toEqual([
        { ...frame, at, name: toolName, version: 1, ...facts, count: 1 },
        { ...frame, at, name: 'http', reason: 'Refused: GET.', count: 7 },
        { ...frame, at, name: 'left_long_ago', reason: 'Refused: GET.', count: 1 },
      ])
      expect(maker.listVersions('plus_some')).toEqual([before])
      expect((await maker.history('plus_some')).at(-1)?.event).toEqual(told[0])
      const listed = async (query?: Parameters<typeof maker.listEvents>[0]): Promise<unknown[]> =>
        (await maker.listEvents(query)).map(({ event }) => event)
      expect(await listed({ type: 'tool_policy_blocked' })).toEqual(told)
      expect(await listed({ type: 'tool_policy_blocked', limit: 2 })).toEqual(told.slice(1))
      expect(await listed({ name: 'http' })).toEqual([told[1]])
      expect(await listed({ limit: 1 })).toEqual([told[2]])
      expect((await listed()).slice(-3)).toEqual(told)
      await expect(listed({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
        'enough',
      )
      expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
      expect(await maker.verifyAudit()).toMatchObject({ ok: true })
    } finally {
      await folder.remove()
    }
  },
)

test('a log with violations reads the same after a restart, beside rows of earlier logs', async () => {
  const folder = await makeFolder()
  try {
    const grace = makeSigner('grace')
    const trust = createMemoryTrust({
      approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    })
    const store = await openFolder(folder.path)
    const first = await openWorkshop({ store, trust, grace })
    await first.maker.forAgent(agent).buildToolFromIntent(adderIntent())
    const old: LifecycleEvent = {
      type: 'tool_policy_blocked',
      at: '2030-01-01T00:00:00.000Z',
      actor: { kind: 'host', id: 'default' },
      name: 'plus_some',
      version: 1,
      reason: 'as it was recorded before',
    }
    await store.append([old], store.sequence)
    await first.maker.close()
    const second = await openWorkshop({ store: await openFolder(folder.path), trust, grace })
    await second.maker.recordPolicyBlock(block)
    await second.maker.recordPolicyBlock({ toolName: 'http', reason: 'Refused: GET.' })
    const before = second.maker.listVersions()
    await second.maker.close()
    const third = await openWorkshop({ store: await openFolder(folder.path), trust, grace })
    expect(third.maker.listVersions()).toEqual(before)
    expect(third.maker.listVersions()).toMatchObject([{ status: 'activated', callable: true }])
    expect(await third.maker.verifyAudit()).toMatchObject({ ok: true })
    expect(await callTool(third, 'plus_some', { value: 1 })).toBe(2)
    await third.maker.close()
    expect(blocksIn(await readEvents(folder.path))).toHaveLength(3)
  } finally {
    await folder.remove()
  }
})

test('a violation of a tool that was taken out of use meanwhile is about the version that was in use', async () => {
  const store = createMemoryEventStore()
  const { maker } = await openWorkshop({ store })
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await maker.deactivateTool('plus_some', { reason: 'while a call ran' })
  await maker.recordPolicyBlock(block)
  expect((await maker.history('plus_some')).at(-1)?.event).toMatchObject({ version: 1, count: 1 })
})

test('a tool of the host that bears the name of a made one is not taken for it', async () => {
  const store = createMemoryEventStore()
  const { maker, registry } = await openWorkshop({ store })
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await maker.deactivateTool('plus_some', { reason: 'the host has one of its own' })
  registry.register({ ...httpTool, name: 'plus_some' })
  await maker.recordPolicyBlock(block)
  const last = (await store.read()).at(-1)?.event
  expect(last).toMatchObject({ type: 'tool_policy_blocked', name: 'plus_some' })
  expect(last).not.toHaveProperty('version')
})

test('what a tool wrote goes on record bounded, in one line, without characters that deceive', async () => {
  const store = createMemoryEventStore()
  const { maker } = await openWorkshop({ store })
  await maker.recordPolicyBlock({
    toolName: 'http',
    reason: `a\u001b[2Jb\r\n\u202Ec\u0000${'x'.repeat(5_000)}`,
    tried: '🙂'.repeat(400),
    rule: 'http\u0007.domain',
  })
  const event = (await store.read()).at(-1)?.event
  expect(event).toMatchObject({ rule: 'http.domain' })
  const { reason, tried } = event as { reason: string; tried: string }
  expect(reason).toMatch(/^a\[2Jb cx+…$/)
  expect(reason).toHaveLength(2_000)
  expect(tried.length).toBeLessThanOrEqual(501)
  expect(tried.isWellFormed()).toBe(true)
  await maker.recordPolicyBlock({ toolName: 'http', reason: 'y'.repeat(2_000) })
  expect((await store.read()).at(-1)?.event).toMatchObject({ reason: 'y'.repeat(2_000) })
})

test.for([
  ['toolName', { toolName: 'no such name', reason: 'x' }],
  ['reason', { toolName: 'http', reason: '' }],
  ['reason', { toolName: 'http', reason: '\u200B \n' }],
  ['reason', { toolName: 'http', reason: 5 }],
  ['count', { toolName: 'http', reason: 'x', count: 0 }],
  ['count', { toolName: 'http', reason: 'x', count: 1.5 }],
  ['tried', { toolName: 'http', reason: 'x', tried: {} }],
  ['principal.kind', { toolName: 'http', reason: 'x', principal: { id: 'ada' } }],
] as const)(
  'a block with a wrong %s is refused by name and nothing is recorded',
  async ([field, wrong]) => {
    const store = createMemoryEventStore()
    const { maker } = await openWorkshop({ store })
    const recording = maker.recordPolicyBlock(wrong as unknown as PolicyBlock)
    expect(await codeOf(recording)).toBe('REQUEST_INVALID')
    await expect(recording).rejects.toThrow(field)
    // Nothing but the first row, with which every log begins.
    expect(store.sequence).toBe(1)
  },
)

test('a revocation that somebody made into a violation without a version voids the tool all the same', async () => {
  const folder = await makeFolder()
  try {
    const grace = makeSigner('grace')
    const trust = createMemoryTrust({
      approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    })
    const options = { trust, grace }
    const first = await openWorkshop({ ...options, store: await openFolder(folder.path) })
    await first.maker.forAgent(agent).buildToolFromIntent(adderIntent())
    await first.maker.recordPolicyBlock({ toolName: 'plus_some', reason: 'row to be changed' })
    await first.maker.close()
    const file = join(folder.path, 'store/audit.jsonl')
    const text = await readFile(file, 'utf8')
    const changed = text.replace(/"version":1,("reason":"row to be changed)/, '$1')
    expect(changed).not.toBe(text)
    await writeFile(file, changed)
    const second = await openWorkshop({ ...options, store: await openFolder(folder.path) })
    expect(await second.maker.verifyAudit()).toMatchObject({ ok: false })
    expect(second.maker.listVersions('plus_some')).toMatchObject([{ callable: false }])
    await second.maker.close()
  } finally {
    await folder.remove()
  }
})
