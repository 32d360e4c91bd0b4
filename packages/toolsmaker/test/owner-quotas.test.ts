import { ToolError, ToolRegistry } from '@toolcrib/registry'
import {
  type BuildOutcome,
  type OwnerLimits,
  type ToolIntent,
  approvalPolicySchema,
  createMemoryEventStore,
  createToolsmaker,
  defaultApprovalPolicy,
} from '@toolcrib/toolsmaker'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import {
  type Workshop,
  type WorkshopOptions,
  adderIntent,
  agent,
  codeOf,
  makeFolder,
  openFolder,
  openWorkshop,
  otherAgent,
} from './bench-of-tests.ts'

const person = { kind: 'person', id: 'olu' } as const
const service = { kind: 'service', id: 'importer' } as const
const minute = 60_000

/** Everything waits for a person. */
const noRules = { rules: [] }
/** As much of everything as nobody proposes here. */
const roomy: OwnerLimits = {
  pending: 1_000,
  proposalsPerMinute: 1_000,
  versionsPerName: 1_000,
  liveTools: 1_000,
  stoppedVersions: 1_000,
  bytes: 1e9,
}

const only = (limits: Partial<OwnerLimits>): OwnerLimits => ({ ...roomy, ...limits })

const words = 'one two three four five six seven eight nine ten'.split(' ')
const nameOf = (index: number): string =>
  `plus_${words[Math.floor(index / 10) % 10] ?? ''}_${words[index % 10] ?? ''}`

const propose = (
  { maker }: Pick<Workshop, 'maker'>,
  index: number,
  {
    principal = agent,
    ...overrides
  }: Partial<ToolIntent> & { principal?: typeof agent | object } = {},
): Promise<BuildOutcome> =>
  maker.buildToolFromIntent(adderIntent({ name: nameOf(index), ...overrides }), {
    principal: principal as typeof agent,
  })

interface Refusal {
  readonly quota: string
  readonly limit: number
  readonly used: number
  readonly retryAfterMs: number | null
}

