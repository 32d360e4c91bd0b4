import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonValue, contentHash } from '@toolcrib/registry'
import {
  type LifecycleEvent,
  type MemoryTrust,
  type SignedDecision,
  type ToolContent,
  type VersionStatement,
  createMemoryTrust,
  decisionType,
  openTrustDirectory,
  sealStatement,
  signDecision,
  signStatement,
} from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Workshop,
  adderIntent,
  agent,
  callTool,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
  readEvents,
  rewriteStore,
  statementIn,
  withStatement,
  withoutMemory,
} from './bench-of-tests.ts'

// Somebody can write the whole store, and knows how its hashes are computed. The trust is out of reach.

let folder: Awaited<ReturnType<typeof makeFolder>>
const grace = makeSigner('grace')
const mallory = makeSigner('mallory')
let trust: MemoryTrust

beforeEach(async () => {
  folder = await makeFolder()
  trust = createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
  })
})
afterEach(() => folder.remove())

/** v1 by rule and v2 by grace of `plus_some`, with `twice_some` by rule beside it; then the store is closed. */
async function makeHistory(): Promise<LifecycleEvent[]> {
  await rewriteStore(folder.path, [])
  trust = createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
  })
  const { maker } = await open()
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace, timeoutMs: 5_000 })
  await ada.buildToolFromIntent(adderIntent({ name: 'other_sum', definition: { add: 7 } }))
  await ada.buildToolFromIntent(
    adderIntent({ name: 'bash_sum', definition: { add: 9 }, risk: 'high' }),
  )
  await maker.close()
  return readEvents(folder.path)
}

async function open(namespace = 'default'): Promise<Workshop> {
  return openWorkshop({ store: await openFolder(folder.path, namespace), trust, grace })
}

type Change = (events: LifecycleEvent[]) => LifecycleEvent[] | Promise<LifecycleEvent[]>

/** Rewrites the store and gives what `plus_some` and `other_sum` do after a start. */
async function after(
  change: Change,
  options: { readonly keepCheckpoint?: boolean } = {},
): Promise<{
  plus: unknown
  other: unknown
  bash: unknown
  workshop: Workshop
}> {
  const events = await change(await makeHistory())
  await rewriteStore(folder.path, events)
  // The strongest case: nothing outside the store remembers what the log was, so only signatures stand in the way.
  if (options.keepCheckpoint !== true) trust.readCheckpoint = async () => undefined
  const workshop = await open()
  const results = {
    plus: await callTool(workshop, 'plus_some', { value: 1 }),
    other: await callTool(workshop, 'other_sum', { value: 1 }),
    bash: await callTool(workshop, 'bash_sum', { value: 1 }),
    workshop,
  }
  await workshop.maker.close()
  return results
}

function find<Type extends LifecycleEvent['type']>(
  events: readonly LifecycleEvent[],
  type: Type,
  label: `${string} v${number}` = 'plus_some v1',
): Extract<LifecycleEvent, { type: Type }> {
  const found = events.find(
    (event) =>
      event.type === type && 'version' in event && `${event.name} v${event.version}` === label,
  )
  if (found === undefined) throw new Error(`no ${type} of ${label}`)
  return found as Extract<LifecycleEvent, { type: Type }>
}

function set(target: object, values: object): void {
  Object.assign(target, values)
}

test('a store that nobody touched loads as it was', async () => {
  expect(await after((events) => events)).toMatchObject({
    plus: 3,
    other: 8,
    bash: 'not registered',
  })
})

test('a swapped definition does not run, whether or not its hash was recomputed everywhere', async () => {
  const evil = { add: 666 }
  const plain = await after((events) => {
    set(find(events, 'tool_build_generated', 'plus_some v2').content, { definition: evil })
    return events
  })
  expect(plain).toMatchObject({ plus: 'not registered', other: 8 })
  const consistent = await after(async (events) => {
    const generated = find(events, 'tool_build_generated', 'plus_some v2')
    set(generated.content, { definition: evil })
    const hash = await contentHash(generated.content as unknown as JsonValue)
    set(generated, { contentHash: hash })
    const approved = find(events, 'tool_approved', 'plus_some v2')
    set(approved, { decision: withStatement(approved.decision, { contentHash: hash }) })
    const activated = find(events, 'tool_activated', 'plus_some v2')
    if (activated.decision !== undefined)
      set(activated, { decision: withStatement(activated.decision, { contentHash: hash }) })
    return events
  })
  expect(consistent).toMatchObject({ plus: 'not registered', other: 8 })
})

