import {
  type ApprovalPolicy,
  createMemoryEventStore,
  createMemoryTrust,
  signDecision,
} from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import {
  type Workshop,
  adderIntent,
  agent,
  callTool,
  codeOf,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
  otherAgent,
  readEvents,
} from './bench-of-tests.ts'

const day = 24 * 60 * 60 * 1_000

/** `plus_some` v1 in use, v2 waiting for a person. */
async function waiting(policy: Partial<ApprovalPolicy> = {}): Promise<Workshop> {
  const workshop = await openWorkshop({ policy })
  const ada = workshop.maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  return workshop
}

const two = { name: 'plus_some', version: 2, approver: 'grace' } as const

test('a decision travels as JSON: prepared here, signed there, taken here', async () => {
  const { maker, grace } = await waiting()
  const statement = await maker.prepareDecision({ action: 'approve_and_activate', ...two })
  const sent = JSON.parse(JSON.stringify(statement)) as typeof statement
  const decision = JSON.parse(JSON.stringify(await signDecision(sent, grace))) as Awaited<
    ReturnType<typeof signDecision>
  >
  expect(await maker.approveTool('plus_some', 2, { decision })).toMatchObject({
    status: 'activated',
    callable: true,
    approvedBy: { people: ['grace'] },
  })
})

test('a decision is good for once, for its version, hash, action, moment and policy', async () => {
  const { maker, grace, trust, clock } = await waiting()
  const statement = await maker.prepareDecision({ action: 'approve', ...two })
  if (statement.action === 'resume') throw new Error('not a decision about a version')
  const sign = async (change: object): Promise<string> =>
    codeOf(
      maker.approveTool('plus_some', 2, {
        decision: await signDecision({ ...statement, ...change }, grace),
      }),
    )
  expect(await sign({ version: 1 })).toBe('DECISION_INVALID')
  expect(await sign({ name: 'other_sum' })).toBe('DECISION_INVALID')
  expect(await sign({ namespace: 'other' })).toBe('DECISION_INVALID')
  expect(await sign({ kind: 'code' })).toBe('DECISION_INVALID')
  expect(await sign({ contentHash: '0'.repeat(64) })).toBe('DECISION_INVALID')
  expect(await sign({ action: 'activate' })).toBe('DECISION_INVALID')
  expect(await sign({ rule: 'compute-safe' })).toBe('DECISION_INVALID')
  expect(await sign({ extra: 1 })).toBe('DECISION_INVALID')
  expect(await sign({ basis: statement.basis - 1 })).toBe('DECISION_STALE')
  expect(await sign({ policyHash: '0'.repeat(64) })).toBe('DECISION_STALE')
  expect(await sign({ issuedAt: clock.now - 3_600_001 })).toBe('DECISION_STALE')
  expect(await sign({ issuedAt: clock.now + 300_001 })).toBe('DECISION_STALE')
  expect(await sign({ expiresAt: clock.now })).toBe('APPROVAL_EXPIRED')
  const decision = await signDecision(statement, grace)
  const [{ keyid, sig }] = decision.signatures
  const cut = { ...decision, signatures: [{ keyid, sig: sig.slice(1) }] as const }
  expect(await codeOf(maker.approveTool('plus_some', 2, { decision: cut }))).toBe(
    'DECISION_INVALID',
  )
  trust.setPolicy({ pendingExpiryMs: day })
  expect(await codeOf(maker.approveTool('plus_some', 2, { decision }))).toBe('DECISION_STALE')
  trust.setPolicy({})
  await maker.approveTool('plus_some', 2, { decision })
  expect(await codeOf(maker.approveTool('plus_some', 2, { decision }))).toBe('DECISION_STALE')
})

test('the edges of the age of a decision are accepted', async () => {
  const { maker, grace, clock } = await waiting()
  const statement = await maker.prepareDecision({ action: 'approve', ...two })
  clock.now += 3_600_000
  await maker.approveTool('plus_some', 2, { decision: await signDecision(statement, grace) })
  expect(maker.listVersions('plus_some')[1]?.status).toBe('approved')
})

