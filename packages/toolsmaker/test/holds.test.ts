import { type JsonObject, ToolRegistry } from '@toolcrib/registry'
import {
  type ApprovalSigner,
  type MemoryTrust,
  type ToolIntent,
  type ToolKind,
  createMemoryTrust,
  createToolsmaker,
  signDecision,
} from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
  readEvents,
  rewriteStore,
} from './bench-of-tests.ts'

/** An engine that adds, and in some editions adds wrongly; how it is when a program starts. */
interface Engine {
  readonly edition?: string
  /** Added to each result that belongs to a tool whose number is in `only`. @default to every result */
  readonly quirk?: number
  readonly only?: number
  readonly gather?: ToolKind['gatherEvidence']
}

let folder: Awaited<ReturnType<typeof makeFolder>>
let grace: ApprovalSigner
let trust: MemoryTrust
let asked: number
const open = new Set<Workshop>()

beforeEach(async () => {
  folder = await makeFolder()
  grace = makeSigner('grace')
  const approvers = [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }]
  // One agent makes more tools in a moment than is usual.
  trust = createMemoryTrust({ approvers, policy: { ownerLimits: { pending: 100 } } })
  asked = 0
})
afterEach(async () => {
  for (const { maker } of open) await maker.close()
  open.clear()
  await folder.remove()
})

function kindOf({ edition, gather, only, quirk = 0 }: Engine): ToolKind {
  const plain = createAdderKind()
  const off = (spec: { readonly definition: unknown }): number =>
    only === undefined || (spec.definition as JsonObject)['add'] === only ? quirk : 0
  return createAdderKind({
    ...(edition === undefined ? {} : { fingerprint: edition }),
    gatherEvidence: async (proposal, options) => {
      asked += 1
      if (gather !== undefined) return gather(proposal, options)
      const runs = await plain.gatherEvidence(proposal, options)
      return runs.map((run) => {
        const actual = Number(run.actual) + off(proposal.spec)
        const { expected } = run
        return { ...run, actual, pass: expected === undefined || expected === actual }
      })
    },
    compile: (spec) => ({
      execute: async (input) =>
        Number((input as JsonObject)['value']) +
        Number((spec.definition as JsonObject)['add']) +
        off(spec),
    }),
  })
}

/** Starts a program with an engine, after the one before has ended. */
async function start(engine: Engine, kindTimeoutMs?: number): Promise<Workshop> {
  for (const { maker } of open) await maker.close()
  open.clear()
  asked = 0
  const workshop = await openWorkshop({
    store: await openFolder(folder.path),
    trust,
    grace,
    kinds: [kindOf(engine)],
    ...(kindTimeoutMs === undefined ? {} : { kindTimeoutMs }),
  })
  open.add(workshop)
  return workshop
}

async function make({ maker }: Workshop, overrides: Partial<ToolIntent> = {}): Promise<void> {
  await maker.forAgent(agent).buildToolFromIntent(adderIntent(overrides))
}
const example: Partial<ToolIntent> = { examples: [{ input: { value: 1 }, expected: 2 }] }
const call = (workshop: Workshop, name = 'plus_some'): Promise<unknown> =>
  callTool(workshop, name, { value: 1 })
const typesOf = async ({ maker }: Workshop, name = 'plus_some'): Promise<readonly string[]> =>
  (await maker.history(name)).flatMap(({ event }) => (event === undefined ? [] : [event.type]))