test('a version without approval does not run because the log says it is approved and active', async () => {
  const outcome = await after((events) => {
    const [rule] = [find(events, 'tool_approved', 'plus_some v1')]
    const person = find(events, 'tool_approved', 'plus_some v2')
    const activated = find(events, 'tool_activated', 'plus_some v2')
    const target = { name: 'bash_sum', version: 1 }
    return [
      ...events,
      { ...person, ...target, decision: person.decision, approvedBy: rule.approvedBy },
      { ...activated, ...target },
    ]
  })
  expect(outcome).toMatchObject({ bash: 'not registered', plus: 3, other: 8 })
})

async function forged(
  events: readonly LifecycleEvent[],
  change: (statement: VersionStatement) => VersionStatement,
  signer = mallory,
): Promise<LifecycleEvent[]> {
  const { content, contentHash: hash } = find(events, 'tool_build_generated', 'bash_sum v1')
  const statement = change({
    ...statementIn(find(events, 'tool_approved', 'plus_some v2').decision),
    action: 'approve_and_activate',
    name: content.name,
    version: 1,
    contentHash: hash,
    approver: signer.approverId,
  })
  const genuine = { ...signer, approverId: statement.approver }
  const decision: SignedDecision = await signDecision(statement, genuine)
  const frame = {
    at: '2030-01-01T00:00:00.000Z',
    actor: { kind: 'person', id: 'grace' } as const,
    name: 'bash_sum',
    version: 1,
  }
  return [
    ...events,
    {
      ...frame,
      type: 'tool_approved',
      approvalId: 'f'.repeat(64),
      approvedBy: { people: ['grace'] },
      decision,
    },
    { ...frame, type: 'tool_activated', approvalId: 'f'.repeat(64) },
  ]
}

test('a signature of a stranger does not count, under the own name, that of an approver, or that of the host', async () => {
  for (const approver of ['mallory', 'grace', 'host']) {
    const outcome = await after((events) =>
      forged(events, (statement) => ({ ...statement, approver, rule: 'compute-safe' })),
    )
    expect(outcome, approver).toMatchObject({ bash: 'not registered', plus: 3, other: 8 })
  }
})

test("an approver's signature for another namespace, kind, version, name or hash does not count", async () => {
  const changes: readonly Partial<VersionStatement>[] = [
    { namespace: 'other' },
    { kind: 'code' },
    { version: 2 },
    { name: 'other_sum' },
    { contentHash: '0'.repeat(64) },
    { action: 'share' },
  ]
  for (const change of changes) {
    const outcome = await after((events) =>
      forged(events, (statement) => ({ ...statement, ...change, approver: 'grace' }), grace),
    )
    expect(outcome, JSON.stringify(change)).toMatchObject({ bash: 'not registered', plus: 3 })
  }
  // The same with nothing changed does count, so it is the change that was refused.
  const genuine = await after((events) =>
    forged(events, (statement) => ({ ...statement, approver: 'grace' }), grace),
  )
  expect(genuine.bash).toBe(10)
})

test('a store copied into another namespace brings no callable tool with it', async () => {
  const events = await makeHistory()
  await rewriteStore(folder.path, events, 'elsewhere')
  const workshop = await open('elsewhere')
  expect(workshop.registry.count()).toBe(0)
  await workshop.maker.close()
})

test('an approver whom only a file in the store names is none', async () => {
  const events = await forged(await makeHistory(), (statement) => statement)
  await rewriteStore(folder.path, events)
  const list = JSON.stringify([{ id: 'mallory', name: 'M', publicKey: mallory.publicKey }])
  await mkdir(join(folder.path, 'store', 'trust'), { recursive: true })
  for (const place of ['approvers.json', 'trust/approvers.json'])
    await writeFile(join(folder.path, 'store', place), list)
  const workshop = await open()
  expect(await callTool(workshop, 'bash_sum', { value: 1 })).toBe('not registered')
  await workshop.maker.close()
})