test('nobody signs in the name of the host, of another, or without being an approver', async () => {
  const { maker, trust, grace } = await waiting()
  const mallory = makeSigner('mallory')
  expect(await codeOf(maker.approveTool('plus_some', 2, { signer: mallory }))).toBe(
    'APPROVER_UNKNOWN',
  )
  const asGrace = { ...mallory, approverId: 'grace' }
  expect(await codeOf(maker.approveTool('plus_some', 2, { signer: asGrace }))).toBe(
    'DECISION_INVALID',
  )
  expect(await codeOf(maker.approveTool('plus_some', 2, { signer: trust.hostSigner() }))).toBe(
    'DECISION_INVALID',
  )
  const statement = await maker.prepareDecision({ action: 'approve', ...two })
  expect(await codeOf(signDecision(statement, mallory))).toBe('DECISION_INVALID')
  expect(await codeOf(maker.approveTool('plus_some', 2, {} as never))).toBe('DECISION_INVALID')
  const refuses = { ...grace, sign: () => Promise.reject(new Error('the person said no')) }
  await expect(maker.approveTool('plus_some', 2, { signer: refuses })).rejects.toThrow('said no')
  expect(maker.listPending()).toHaveLength(1)
})

test('an activation needs its own signature, from a person where a person approved', async () => {
  const { maker, grace } = await waiting()
  expect(await codeOf(maker.activateToolVersion('plus_some', 2, { signer: grace }))).toBe(
    'TRANSITION_REFUSED',
  )
  await maker.approveTool('plus_some', 2, { signer: grace })
  expect(await codeOf(maker.activateToolVersion('plus_some', 2, { byRule: true }))).toBe(
    'DECISION_INVALID',
  )
  const statement = await maker.prepareDecision({ action: 'activate', ...two })
  const decision = await signDecision(statement, grace)
  await maker.activateToolVersion('plus_some', 2, { decision })
  await maker.deactivateTool('plus_some', { reason: 'enough' })
  // The old decision does not bring it back, and no rule covers it.
  expect(await codeOf(maker.activateToolVersion('plus_some', 2, { decision }))).toBe(
    'DECISION_STALE',
  )
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  expect(maker.activeVersions()).toEqual({ plus_some: 2 })
})

test('what a rule approved and a newer version replaced is activated again by rule, as long as the rule holds', async () => {
  const workshop = await waiting()
  const { maker, grace, trust } = workshop
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(3)
  await maker.activateToolVersion('plus_some', 1, { byRule: true })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  trust.setPolicy({ rules: [] })
  const report = await maker.loadActiveTools()
  expect(report.refused).toMatchObject([{ name: 'plus_some', code: 'POLICY_VIOLATION' }])
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  const [summary] = maker.listVersions('plus_some')
  expect(summary).toMatchObject({ status: 'activated', callable: false })
  expect(summary?.reason).toContain('compute-safe')
  expect((await maker.history('plus_some')).at(-1)?.event?.type).toBe('tool_policy_blocked')
  trust.setPolicy({})
  await maker.loadActiveTools()
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
})

test('a decision whose activation failed is used up, whatever rows follow in the log', async () => {
  const folder = await makeFolder()
  const kind = createAdderKind({
    deploy: ({ version }) =>
      version === 2 ? Promise.reject(new Error('the server is down')) : Promise.resolve(),
    retire: async () => undefined,
  })
  const first = await openWorkshop({ store: await openFolder(folder.path), kinds: [kind] })
  const { maker, grace, trust } = first
  for (const [version, add] of [1, 2].entries()) {
    // oxlint-disable no-await-in-loop -- one version after the other
    await maker
      .forAgent(agent)
      .buildToolFromIntent(adderIntent({ definition: { add }, risk: 'high' }))
    const subject = { name: 'plus_some', version: version + 1, approver: 'grace' } as const
    const statement = await maker.prepareDecision({ action: 'approve_and_activate', ...subject })
    const decision = await signDecision(statement, grace)
    expect(await codeOf(maker.approveTool('plus_some', version + 1, { decision }))).toBe(
      version === 0 ? 'nothing was thrown' : 'ACTIVATION_FAILED',
    )
    // oxlint-enable no-await-in-loop
  }
  await maker.close()
  const events = await readEvents(folder.path)
  const approved = events.findLast((event) => event.type === 'tool_approved')
  if (approved?.type !== 'tool_approved') throw new Error('it was not approved')
  const store = await openFolder(folder.path)
  const frame = { at: approved.at, actor: approved.actor, name: 'plus_some' } as const
  await store.append(
    [
      { ...frame, type: 'tool_superseded', version: 1, by: 2 },
      { ...frame, type: 'tool_activated', version: 2, approvalId: approved.approvalId },
    ],
    store.sequence,
  )
  await store.close()
  const next = await openWorkshop({
    store: await openFolder(folder.path),
    kinds: [kind],
    trust,
    grace,
  })
  expect(await callTool(next, 'plus_some', { value: 1 })).not.toBe(3)
  expect(await next.maker.verifyAudit()).toMatchObject({ ok: false })
  await next.maker.close()
  await folder.remove()
})