describe('a kind that changes', () => {
  test('and behaves as before is noted once, and asked no more at the next start', async () => {
    await make(await start({ edition: 'one' }), example)
    expect(await call(await start({ edition: 'one' }))).toBe(2)
    expect(asked).toBe(0)
    const second = await start({ edition: 'two' })
    expect([asked, await call(second)]).toEqual([1, 2])
    const third = await start({ edition: 'two' })
    expect([asked, await call(third)]).toEqual([0, 2])
    expect((await typesOf(third)).filter((type) => type === 'tool_evidence_repeated')).toHaveLength(
      1,
    )
    expect(await third.maker.verifyAudit()).toMatchObject({ ok: true })
  })

  test('and behaves differently holds the tool, says which example, and keeps others', async () => {
    const first = await start({ edition: 'one' })
    await make(first, {
      ...example,
      examples: [{ input: { value: 5 } }, { input: { value: 1 }, expected: 2 }],
    })
    await make(first, { name: 'other_sum', definition: { add: 7 } })
    const { maker, registry } = await start({ edition: 'two', quirk: 10, only: 1 })
    expect(registry.has('plus_some')).toBe(false)
    expect(await callTool({ maker, registry }, 'other_sum', { value: 1 })).toBe(8)
    const [listed] = maker.listVersions('plus_some')
    expect(listed).toMatchObject({ status: 'deactivated', callable: false })
    expect(listed?.reason).toContain('example 1: with {"value":5} it gave 16, before it gave 6')
    const review = await maker.readReview('plus_some', 1)
    expect(review?.held?.reason).toBe(listed?.reason)
    expect(review?.held?.evidence.map(({ actual, pass }) => [actual, pass])).toEqual([
      [16, true],
      [12, false],
    ])
    expect(review?.evidence.map(({ actual }) => actual)).toEqual([6, 2])
    expect(maker.activeVersions()).toEqual({ other_sum: 1 })
    expect(await maker.verifyAudit()).toMatchObject({ ok: true })
  })

  test('is told of in the report of the start', async () => {
    await make(await start({ edition: 'one' }), example)
    const kinds = [kindOf({ edition: 'two', quirk: 1 })]
    for (const { maker } of open) await maker.close()
    open.clear()
    const store = await openFolder(folder.path)
    const maker = await createToolsmaker({ store, trust, kinds, registry: new ToolRegistry() })
    const report = await maker.loadActiveTools()
    expect(report).toMatchObject({
      registered: 0,
      refused: [{ name: 'plus_some', version: 1, code: 'TOOL_HELD' }],
    })
    expect(report.refused[0]?.reason).toMatch(/kind changed.*example 1/)
    await maker.close()
  })

  test('to an answer that is the same JSON in another order holds nothing', async () => {
    const gather =
      (actual: JsonObject): ToolKind['gatherEvidence'] =>
      ({ spec }) =>
        spec.examples.map(({ input }) => ({
          input,
          actual,
          pass: true,
          durationMs: Math.random(),
          origin: 'author' as const,
        }))
    const first = await start({ edition: 'one', gather: gather({ a: 1, b: [2] }) })
    await make(first, example)
    expect(await call(await start({ edition: 'two', gather: gather({ b: [2], a: 1 }) }))).toBe(2)
    const third = await start({ edition: 'three', gather: gather({ b: [2], a: 1, c: null }) })
    expect(await typesOf(third)).toContain('tool_held')
  })

  test.each<[string, ToolKind['gatherEvidence'], RegExp]>([
    ['fails', () => Promise.reject(new Error('the engine is away')), /the engine is away/],
    ['never answers', () => new Promise(() => undefined), /within \d+(?:\.\d+)? ms/],
    ['answers nonsense', () => [{ pass: 1 }] as never, /wrong form/],
  ])(
    'and %s keeps the tool out for now, says so, and asks again later',
    async (_how, gather, said) => {
      await make(await start({ edition: 'one' }), example)
      const second = await start({ edition: 'two', gather }, 50)
      expect(await call(second)).toBe('not registered')
      const [listed] = second.maker.listVersions('plus_some')
      expect(listed).toMatchObject({ status: 'activated', callable: false })
      expect(listed?.reason).toMatch(said)
      // Signing once more is no way around it.
      await second.maker.approveTool('plus_some', 1, { signer: grace })
      expect(await call(second)).toBe('not registered')
      const third = await start({ edition: 'two' })
      expect(await call(third)).toBe(2)
      expect(third.maker.listVersions('plus_some')[0]?.reason).toBeUndefined()
    },
  )

  test('bounds the time of a start, however many tools there are', async () => {
    const first = await start({ edition: 'one' })
    for (let index = 0; index < 30; index += 1)
      // oxlint-disable-next-line no-await-in-loop -- proposals of one agent
      await make(first, { name: `sum_number_${index}`, definition: { add: index } })
    const began = performance.now()
    const second = await start({ edition: 'two', gather: () => new Promise(() => undefined) }, 40)
    // 30 tools, 8 at a time, would take 160 ms; twice 40 ms is what there is, and the rest of a start.
    expect(performance.now() - began).toBeLessThan(60_000)
    expect(asked).toBeLessThanOrEqual(24)
    expect(second.registry.count()).toBe(0)
  })

  test('asks nothing of kinds that have no fingerprint, and of new ones once', async () => {
    await make(await start({}), example)
    await start({})
    expect(asked).toBe(0)
    expect(await call(await start({ edition: 'one' }))).toBe(2)
    expect(asked).toBe(1)
    expect(await call(await start({}))).toBe(2)
    expect(asked).toBe(0)
  })
})