test('an approval without activation, or an activation without approval, is not callable', async () => {
  const noActivation = await after((events) => {
    delete (find(events, 'tool_activated', 'plus_some v2') as { decision?: unknown }).decision
    return events
  })
  expect(noActivation.plus).toBe('not registered')
  const noApproval = await after((events) => {
    const activated = find(events, 'tool_activated', 'plus_some v2')
    set(find(events, 'tool_approved', 'plus_some v2'), { decision: activated.decision })
    return events
  })
  expect(noApproval.plus).toBe('not registered')
})

test('limits wider than those that were signed are refused', async () => {
  const outcome = await after((events) => {
    set(find(events, 'tool_activated', 'plus_some v2'), { limits: { timeoutMs: 30_000 } })
    return events
  })
  expect(outcome).toMatchObject({ plus: 'not registered', other: 8 })
})

test('the expiry of an approval cannot be moved', async () => {
  const outcome = await after((events) => {
    const approved = find(events, 'tool_approved', 'plus_some v2')
    set(approved, { decision: withStatement(approved.decision, { expiresAt: 9e12 }) })
    return events
  })
  expect(outcome.plus).toBe('not registered')
})

test('another owner or visibility than the signed one is refused', async () => {
  for (const change of [
    { owner: 'agent:bob' },
    { visibility: 'shared' },
  ] as Partial<ToolContent>[]) {
    const outcome = await after((events) => {
      set(find(events, 'tool_build_generated', 'other_sum v1').content, change)
      return events
    })
    expect(outcome).toMatchObject({ other: 'not registered', plus: 3 })
  }
})

test('a share that nobody signed leaves the tool to its owner', async () => {
  const outcome = await after((events) => {
    const { decision } = find(events, 'tool_approved', 'plus_some v2')
    const frame = {
      at: '2030-01-01T00:00:00.000Z',
      actor: { kind: 'person', id: 'grace' } as const,
    }
    const shared = withStatement(decision, { action: 'share' })
    return [
      ...events,
      { ...frame, type: 'tool_shared', name: 'plus_some', version: 2, decision: shared },
    ]
  })
  expect(outcome.plus).toBe(3)
  expect(outcome.workshop.trust.approvers().has('grace')).toBe(true)
})

test('a forged share is not believed at a later start either', async () => {
  const events = await makeHistory()
  const { decision } = find(events, 'tool_approved', 'plus_some v2')
  const frame = { at: '2030-01-01T00:00:00.000Z', actor: { kind: 'person', id: 'grace' } as const }
  const forgedShare = withStatement(decision, { action: 'share' })
  await rewriteStore(folder.path, [
    ...events,
    { ...frame, type: 'tool_shared', name: 'plus_some', version: 2, decision: forgedShare },
  ])
  for (let start = 0; start < 3; start += 1) {
    const workshop = await open()
    const source = workshop.registry.get('plus_some')?.source
    expect(source?.type === 'made' && source.visibility).toBe('owner')
    await workshop.maker.close()
  }
})

test('a revoked version stays revoked when the store forgets it', async () => {
  const events = await makeHistory()
  const { maker } = await open()
  await maker.revokeTool('plus_some', 2, { reason: 'it misbehaves' })
  await maker.close()
  await rewriteStore(folder.path, events)
  const workshop = await open()
  expect(await callTool(workshop, 'other_sum', { value: 1 })).toBe('TOOLS_PAUSED')
  // Not even a person who takes that log for the right one brings it back.
  await workshop.maker.acceptLog({ signer: grace })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  expect(await callTool(workshop, 'other_sum', { value: 1 })).toBe(8)
  expect(workshop.maker.listVersions('plus_some').at(-1)?.status).toBe('revoked')
  await workshop.maker.close()
})