test('what was taken out of use comes back by a person only, whatever rule approved it', async () => {
  const workshop = await openWorkshop()
  const { maker, grace } = workshop
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await maker.deactivateTool('plus_some', { reason: 'it is wrong' })
  const byRule = maker.activateToolVersion('plus_some', 1, { byRule: true })
  await expect(byRule).rejects.toThrow(/was taken out of use. A person must activate it/)
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  await maker.activateToolVersion('plus_some', 1, { signer: grace })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
})

test('what a person rejected is approved by no rule when it comes again, until a person approves a later version', async () => {
  const rule = {
    id: 'all',
    kinds: ['compute'],
    capabilities: [],
    maxRisk: 'medium',
    newToolsOnly: false,
    visibility: 'owner',
  } as const
  const workshop = await openWorkshop({ policy: { rules: [] } })
  const { maker, grace, trust } = workshop
  const propose = (add: number) =>
    maker.forAgent(agent).buildToolFromIntent(adderIntent({ definition: { add } }))
  await propose(1)
  await maker.rejectTool('plus_some', 1, { reason: 'not this' })
  trust.setPolicy({ rules: [rule] })
  for (const [index, add] of [1, 7].entries()) {
    // oxlint-disable-next-line no-await-in-loop -- one proposal after the other
    expect(await propose(add)).toMatchObject({
      status: 'approval_required',
      spec: { version: index + 2 },
    })
  }
  const [waits] = maker.listPending()
  expect(waits?.reason).toContain('version 1 of it was rejected')
  await maker.approveTool('plus_some', 3, { signer: grace })
  const last = await propose(9)
  expect(last).toMatchObject({ status: 'activated', spec: { version: 4 } })
})

test('an approver who is one no longer takes the approvals along; another signature brings the tool back', async () => {
  const workshop = await waiting()
  const { maker, grace, trust } = workshop
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  const heidi = makeSigner('heidi')
  trust.setApprovers([{ id: 'heidi', name: 'Heidi', publicKey: heidi.publicKey }])
  expect((await maker.loadActiveTools()).refused).toMatchObject([{ code: 'TOOL_TAMPERED' }])
  await maker.approveTool('plus_some', 2, { signer: heidi })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  await maker.deactivateTool('plus_some', { reason: 'sign anew' })
  await maker.activateToolVersion('plus_some', 2, { signer: heidi })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(3)
})

test('limits can only narrow, to the very edge, and are what was signed', async () => {
  const workshop = await openWorkshop()
  const { maker, grace, registry } = workshop
  const intent = adderIntent({ risk: 'high', limits: { timeoutMs: 2_000, maxOutputBytes: 100 } })
  await maker.forAgent(agent).buildToolFromIntent(intent)
  await maker.approveTool('plus_some', 1, { signer: grace })
  const activate = (limits: object): Promise<unknown> =>
    maker.activateToolVersion('plus_some', 1, { signer: grace, ...limits })
  expect(await codeOf(activate({ timeoutMs: 2_001 }))).toBe('LIMIT_NOT_NARROWER')
  expect(await codeOf(activate({ maxOutputBytes: 101 }))).toBe('LIMIT_NOT_NARROWER')
  expect(await codeOf(activate({ maxOutputChars: 101 }))).toBe('LIMIT_NOT_NARROWER')
  expect(await codeOf(activate({ timeoutMs: 0 }))).toBe('LIMIT_NOT_NARROWER')
  expect(await codeOf(activate({ timeoutMs: Number.NaN }))).toBe('LIMIT_NOT_NARROWER')
  const statement = await maker.prepareDecision({
    action: 'activate',
    name: 'plus_some',
    version: 1,
    approver: 'grace',
    timeoutMs: 1_000,
  })
  const decision = await signDecision(statement, grace)
  const other = maker.activateToolVersion('plus_some', 1, { decision, timeoutMs: 900 })
  expect(await codeOf(other)).toBe('DECISION_INVALID')
  await activate({ timeoutMs: 2_000, maxOutputChars: 50 })
  expect(registry.get('plus_some')).toMatchObject({ timeoutMs: 2_000, maxOutputBytes: 50 })
})