describe('an example that promises no output', () => {
  /** What the runs under an engine give, one after the other. */
  const giving = (...outputs: readonly (number | string)[]): ToolKind['gatherEvidence'] => {
    const left = [...outputs]
    return ({ spec }) =>
      spec.examples.map(({ expected, input }) => {
        const actual = left.shift() ?? 'nothing'
        return {
          input,
          ...(expected === undefined ? {} : { expected }),
          ...(typeof actual === 'string' ? { error: actual } : { actual }),
          pass: typeof actual === 'number' && (expected === undefined || actual === expected),
          durationMs: 1,
          origin: 'author' as const,
        }
      })
  }
  const promising = { examples: [{ input: { value: 1 }, expected: 5 }] }
  const open1 = { examples: [{ input: { value: 1 } }] }

  test('and gives something else each time is not held for that', async () => {
    await make(await start({ edition: 'one', gather: giving(5) }), open1)
    const second = await start({ edition: 'two', gather: giving(6, 7) })
    expect([asked, await call(second)]).toEqual([2, 2])
    expect(await typesOf(second)).toContain('tool_evidence_repeated')
  })

  test.each<[string, Partial<ToolIntent>, readonly (number | string)[]]>([
    ['gives one other thing each time', open1, [6, 6]],
    ['fails at times', open1, ['failed', 7]],
    ['fails the second time', open1, [6, 'failed']],
    ['gives something else each time where one output is promised', promising, [6, 5]],
  ])('and %s is held', async (_what, intent, outputs) => {
    await make(await start({ edition: 'one', gather: giving(5) }), intent)
    const second = await start({ edition: 'two', gather: giving(...outputs) })
    expect([asked, await call(second)]).toEqual([2, 'not registered'])
  })
})

describe('a version that is put into use after its kind changed', () => {
  /** Version 2 is in use, version 1 was tried under engine one only. */
  async function twoVersions(): Promise<Workshop> {
    const first = await start({ edition: 'one' })
    await make(first, example)
    await make(first, { definition: { add: 2 } })
    await first.maker.approveTool('plus_some', 2, { signer: grace })
    await first.maker.activateToolVersion('plus_some', 2, { signer: grace })
    return first
  }

  test('is tried first, and rolled back to where it behaves as before', async () => {
    await twoVersions()
    const second = await start({ edition: 'two' })
    await second.maker.rollbackTool('plus_some', { signer: grace })
    expect([asked, await call(second)]).toEqual([2, 2])
    expect(await call(await start({ edition: 'two' }))).toBe(2)
    expect(asked).toBe(0)
  })

  test('is held where it behaves differently; the version in use stays, and an old signature lifts no hold', async () => {
    await twoVersions()
    const second = await start({ edition: 'two', quirk: 10, only: 1 })
    const { maker } = second
    const wanted = { action: 'activate', name: 'plus_some', version: 1, approver: 'grace' } as const
    const decision = await signDecision(await maker.prepareDecision(wanted), grace)
    expect(await codeOf(maker.rollbackTool('plus_some', { decision }))).toBe('TOOL_HELD')
    expect(await call(second)).toBe(3)
    expect(maker.activeVersions()).toEqual({ plus_some: 2 })
    const review = await maker.readReview('plus_some', 1)
    expect(review?.held?.evidence.map(({ actual }) => actual)).toEqual([12])
    expect(await codeOf(maker.rollbackTool('plus_some', { toVersion: 1, decision }))).toBe(
      'DECISION_STALE',
    )
    await maker.rollbackTool('plus_some', { toVersion: 1, signer: grace })
    expect(await call(second)).toBe(12)
    expect(await call(await start({ edition: 'two', quirk: 10, only: 1 }))).toBe(12)
    expect(asked).toBe(0)
  })

  test('is held again where the kind changed once more since the hold', async () => {
    await make(await start({ edition: 'one' }), example)
    await start({ edition: 'two', quirk: 10 })
    const third = await start({ edition: 'three', quirk: 20 })
    const activate = async (): Promise<string> =>
      codeOf(third.maker.activateToolVersion('plus_some', 1, { signer: grace }))
    expect(await activate()).toBe('TOOL_HELD')
    expect((await third.maker.readReview('plus_some', 1))?.held?.reason).toContain('it gave 22')
    expect(await activate()).toBe('nothing was thrown')
    expect(await call(third)).toBe(22)
  })

  test('by the decision that approves it is approved, and held', async () => {
    const first = await start({ edition: 'one' })
    await make(first, { ...example, risk: 'high' })
    const second = await start({ edition: 'two', quirk: 10 })
    const { maker } = second
    const wanted = {
      action: 'approve_and_activate',
      name: 'plus_some',
      version: 1,
      approver: 'grace',
    } as const
    const decision = await signDecision(await maker.prepareDecision(wanted), grace)
    expect(await codeOf(maker.approveTool('plus_some', 1, { decision }))).toBe('TOOL_HELD')
    expect(await call(second)).toBe('not registered')
    expect(await typesOf(second)).toEqual(expect.arrayContaining(['tool_approved', 'tool_held']))
    expect(await call(await start({ edition: 'one' }))).toBe('not registered')
    const last = await start({ edition: 'two', quirk: 10 })
    await last.maker.activateToolVersion('plus_some', 1, { signer: grace })
    expect(await call(last)).toBe(12)
  })

  test.each<[string, ToolKind['gatherEvidence'], RegExp]>([
    ['fails', () => Promise.reject(new Error('the engine is away')), /the engine is away/],
    ['never answers', () => new Promise(() => undefined), /within \d+(?:\.\d+)? ms/],
  ])('by a kind that %s stays out of use', async (_how, gather, said) => {
    await twoVersions()
    const second = await start({ edition: 'two' })
    await second.maker.deactivateTool('plus_some', { reason: 'enough' })
    const third = await start({ edition: 'three', gather }, 50)
    const refused = third.maker.activateToolVersion('plus_some', 2, { signer: grace })
    await expect(refused).rejects.toMatchObject({
      code: 'ACTIVATION_FAILED',
      message: expect.stringMatching(said) as string,
    })
    expect(await call(third)).toBe('not registered')
    expect(third.maker.listVersions('plus_some')[1]).toMatchObject({ status: 'deactivated' })
  })
})