test('a log that was cut or written anew no longer verifies, and nothing of it runs, because the trust remembers its head', async () => {
  const events = await makeHistory()
  for (const changed of [
    events.slice(0, -3),
    events.with(1, { ...events[1], at: 'x' } as LifecycleEvent),
  ]) {
    await rewriteStore(folder.path, changed)
    const workshop = await open()
    const verified = await workshop.maker.verifyAudit()
    expect(verified).toMatchObject({ ok: false })
    expect(verified.ok ? '' : verified.reason).toMatch(/was cut|written anew/)
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('TOOLS_PAUSED')
    await workshop.maker.close()
  }
})

test('a forged checkpoint buys nothing', async () => {
  const events = await forged(await makeHistory(), (statement) => ({
    ...statement,
    approver: 'grace',
  }))
  await rewriteStore(folder.path, events)
  const store = await openFolder(folder.path)
  const checkpoint = {
    namespace: 'default',
    sequence: events.length,
    headHash: String(await store.hashAt(events.length)),
    trustHash: '0'.repeat(64),
  }
  await store.close()
  const payloadType = 'application/vnd.toolcrib.checkpoint.v2+json'
  const signed = await signStatement({ payloadType, schema: z.any() }, checkpoint, mallory)
  trust.readCheckpoint = async () => signed
  const workshop = await open()
  expect(await callTool(workshop, 'bash_sum', { value: 1 })).toBe('not registered')
  expect(await workshop.maker.verifyAudit()).toMatchObject({ ok: false })
  await workshop.maker.close()
})

test('the end of a pause that nobody signed leaves the tools paused', async () => {
  const { maker } = await open()
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await maker.pauseTools({ reason: 'look into it' })
  await maker.close()
  const events = await readEvents(folder.path)
  const decision = find(events, 'tool_approved', 'plus_some v1').decision
  const { store, namespace, policyHash, approver, issuedAt } = statementIn(decision)
  const statement = {
    store,
    namespace,
    policyHash,
    approver,
    issuedAt,
    action: 'resume',
    expiresAt: null,
    basis: events.length,
    lifts: '0'.repeat(64),
  } as const
  const stranger = { ...mallory, approverId: approver }
  const ended = await signDecision(statement, stranger)
  const resumed: LifecycleEvent = {
    type: 'tools_resumed',
    at: '2030-01-01T00:00:00.000Z',
    actor: { kind: 'person', id: 'grace' },
    decision: ended,
    confirmation: ended,
  }
  await rewriteStore(folder.path, [...events, resumed])
  const workshop = await open()
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('TOOLS_PAUSED')
  await workshop.maker.close()
})

test('one changed byte of a known log pauses all, and once accepted puts out of use the tool it names and no other', async () => {
  await makeHistory()
  const path = join(folder.path, 'store', 'audit.jsonl')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"definition":{"add":2}', '"definition":{"add":3}'))
  const workshop = await open()
  expect(workshop.maker.logProblem).toMatch(/was changed/)
  expect(await callTool(workshop, 'other_sum', { value: 1 })).toBe('TOOLS_PAUSED')
  await workshop.maker.acceptLog({ signer: grace })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  expect(await callTool(workshop, 'other_sum', { value: 1 })).toBe(8)
  const types = (await workshop.maker.history('plus_some')).map(({ event }) => event?.type)
  expect(types.at(-1)).toBe('tool_tampered')
  expect(await workshop.maker.verifyAudit()).toMatchObject({ ok: false })
  await workshop.maker.close()
  const again = await open()
  expect((await again.maker.history('plus_some')).length).toBe(types.length)
  await again.maker.close()
})

test('a row that hid a revocation puts the tool out of use', async () => {
  await makeHistory()
  const { maker } = await open()
  await maker.deactivateTool('other_sum', { reason: 'not needed' })
  await maker.close()
  trust.readCheckpoint = async () => undefined
  const path = join(folder.path, 'store', 'audit.jsonl')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"tool_deactivated"', '"tool_activation_failed"'))
  const workshop = await open()
  expect(await callTool(workshop, 'other_sum', { value: 1 })).toBe('not registered')
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(3)
  await workshop.maker.close()
})