test('a made tool takes inputs of one mebibyte unless its limits say otherwise, which is signed and can be narrowed', async () => {
  const store = createMemoryEventStore()
  const { maker, grace, registry, trust } = await openWorkshop({ store })
  const propose = (limits: object): Promise<unknown> =>
    maker.forAgent(agent).buildToolFromIntent(adderIntent({ risk: 'high', limits }))
  await propose({})
  await maker.approveTool('plus_some', 1, { signer: grace })
  await maker.activateToolVersion('plus_some', 1, { signer: grace })
  expect(registry.get('plus_some')).toMatchObject({ maxInputBytes: 1_048_576 })
  await propose({ maxInputBytes: 2_000_000 })
  expect(maker.getSpec('plus_some', 2)?.limits).toEqual({ maxInputBytes: 2_000_000 })
  await maker.approveTool('plus_some', 2, { signer: grace })
  const activate = (limits: object): Promise<unknown> =>
    maker.activateToolVersion('plus_some', 2, { signer: grace, ...limits })
  expect(await codeOf(activate({ maxInputBytes: 2_000_001 }))).toBe('LIMIT_NOT_NARROWER')
  await activate({ maxInputBytes: 2_000_000 })
  expect(registry.get('plus_some')).toMatchObject({ maxInputBytes: 2_000_000 })
  await maker.deactivateTool('plus_some', { reason: 'smaller inputs will do' })
  await activate({ maxInputBytes: 64 })
  expect(registry.get('plus_some')).toMatchObject({ maxInputBytes: 64 })
  const reopened = await openWorkshop({ store, trust, grace })
  expect(reopened.registry.get('plus_some')).toMatchObject({ maxInputBytes: 64 })
})

test('a version that names no limit on inputs has the hash that it always had', async () => {
  const { maker } = await openWorkshop()
  const build = (limits: object): Promise<unknown> =>
    maker.forAgent(agent).buildToolFromIntent(adderIntent({ limits }))
  await build({})
  const spec = maker.getSpec('plus_some', 1)
  expect(spec?.limits).toEqual({})
  await build({ maxInputBytes: 1_048_576 })
  expect(maker.getSpec('plus_some', 2)?.contentHash).not.toBe(spec?.contentHash)
})

test('a rejection needs a reason, which goes back to the agent, and ends the version', async () => {
  const { maker, grace } = await waiting()
  expect(await codeOf(maker.rejectTool('plus_some', 2, { reason: ' ' }))).toBe('REQUEST_INVALID')
  const long = 'x'.repeat(2_001)
  expect(await codeOf(maker.rejectTool('plus_some', 2, { reason: long }))).toBe('REQUEST_INVALID')
  await maker.rejectTool('plus_some', 2, { reason: 'x'.repeat(2_000) })
  const review = await maker.forAgent(agent).readReview('plus_some', 2)
  expect(review?.history.at(-1)).toMatchObject({ type: 'tool_rejected', note: 'x'.repeat(2_000) })
  expect(await codeOf(maker.approveTool('plus_some', 2, { signer: grace }))).toBe(
    'TRANSITION_REFUSED',
  )
  const again = await maker
    .forAgent(agent)
    .buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  expect(again).toMatchObject({ existing: false, spec: { version: 3 } })
})

test('requests and approvals run out, at the edge exactly, and stay so when the clock goes back', async () => {
  const workshop = await waiting({ pendingExpiryMs: day, approvalExpiryMs: 2 * day })
  const { maker, grace, clock } = workshop
  clock.now += day - 1
  expect(await maker.expirePending()).toBe(0)
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  await maker.forAgent(agent).buildToolFromIntent(adderIntent({ definition: { add: 3 } }))
  clock.now += day
  expect(await codeOf(maker.approveTool('plus_some', 3, { signer: grace }))).toBe(
    'APPROVAL_EXPIRED',
  )
  clock.now += day - 1
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(3)
  clock.now += 1
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('TOOL_REVOKED')
  clock.now -= 5 * day
  expect(await maker.expirePending()).toBe(0)
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  expect(maker.listVersions('plus_some').map(({ status }) => status)).toEqual([
    'approved',
    'expired',
    'expired',
  ])
})