describe('a held tool', () => {
  async function hold(): Promise<Workshop> {
    await make(await start({ edition: 'one' }), example)
    return start({ edition: 'two', quirk: 10 })
  }

  test('comes back when a person activates it, with what it does now as the measure', async () => {
    const { maker } = await hold()
    await maker.activateToolVersion('plus_some', 1, { signer: grace })
    const again = await start({ edition: 'two', quirk: 10 })
    expect([asked, await call(again)]).toEqual([0, 12])
    expect((await again.maker.readReview('plus_some', 1))?.held).toBeUndefined()
    // The next engine is compared with what was accepted last, not with what was long ago.
    expect(await call(await start({ edition: 'three', quirk: 10 }))).toBe(12)
    const back = await start({ edition: 'four' })
    expect(await call(back)).toBe('not registered')
    expect(await typesOf(back)).toContain('tool_held')
  })

  test('is not brought back by the host, by an old signature, or by a start', async () => {
    const first = await start({ edition: 'one' })
    await make(first, example)
    const statement = {
      action: 'activate',
      name: 'plus_some',
      version: 1,
      approver: 'grace',
    } as const
    const early = await first.maker.prepareDecision(statement)
    const decision = await signDecision(early, grace)
    const { maker } = await start({ edition: 'two', quirk: 10 })
    expect(await codeOf(maker.activateToolVersion('plus_some', 1, { byRule: true }))).toBe(
      'TOOL_HELD',
    )
    expect(await codeOf(maker.activateToolVersion('plus_some', 1, { decision }))).toBe(
      'DECISION_STALE',
    )
    for (const engine of [{ edition: 'two', quirk: 10 }, { edition: 'one' }])
      // oxlint-disable-next-line no-await-in-loop -- one program after the other
      expect(await call(await start(engine))).toBe('not registered')
  })

  test('is not brought back by a record that was added to with signatures of before', async () => {
    await make(await start({ edition: 'one' }), { ...example, risk: 'high' })
    const first = await start({ edition: 'one' })
    await first.maker.approveTool('plus_some', 1, { signer: grace })
    await first.maker.activateToolVersion('plus_some', 1, { signer: grace })
    const { maker } = await start({ edition: 'two', quirk: 10 })
    await maker.close()
    const events = await readEvents(folder.path)
    const used = events.find(({ type }) => type === 'tool_activated')
    const held = events.find(({ type }) => type === 'tool_held')
    if (used === undefined || held?.type !== 'tool_held') throw new Error('It was never held')
    const { actor, at, fingerprint = '', name, version } = held
    const same = { type: 'tool_evidence_repeated', at, actor, name, version, fingerprint } as const
    const before = events.filter(({ type }) => type !== 'tool_held')
    for (const changed of [[...events, used], [...events, same], [...events, same, used], before]) {
      // oxlint-disable-next-line no-await-in-loop -- one store after the other
      await rewriteStore(folder.path, changed)
      trust.readCheckpoint = async () => undefined
      // oxlint-disable-next-line no-await-in-loop -- as above
      const workshop = await start({ edition: 'two', quirk: 10 })
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await call(workshop)).toBe('not registered')
      // oxlint-disable-next-line no-await-in-loop -- as above
      await workshop.maker.close()
    }
  })

  test('is not brought back by a log that was cut, and says that it was tried since', async () => {
    // A signed memory of the log lies outside of the store, with what is stopped in it.
    await make(await start({ edition: 'one' }), example)
    await start({ edition: 'one' })
    const forge = async (): Promise<void> => {
      for (const { maker } of open) await maker.close()
      open.clear()
      const events = (await readEvents(folder.path)).filter(({ type }) => type !== 'tool_held')
      const [{ actor, at } = { actor: agent, at: '' }] = events
      const frame = { actor, at, name: 'plus_some', version: 1 }
      const forged = { ...frame, type: 'tool_evidence_repeated', fingerprint: 'two' } as const
      await rewriteStore(folder.path, [...events, forged])
    }
    // Before the kind changes, at the end of a record that is right else; and after it, in place of the hold.
    for (const engine of [
      { edition: 'two', quirk: 10 },
      { edition: 'two', quirk: 20 },
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one store after the other
      await forge()
      // oxlint-disable-next-line no-await-in-loop -- as above
      const workshop = await start(engine)
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (workshop.maker.logProblem === undefined) expect(asked).toBeGreaterThan(0)
      // oxlint-disable-next-line no-await-in-loop -- as above
      else await workshop.maker.acceptLog({ signer: grace })
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await call(workshop)).toBe('not registered')
    }
  })

  test('a doubt alone takes no tool out of use', async () => {
    await make(await start({ edition: 'one' }), { ...example, name: 'other_sum' })
    const first = await start({ edition: 'one' })
    await make(first, { ...example, definition: { add: 3 }, examples: [{ input: { value: 1 } }] })
    // The program ended before it could remember what it had recorded.
    trust.saveCheckpoint = () => Promise.reject(new Error('no room'))
    await first.maker.close()
    const silent = (): Promise<never> => new Promise(() => undefined)
    expect(await call(await start({ edition: 'one', gather: silent }, 50))).toBe(4)
    expect(asked).toBe(1)
    expect(await call(await start({ edition: 'one' }))).toBe(4)
  })

  test('gives way to a new version', async () => {
    const workshop = await hold()
    await make(workshop, { definition: { add: -9 } })
    const { maker } = workshop
    await maker.approveTool('plus_some', 2, { signer: grace })
    await maker.activateToolVersion('plus_some', 2, { signer: grace })
    expect(await call(workshop)).toBe(2)
    expect(await call(await start({ edition: 'two', quirk: 10 }))).toBe(2)
    expect(asked).toBe(0)
  })

  test('is taken down outside, as one that went out of use', async () => {
    await make(await start({ edition: 'one' }), example)
    for (const { maker } of open) await maker.close()
    open.clear()
    let retired = 0
    const kind = {
      ...kindOf({ edition: 'two', quirk: 1 }),
      retire: async () => void (retired += 1),
    }
    const store = await openFolder(folder.path)
    open.add(await openWorkshop({ store, trust, grace, kinds: [kind] }))
    expect(retired).toBe(1)
  })

  test('suspends its callers', async () => {
    const policyTrust = createMemoryTrust({
      approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    })
    trust = policyTrust
    const first = await start({ edition: 'one' })
    await make(first, { ...example, name: 'inner_sum' })
    await make(first, {
      name: 'outer_sum',
      capabilities: ['tools'],
      callees: ['inner_sum'],
      definition: { add: 3 },
    })
    await first.maker.approveTool('outer_sum', 1, { signer: grace })
    await first.maker.activateToolVersion('outer_sum', 1, { signer: grace })
    expect(await call(first, 'outer_sum')).toBe(4)
    const second = await start({ edition: 'two', quirk: 10, only: 1 })
    expect(await call(second, 'outer_sum')).toBe('TOOL_REVOKED')
  })
})