test('events of any shape are survived', async () => {
  const events = await makeHistory()
  const hostile: unknown[] = [
    null,
    7,
    'text',
    [],
    {},
    { type: 'toString', at: 'x', actor: { id: 'x' } },
    { type: 'tool_activated' },
    { ...find(events, 'tool_activated', 'plus_some v1'), version: 99 },
    {
      ...find(events, 'tool_approved', 'plus_some v2'),
      decision: { statement: {}, signature: '' },
    },
    ...[{}, { action: {} }, [], null, 'text'].map((statement) => ({
      ...find(events, 'tool_approved', 'plus_some v2'),
      decision: sealStatement(decisionType.payloadType, { statement, keyId: '', signature: '' }),
    })),
    {
      ...find(events, 'tool_approved', 'plus_some v2'),
      decision: { payloadType: 'x', payload: 'no base64', signatures: [] },
    },
    {
      ...find(events, 'tool_approved', 'plus_some v2'),
      version: 1,
      decision: { statement: { action: {} }, signature: 'A'.repeat(86) },
    },
    { ...find(events, 'tool_build_requested', 'plus_some v1'), name: '__proto__' },
    { ...find(events, 'tool_build_requested', 'plus_some v1'), name: '../../etc', version: 1 },
    { ...find(events, 'tool_build_requested', 'plus_some v1'), name: 'fresh_one', version: 1 },
    {
      ...find(events, 'tool_build_generated', 'plus_some v1'),
      name: 'fresh_one',
      content: { kind: 1 },
    },
    { ...find(events, 'tool_activated', 'plus_some v1'), name: 'fresh_one', at: 'not a date' },
    {
      ...find(events, 'tool_build_generated', 'plus_some v1'),
      name: 'fresh_one',
      contentHash: 'x'.repeat(1e6),
    },
    { ...find(events, 'tool_superseded', 'plus_some v1'), by: -1 },
  ]
  await rewriteStore(folder.path, [...events, ...(hostile as LifecycleEvent[])])
  trust.readCheckpoint = async () => undefined
  const workshop = await open()
  expect(await callTool(workshop, 'other_sum', { value: 1 })).toBe(8)
  expect(await callTool(workshop, 'fresh_one', { value: 1 })).toBe('not registered')
  expect(workshop.maker.listVersions().length).toBeGreaterThan(0)
  await workshop.maker.checkProjections()
  await workshop.maker.close()
})

test('a trust directory in the store, or around it, is refused', async () => {
  const store = await openFolder(folder.path)
  const inside = await openTrustDirectory(join(folder.path, 'store', 'trust'))
  await expect(openWorkshop({ store, trust: inside as MemoryTrust })).rejects.toMatchObject({
    code: 'TRUST_MISPLACED',
  })
  await store.close()
  await expect(
    openTrustDirectory(folder.path, { storeDirectory: join(folder.path, 'store') }),
  ).rejects.toMatchObject({ code: 'TRUST_MISPLACED' })
})

test('an approval alone, without the will to activate, activates nothing', async () => {
  const { maker } = await open()
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent({ risk: 'high' }))
  await maker.approveTool('plus_some', 1, { signer: grace })
  await maker.close()
  const events = await readEvents(folder.path)
  const { approvalId } = find(events, 'tool_approved')
  const actor = { kind: 'person', id: 'grace' } as const
  const at = '2030-01-01T00:00:00.000Z'
  await rewriteStore(folder.path, [
    ...events,
    { type: 'tool_activated', at, actor, name: 'plus_some', version: 1, approvalId },
  ])
  trust.readCheckpoint = async () => undefined
  const workshop = await open()
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  await workshop.maker.close()
})

test('what was taken out of use does not come back on the decision that first put it into use', async () => {
  const { maker } = await open()
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await maker.deactivateTool('plus_some', { reason: 'enough' })
  await maker.close()
  const events = await readEvents(folder.path)
  await rewriteStore(folder.path, [...events, find(events, 'tool_activated')])
  trust.readCheckpoint = async () => undefined
  const workshop = await open()
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  await workshop.maker.close()
})