/** What a proposal is refused with. */
async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const error = await promise.then(
    () => expect.unreachable('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!ToolError.is(error, 'OWNER_QUOTA_EXCEEDED')) throw error
  return error.data as unknown as Refusal
}

/** Proposes until it is refused; gives how many went through, and the refusal. */
async function untilRefused(
  next: (index: number) => Promise<unknown>,
): Promise<{ readonly count: number; readonly refusal: Refusal }> {
  for (let count = 0; ; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const error: unknown = await next(count).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (error !== undefined) return { count, refusal: await refusalOf(Promise.reject(error)) }
  }
}

describe('the limits of an owner', () => {
  test('have the defaults that the policy documents, and edges', () => {
    expect(defaultApprovalPolicy.ownerLimits).toEqual({
      pending: 20,
      proposalsPerMinute: 30,
      versionsPerName: 100,
      liveTools: 500,
      stoppedVersions: 500,
      bytes: 52_428_800,
    })
    const one = {
      pending: 1,
      proposalsPerMinute: 1,
      versionsPerName: 1,
      liveTools: 1,
      stoppedVersions: 1,
      bytes: 1,
    }
    expect(approvalPolicySchema.parse({ ownerLimits: one }).ownerLimits).toEqual(one)
    for (const field of Object.keys(one))
      for (const value of [0, -1, 1.5, '7', Infinity, null])
        expect(approvalPolicySchema.safeParse({ ownerLimits: { [field]: value } }).success).toBe(
          false,
        )
    expect(approvalPolicySchema.safeParse({ ownerLimits: { proposals: 1 } }).success).toBe(false)
    const most = (proposalsPerMinute: number): boolean =>
      approvalPolicySchema.safeParse({ ownerLimits: { proposalsPerMinute } }).success
    expect([most(10_000), most(10_001)]).toEqual([true, false])
  })

  test('let 20 proposals wait for a person; a decision makes room', async () => {
    const workshop = await openWorkshop({ policy: noRules })
    const { count, refusal } = await untilRefused((index) => propose(workshop, index))
    expect(count).toBe(20)
    const month = defaultApprovalPolicy.pendingExpiryMs
    expect(refusal).toEqual({ quota: 'pending', limit: 20, used: 20, retryAfterMs: month })
    await workshop.maker.rejectTool(nameOf(3), 1, { reason: 'no' })
    await propose(workshop, 20)
    expect((await refusalOf(propose(workshop, 21))).quota).toBe('pending')
    await workshop.maker.forAgent(agent).withdraw(nameOf(4), 1)
    await propose(workshop, 21)
  })

  test('count no request that has run out, also before that is on record', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) }
    const policy = { ...noRules, pendingExpiryMs: 1_000, ownerLimits: only({ pending: 1 }) }
    const workshop = await openWorkshop({ policy, clock })
    await propose(workshop, 0)
    clock.now += 400
    expect((await refusalOf(propose(workshop, 1))).retryAfterMs).toBe(600)
    clock.now += 600
    await propose(workshop, 1)
  })

  test('let an owner propose 30 times a minute, those that are rejected too, and say when it may again', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) }
    const workshop = await openWorkshop({ clock })
    const { count, refusal } = await untilRefused((index) => {
      clock.now += 100
      return propose(workshop, index, { definition: index % 2 === 0 ? { add: 1 } : 'no number' })
    })
    expect(count).toBe(30)
    // The first one was 3 s ago.
    const used = { quota: 'proposalsPerMinute', limit: 30, used: 30 }
    expect(refusal).toEqual({ ...used, retryAfterMs: minute - 3_000 })
    clock.now += minute - 3_001
    expect((await refusalOf(propose(workshop, 31))).retryAfterMs).toBe(1)
    clock.now += 1
    await propose(workshop, 31)
    expect((await refusalOf(propose(workshop, 32))).retryAfterMs).toBe(100)
  })

  test('count what is not even put on record, so that nobody can look for names', async () => {
    const workshop = await openWorkshop({
      policy: { ownerLimits: only({ proposalsPerMinute: 3 }) },
    })
    await propose(workshop, 0, { principal: otherAgent })
    for (let count = 0; count < 3; count += 1)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await codeOf(propose(workshop, 0, { definition: { add: 7 } }))).toBe('TOOL_NOT_OWNED')
    expect((await refusalOf(propose(workshop, 1))).quota).toBe('proposalsPerMinute')
  })

  test('allow 100 versions of one name, whatever became of them', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) }
    const workshop = await openWorkshop({ clock })
    const { count, refusal } = await untilRefused((index) => {
      clock.now += 2_000
      return propose(workshop, 0, { definition: index === 0 ? { add: 1 } : `no ${String(index)}` })
    })
    expect(count).toBe(100)
    const used = { quota: 'versionsPerName', limit: 100, used: 100 }
    expect(refusal).toEqual({ ...used, retryAfterMs: null })
    await propose(workshop, 1)
  })

  test('allow so many tools in use; a new version of one of them is still possible', async () => {
    const policy = { ownerLimits: only({ liveTools: 3 }) }
    const workshop = await openWorkshop({ policy })
    const { count, refusal } = await untilRefused((index) => propose(workshop, index))
    expect(count).toBe(3)
    expect(refusal).toEqual({ quota: 'liveTools', limit: 3, used: 3, retryAfterMs: null })
    expect((await propose(workshop, 0, { definition: { add: 2 } })).status).toBe(
      'approval_required',
    )
    await workshop.maker.forAgent(agent).deactivate(nameOf(1))
    expect((await propose(workshop, 5)).status).toBe('activated')
    expect((await refusalOf(propose(workshop, 6))).used).toBe(3)
  })

  test('are not exceeded by proposals that are checked beside each other', async () => {
    const kind = createAdderKind({
      check: async () => {
        await new Promise((resolve) => setTimeout(resolve, 600))
        return []
      },
    })
    const policy = { ...noRules, ownerLimits: only({ pending: 2 }) }
    const workshop = await openWorkshop({ policy, kinds: [kind] })
    const all = await Promise.allSettled([0, 1, 2, 3].map((index) => propose(workshop, index)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(workshop.maker.listPending()).toHaveLength(2)
  })

  test('allow so many versions that are out of use and could come back', async () => {
    const policy = { ownerLimits: only({ stoppedVersions: 2 }) }
    const { maker, ...workshop } = await openWorkshop({ policy })
    for (const index of [0, 1]) {
      // oxlint-disable no-await-in-loop -- one after the other
      expect((await propose({ maker, ...workshop }, index)).status).toBe('activated')
      await maker.forAgent(agent).deactivate(nameOf(index))
      // oxlint-enable no-await-in-loop
    }
    const refusal = await refusalOf(propose({ maker, ...workshop }, 2))
    expect(refusal).toEqual({ quota: 'stoppedVersions', limit: 2, used: 2, retryAfterMs: null })
    await maker.revokeTool(nameOf(0), 1, { reason: 'not needed' })
    expect((await propose({ maker, ...workshop }, 3)).status).toBe('activated')
  })

  test('bound the bytes of all versions, rejected ones too, to the byte', async () => {
    const probe = await openWorkshop()
    const { spec } = await propose(probe, 0)
    const { version: _1, contentHash: _2, createdAt: _3, createdBy: _4, ...content } = spec
    const size = Buffer.byteLength(JSON.stringify(content))
    for (const [bytes, expected] of [
      [2 * size, 2],
      [2 * size - 1, 1],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- two of them
      const workshop = await openWorkshop({ policy: { ownerLimits: only({ bytes }) } })
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { count, refusal } = await untilRefused((index) =>
        // Names of the same length.
        propose(workshop, index, {
          name: ['plus_one_one', 'plus_one_two', 'plus_one_six'][index] ?? '',
        }),
      )
      expect(count).toBe(expected)
      const used = { quota: 'bytes', limit: bytes, used: expected * size }
      expect(refusal).toEqual({ ...used, retryAfterMs: null })
    }
  })

  test('are of each owner, and of nobody who is a person', async () => {
    const policy = { ...noRules, ownerLimits: only({ pending: 2, proposalsPerMinute: 3 }) }
    const workshop = await openWorkshop({ policy })
    for (const [index, principal] of [agent, otherAgent, service].entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one owner after the other
      const { count, refusal } = await untilRefused((each) =>
        propose(workshop, index * 10 + each, { principal }),
      )
      expect([count, refusal.quota]).toEqual([2, 'pending'])
    }
    for (let index = 50; index < 60; index += 1)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await propose(workshop, index, { principal: person })
    // What a person proposes as a version of an agent's tool is not the agent's doing.
    await workshop.maker.forAgent(agent).withdraw(nameOf(1), 1)
    await propose(workshop, 0, { principal: person, definition: { add: 9 } })
    await propose(workshop, 2)
  })

  test('hold before anything of a proposal is checked', async () => {
    let asked = 0
    const kind = createAdderKind({
      check: () => {
        asked += 1
        return []
      },
    })
    const policy = { ownerLimits: only({ proposalsPerMinute: 2 }) }
    const workshop = await openWorkshop({ kinds: [kind], policy })
    await propose(workshop, 0)
    await propose(workshop, 1)
    for (const overrides of [{}, { kind: 'none-of-these' }, { callees: ['nowhere'] }])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await codeOf(propose(workshop, 2, overrides))).toBe('OWNER_QUOTA_EXCEEDED')
    expect(asked).toBe(2)
  })

  test('are those of the policy of the moment', async () => {
    const workshop = await openWorkshop({ policy: { ownerLimits: only({ liveTools: 1 }) } })
    await propose(workshop, 0)
    expect((await refusalOf(propose(workshop, 1))).limit).toBe(1)
    workshop.trust.setPolicy({ ownerLimits: only({ liveTools: 2 }) })
    await propose(workshop, 1)
    workshop.trust.setPolicy({ ownerLimits: only({ liveTools: 1 }) })
    expect(await refusalOf(propose(workshop, 2))).toMatchObject({ limit: 1, used: 2 })
  })

  test('do not stand in the way of what is on record already', async () => {
    const policy = { ...noRules, ownerLimits: only({ pending: 1, proposalsPerMinute: 2 }) }
    const workshop = await openWorkshop({ policy })
    await propose(workshop, 0)
    for (let count = 0; count < 5; count += 1)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await propose(workshop, 0)).toMatchObject({ existing: true, spec: { version: 1 } })
    expect((await refusalOf(propose(workshop, 1))).quota).toBe('pending')
    // Also where it comes on record a moment before.
    const twins = await openWorkshop({ policy: { ...noRules, ownerLimits: only({ pending: 1 }) } })
    const outcomes = await Promise.all([propose(twins, 0), propose(twins, 0)])
    expect(outcomes.map(({ existing }) => existing)).toEqual([false, true])
    // And they tell nobody what others have.
    expect(await codeOf(propose(workshop, 0, { principal: otherAgent }))).toBe('TOOL_NOT_OWNED')
  })

  test('hold for what is proposed at the same time', async () => {
    const policy = { ...noRules, ownerLimits: only({ pending: 4, proposalsPerMinute: 10 }) }
    const workshop = await openWorkshop({ policy })
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_each, index) =>
        propose(workshop, index).then(
          () => 'proposed',
          (error: unknown) => (error as { data: Refusal }).data.quota,
        ),
      ),
    )
    const count = (code: string): number => codes.filter((each) => each === code).length
    expect([count('proposed'), count('pending'), count('proposalsPerMinute')]).toEqual([4, 6, 20])
    expect(workshop.maker.listPending()).toHaveLength(4)
  })
})