test('a clock that gives nonsense harms nothing', async () => {
  const workshop = await waiting({ approvalExpiryMs: day })
  for (const now of [Number.NaN, Infinity, -1, 8.64e15 + 1, 0.5]) {
    workshop.clock.now = now
    await workshop.maker.expirePending()
    expect(workshop.maker.listVersions('plus_some').length).toBe(2)
  }
  expect(await workshop.maker.verifyAudit()).toMatchObject({ ok: true })
})

test('four eyes: the proposer cannot approve, and several approvers must be several', async () => {
  const grace = makeSigner('grace')
  const heidi = makeSigner('heidi')
  const trust = createMemoryTrust({
    approvers: [grace, heidi].map(({ approverId: id, publicKey }) => ({ id, name: id, publicKey })),
    policy: { fourEyes: true, requiredApprovals: 1 },
  })
  const workshop = await openWorkshop({ trust, grace })
  const { maker } = workshop
  const person = { kind: 'person', id: 'grace' } as const
  await maker.buildToolFromIntent(adderIntent({ risk: 'high' }), { principal: person })
  expect(await codeOf(maker.approveTool('plus_some', 1, { signer: grace }))).toBe(
    'FOUR_EYES_REQUIRED',
  )
  trust.setPolicy({ requiredApprovals: 2 })
  await maker.approveTool('plus_some', 1, { signer: grace })
  expect(maker.listVersions('plus_some')[0]?.status).toBe('approval_required')
  expect(await codeOf(maker.approveTool('plus_some', 1, { signer: grace }))).toBe(
    'FOUR_EYES_REQUIRED',
  )
  await maker.approveTool('plus_some', 1, { signer: heidi })
  await maker.activateToolVersion('plus_some', 1, { signer: heidi })
  expect(maker.listVersions('plus_some')[0]?.callable).toBe(true)
  trust.setPolicy({ requiredApprovals: 3 })
  expect((await maker.loadActiveTools()).refused).toMatchObject([{ code: 'POLICY_VIOLATION' }])
})

test('revoked never returns, and stops before it is on record', async () => {
  const workshop = await waiting()
  const { maker, grace, registry, trust } = workshop
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  const tool = registry.get('plus_some')
  if (tool === undefined) throw new Error('not registered')
  trust.recordRevocation = () =>
    Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
  const revoking = maker.revokeTool('plus_some', 2, { reason: 'it lies' })
  expect(maker.checkCallable(tool, agent)?.code).toBe('TOOL_REVOKED')
  expect(await codeOf(revoking)).toBe('STORE_FULL')
  expect(maker.checkCallable(tool, agent)?.code).toBe('TOOL_REVOKED')
  trust.recordRevocation = async () => undefined
  await maker.revokeTool('plus_some', 2, { reason: 'it lies' })
  await maker.revokeTool('plus_some', 2, { reason: 'again' })
  for (const attempt of [
    maker.approveTool('plus_some', 2, { signer: grace }),
    maker.activateToolVersion('plus_some', 2, { signer: grace }),
    maker.rollbackTool('plus_some', { toVersion: 2, signer: grace }),
    maker.shareTool('plus_some', 2, { signer: grace }),
  ])
    expect(await codeOf(attempt)).toBe('TRANSITION_REFUSED')
  const again = await maker
    .forAgent(agent)
    .buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  expect(again).toMatchObject({ status: 'approval_required', spec: { version: 3 } })
})

test('a pause stops all made tools at once, and only a signature ends it, once', async () => {
  const workshop = await waiting()
  const { maker, grace, registry } = workshop
  registry.register({
    name: 'built_in',
    description: 'A tool that was not made',
    inputSchema: { type: 'object' },
    execute: () => Promise.resolve(1),
  })
  const pausing = maker.pauseTools({ reason: 'look into it' })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('TOOLS_PAUSED')
  await pausing
  expect(maker.paused).toMatchObject({ reason: 'look into it', by: { id: 'operator' } })
  expect(await callTool(workshop, 'built_in', {})).toBe(1)
  const statement = await maker.prepareDecision({ action: 'resume', approver: 'grace' })
  const decision = await signDecision(statement, grace)
  const stranger = { ...makeSigner('x'), approverId: 'grace' }
  expect(await codeOf(maker.resumeTools({ signer: stranger }))).toBe('DECISION_INVALID')
  await maker.resumeTools({ decision })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  await maker.pauseTools({ reason: 'again' })
  expect(await codeOf(maker.resumeTools({ decision }))).toBe('DECISION_STALE')
  const approval = await maker.prepareDecision({ action: 'approve', ...two })
  const wrong = { decision: await signDecision(approval, grace) }
  expect(await codeOf(maker.resumeTools(wrong))).toBe('DECISION_INVALID')
  const both = Promise.all([
    maker.resumeTools({ signer: grace }),
    maker.pauseTools({ reason: 'no' }),
  ])
  await both
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('TOOLS_PAUSED')
})