test('a forged approval beside a sound one does not make it last longer, at the first start or a later one', async () => {
  const hour = 3_600_000
  trust.setPolicy({ approvalExpiryMs: hour, rules: [] })
  const clock = { now: Date.UTC(2030, 0, 1) }
  const start = async (): Promise<Workshop> =>
    openWorkshop({ store: await openFolder(folder.path), trust, grace, clock })
  const first = await start()
  await first.maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await first.maker.approveTool('plus_some', 1, { signer: grace })
  await first.maker.activateToolVersion('plus_some', 1, { signer: grace })
  await first.maker.checkProjections()
  const { trust: remembered } = first
  remembered.saveCheckpoint = async () => undefined
  await first.maker.close()
  const events = await readEvents(folder.path)
  const { decision } = find(events, 'tool_approved')
  const forever = withStatement(decision, { expiresAt: null })
  const actor = { kind: 'person', id: 'grace' } as const
  const given = { type: 'tool_approval_given', at: '2030-01-01T00:00:00.000Z', actor } as const
  await rewriteStore(folder.path, [
    ...events,
    { ...given, name: 'plus_some', version: 1, decision: forever },
  ])
  trust = withoutMemory(trust)
  for (const outcome of [2, 2, 'not registered', 'not registered']) {
    if (outcome !== 2) clock.now += hour
    const workshop = await start()
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(outcome)
    await workshop.maker.checkProjections()
    await workshop.maker.close()
  }
})

test('a version with a forged approval beside the sound one is no better for being activated properly', async () => {
  const hour = 3_600_000
  trust.setPolicy({ approvalExpiryMs: hour, rules: [] })
  const clock = { now: Date.UTC(2030, 0, 1) }
  const start = async (): Promise<Workshop> =>
    openWorkshop({ store: await openFolder(folder.path), trust, grace, clock })
  const real = trust
  trust = { ...real, saveCheckpoint: async () => undefined }
  const first = await start()
  await first.maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await first.maker.approveTool('plus_some', 1, { signer: grace })
  await first.maker.checkProjections()
  await first.maker.close()
  const events = await readEvents(folder.path)
  const { decision } = find(events, 'tool_approved')
  const forever = withStatement(decision, { expiresAt: null })
  const actor = { kind: 'person', id: 'grace' } as const
  const given = { type: 'tool_approval_given', at: '2030-01-01T00:00:00.000Z', actor } as const
  await rewriteStore(folder.path, [
    ...events,
    { ...given, name: 'plus_some', version: 1, decision: forever },
  ])
  trust = withoutMemory(trust)
  const second = await start()
  await second.maker.activateToolVersion('plus_some', 1, { signer: grace })
  expect(await callTool(second, 'plus_some', { value: 1 })).toBe(2)
  await second.maker.checkProjections()
  await second.maker.close()
  clock.now += hour
  const third = await start()
  expect(await callTool(third, 'plus_some', { value: 1 })).toBe('not registered')
  await third.maker.checkProjections()
  await third.maker.close()
})

test('what was refused once is refused at every later start, with all that the trust remembers', async () => {
  const events = await forged(await makeHistory(), (statement) => statement)
  await rewriteStore(folder.path, events)
  trust = withoutMemory(trust)
  for (let start = 0; start < 3; start += 1) {
    const workshop = await open()
    expect(await callTool(workshop, 'bash_sum', { value: 1 })).toBe('not registered')
    await workshop.maker.checkProjections()
    await workshop.maker.close()
  }
})

test('a signature that activated a version once does not bring it back after it was taken out of use', async () => {
  await makeHistory()
  const first = await open()
  await first.maker.deactivateTool('plus_some', { reason: 'wrong' })
  await first.maker.close()
  const events = await readEvents(folder.path)
  const used = events.findLast((event) => event.type === 'tool_activated' && event.version === 2)
  if (used === undefined) throw new Error('The version was never in use')
  for (const change of [used, { ...used, decision: undefined } as unknown as LifecycleEvent]) {
    // oxlint-disable-next-line no-await-in-loop -- one store after the other
    await rewriteStore(folder.path, [
      ...events,
      JSON.parse(JSON.stringify(change)) as LifecycleEvent,
    ])
    trust.readCheckpoint = async () => undefined
    // oxlint-disable-next-line no-await-in-loop -- as above
    const workshop = await open()
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
    // oxlint-disable-next-line no-await-in-loop -- as above
    await workshop.maker.close()
  }
})