describe('quotas are those of a namespace', () => {
  test('and not of a process: they outlast a restart', async () => {
    const folder = await makeFolder()
    const clock = { now: Date.UTC(2030, 0, 1) }
    const open = async (
      ownerLimits: Partial<OwnerLimits>,
      rules: WorkshopOptions['policy'] = {},
    ): Promise<Workshop> =>
      openWorkshop({
        store: await openFolder(folder.path),
        clock,
        policy: { ...rules, ownerLimits: only(ownerLimits) },
      })
    const first = await open({})
    const size = Buffer.byteLength(JSON.stringify((await propose(first, 0)).spec))
    await propose(first, 1)
    await propose(first, 1, { definition: { add: 2 } })
    await propose(first, 1, { definition: 'no number' })
    await first.maker.close()
    for (const [limits, expected] of [
      [{ pending: 1 }, { quota: 'pending', used: 1 }],
      [{ proposalsPerMinute: 4 }, { quota: 'proposalsPerMinute', used: 4, retryAfterMs: minute }],
      [{ versionsPerName: 3 }, { quota: 'versionsPerName', used: 3 }],
      [{ bytes: size }, { quota: 'bytes' }],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- each opens the same folder
      const again = await open(limits)
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await refusalOf(propose(again, 1, { definition: { add: 3 } }))).toMatchObject(expected)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await again.maker.close()
    }
    const live = await open({ liveTools: 2 })
    expect(await refusalOf(propose(live, 2))).toMatchObject({ quota: 'liveTools', used: 2 })
    await live.maker.close()
    await folder.remove()
  })

  test('and not of all of them', async () => {
    const policy = { ownerLimits: only({ proposalsPerMinute: 1 }) }
    const [one, two] = [await openWorkshop({ policy }), await openWorkshop({ policy })]
    await propose(one, 0)
    await propose(two, 0)
    expect((await refusalOf(propose(one, 1))).used).toBe(1)
  })

  test('a clock that is set keeps nobody waiting for more than a minute, also over a restart', async () => {
    const jump = fc.record({ byMs: fc.integer({ min: -1e10, max: 1e10 }), restarts: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(jump, { maxLength: 6 }), async (jumps) => {
        const folder = await makeFolder()
        const clock = { now: Date.UTC(2030, 0, 1) }
        const policy = { ownerLimits: only({ proposalsPerMinute: 1 }) }
        const open = async (): Promise<Workshop> =>
          openWorkshop({ store: await openFolder(folder.path), clock, policy })
        let workshop = await open()
        let index = 0
        await propose(workshop, index)
        for (const { byMs, restarts } of jumps) {
          clock.now += byMs
          if (restarts) {
            await workshop.maker.close()
            workshop = await open()
          }
          index += 1
          const waits = await propose(workshop, index).then(
            () => 0,
            (error: unknown) => (error as { data: Refusal }).data.retryAfterMs ?? Infinity,
          )
          expect(waits).toBeLessThanOrEqual(minute)
          clock.now += waits
          if (waits > 0) await propose(workshop, index)
        }
        await workshop.maker.close()
        await folder.remove()
      }),
      { numRuns: 15 },
    )
  })
})