test('a tool is its owner alone until a person shares it', async () => {
  const workshop = await openWorkshop()
  const { maker, grace, registry } = workshop
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  const bob = maker.forAgent(otherAgent)
  expect(bob.snapshotTools().has('plus_some')).toBe(false)
  expect(bob.list()).toEqual([])
  const tool = registry.get('plus_some')
  if (tool === undefined) throw new Error('not registered')
  expect(maker.checkCallable(tool, otherAgent)?.code).toBe('TOOL_NOT_FOUND')
  await maker.shareTool('plus_some', 1, { signer: grace })
  expect(bob.snapshotTools().has('plus_some')).toBe(true)
  expect(bob.get('plus_some')).toMatchObject({
    version: 1,
    visibility: 'shared',
    owner: 'agent:ada',
  })
  expect(await codeOf(bob.buildToolFromIntent(adderIntent({ definition: { add: 5 } })))).toBe(
    'TOOL_NOT_OWNED',
  )
  const shared = await maker
    .forAgent(agent)
    .buildToolFromIntent(adderIntent({ definition: { add: 5 } }))
  expect(shared).toMatchObject({ status: 'approval_required', spec: { visibility: 'shared' } })
})

test('a tool whose callee changed is suspended until the callee is back', async () => {
  const workshop = await openWorkshop()
  const { maker, grace } = workshop
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  const caller = adderIntent({
    name: 'calls_other',
    capabilities: ['tools'],
    callees: ['plus_some'],
  })
  await ada.buildToolFromIntent(caller)
  await maker.approveTool('calls_other', 1, { signer: grace })
  await maker.activateToolVersion('calls_other', 1, { signer: grace })
  expect(await callTool(workshop, 'calls_other', { value: 1 })).toBe(2)
  await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  expect(await callTool(workshop, 'calls_other', { value: 1 })).toBe('TOOL_REVOKED')
  await maker.rollbackTool('plus_some', { signer: grace })
  expect(await callTool(workshop, 'calls_other', { value: 1 })).toBe(2)
})

test('a tool in the registry that only looks like a made one does not run', async () => {
  const { maker, registry } = await openWorkshop({ kinds: [createAdderKind()] })
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  const genuine = registry.get('plus_some')
  if (genuine === undefined) throw new Error('not registered')
  const forged = { ...genuine, execute: () => Promise.resolve('evil') }
  expect(maker.checkCallable(forged, agent)?.code).toBe('TOOL_TAMPERED')
  const unknown = { ...forged, name: 'never_made' }
  expect(maker.checkCallable(unknown, agent)?.code).toBe('TOOL_REVOKED')
  registry.replace(forged)
  expect((await maker.loadActiveTools()).refused).toMatchObject([{ code: 'TOOL_EXISTS' }])
})

test('the host puts into use only what its rule still covers, also when a person approved it besides', async () => {
  const workshop = await waiting()
  const { maker, grace, trust } = workshop
  await maker.approveTool('plus_some', 1, { signer: grace })
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  trust.setPolicy({ rules: [] })
  expect(await codeOf(maker.activateToolVersion('plus_some', 1, { byRule: true }))).toBe(
    'POLICY_VIOLATION',
  )
  await maker.activateToolVersion('plus_some', 1, { signer: grace })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
})

test('a proposal whose callee changes while it is checked is checked again', async () => {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  let checks = 0
  const slow = createAdderKind({
    kind: 'slow',
    check: async () => {
      checks += 1
      entered.resolve()
      await gate.promise
      return []
    },
  })
  const { maker, grace } = await openWorkshop({ kinds: [createAdderKind(), slow] })
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  const caller = { name: 'calls_other', kind: 'slow', callees: ['plus_some'] }
  const building = ada.buildToolFromIntent(adderIntent({ ...caller, capabilities: ['tools'] }))
  await entered.promise
  await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  await maker.approveTool('plus_some', 2, { signer: grace })
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  gate.resolve()
  const { spec } = await building
  expect(checks).toBe(2)
  expect(spec.callees).toEqual([
    { name: 'plus_some', hash: maker.getSpec('plus_some', 2)?.contentHash },
  ])
})