describe('owners take turns', () => {
  /** The owners of versions, in the order in which they came on record. */
  const order = (workshop: Workshop): string[] =>
    workshop.maker
      .listVersions()
      .toSorted((left, right) => left.createdAt.localeCompare(right.createdAt))
      .map(({ owner }) => owner)

  test('so that a proposal waits behind at most one of each other owner', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) }
    const kind = createAdderKind({
      check: async () => {
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
        clock.now += 1
        return [{ name: 'definition', pass: true, message: 'fine' }]
      },
    })
    const policy = { ownerLimits: roomy }
    const workshop = await openWorkshop({ kinds: [kind], clock, policy })
    const many = Array.from({ length: 40 }, (_each, index) => propose(workshop, index))
    const some = Array.from({ length: 10 }, (_each, index) =>
      propose(workshop, 40 + index, { principal: service }),
    )
    const one = propose(workshop, 60, { principal: otherAgent })
    const theirs = propose(workshop, 61, { principal: person })
    await Promise.all([...many, ...some, one, theirs])
    const owners = order(workshop)
    for (const late of ['agent:bob', 'person:olu']) {
      const before = owners.slice(0, owners.indexOf(late))
      for (const owner of new Set(owners))
        expect(before.filter((each) => each === owner).length, owner).toBeLessThanOrEqual(1)
    }
    // Of one owner they keep their order.
    const own = workshop.maker.listVersions().filter(({ owner }) => owner === 'agent:ada')
    const inTime = own.toSorted((left, right) => left.createdAt.localeCompare(right.createdAt))
    expect(inTime.map(({ name }) => name)).toEqual(many.map((_each, index) => nameOf(index)))
  })

  test('and whoever stops waiting leaves the turn to the next', async () => {
    let go = (): void => undefined
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const kind = createAdderKind({
      check: async () => {
        await held
        return [{ name: 'definition', pass: true, message: 'fine' }]
      },
    })
    const workshop = await openWorkshop({ kinds: [kind], policy: { ownerLimits: roomy } })
    const first = propose(workshop, 0)
    const leaving = new AbortController()
    const intent = adderIntent({ name: nameOf(1) })
    const second = workshop.maker.buildToolFromIntent(intent, {
      principal: agent,
      signal: leaving.signal,
    })
    const third = propose(workshop, 2)
    leaving.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    go()
    expect((await first).status).toBe('activated')
    expect((await third).status).toBe('activated')
  })

  test('and one that takes long keeps its owner from nothing, nor others', async () => {
    let go = (): void => undefined
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const slow = createAdderKind({
      kind: 'slow',
      check: async () => {
        await held
        return []
      },
    })
    const kinds = [createAdderKind(), slow]
    const workshop = await openWorkshop({ kinds, policy: { ownerLimits: roomy } })
    const stuck = [0, 1, 2, 3, 4, 5].map((index) => propose(workshop, index, { kind: 'slow' }))
    expect((await propose(workshop, 10, { principal: otherAgent })).status).toBe('activated')
    go()
    const ends = await Promise.all(stuck)
    expect(ends.map(({ status }) => status)).toEqual(stuck.map(() => 'approval_required'))
    // While one is stuck, the next begins beside it.
    const gate = Promise.withResolvers<void>()
    const waiting = createAdderKind({ check: () => gate.promise.then(() => []) })
    const other = await openWorkshop({ kinds: [{ ...waiting, kind: 'slow' }, createAdderKind()] })
    const first = propose(other, 0, { kind: 'slow' })
    expect((await propose(other, 1)).status).toBe('activated')
    gate.resolve()
    await first
  })

  test('of 1 to 64 at once', async () => {
    const { trust } = await openWorkshop()
    const open = (proposalsAtOnce: number): ReturnType<typeof createToolsmaker> =>
      createToolsmaker({
        store: createMemoryEventStore(),
        trust,
        kinds: [],
        registry: new ToolRegistry(),
        proposalsAtOnce,
      })
    await Promise.all([1, 64].map(async (count) => (await open(count)).close()))
    for (const count of [0, 65, 1.5, Number.NaN])
      // oxlint-disable-next-line no-await-in-loop -- four of them
      await expect(open(count)).rejects.toThrow(/proposalsAtOnce.*1 to 64/)
  })
})
