import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type EventStore,
  type LifecycleEvent,
  type StoredEvent,
  type ToolCapability,
  type ToolKind,
  createMemoryEventStore,
  createMemoryTrust,
  openFileEventStore,
  signDecision,
} from '@toolcrib/toolsmaker'
import { describe, expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import {
  type Workshop,
  adderIntent,
  agent,
  callTool,
  codeOf,
  makeFolder,
  makeSigner,
  openWorkshop,
} from './bench-of-tests.ts'

type Change = (event: LifecycleEvent) => void

/** A store whose rows somebody changes while the host runs. */
function changeable(): { readonly store: EventStore; change: Change } {
  const real = createMemoryEventStore()
  const place: { store: EventStore; change: Change } = {
    change: () => undefined,
    store: {
      namespace: real.namespace,
      get sequence() {
        return real.sequence
      },
      read: async (from, to) =>
        structuredClone(await real.read(from, to)).map((stored: StoredEvent) => {
          if (stored.event !== undefined) place.change(stored.event)
          return stored
        }),
      append: (events, expected) => real.append(events, expected),
      hashAt: (sequence) => real.hashAt(sequence),
      verify: () => real.verify(),
      close: () => real.close(),
    },
  }
  return place
}

async function waiting(options: Parameters<typeof openWorkshop>[0] = {}): Promise<Workshop> {
  const workshop = await openWorkshop(options)
  const intent = adderIntent({
    risk: 'high',
    definition: { add: 100 },
    examples: [{ input: { value: 1 }, expected: 101 }],
  })
  await workshop.maker.forAgent(agent).buildToolFromIntent(intent)
  return workshop
}

const wanted = {
  action: 'approve_and_activate',
  name: 'plus_some',
  version: 1,
  approver: 'grace',
} as const

/** What each way to a signature answers. */
async function answers({ maker, grace }: Workshop): Promise<readonly string[]> {
  return [
    await codeOf(maker.prepareDecision(wanted)),
    await codeOf(maker.approveTool('plus_some', 1, { signer: grace })),
  ]
}

function changeReport(change: (report: Record<string, unknown>) => void): Change {
  return (event) => {
    if (event.type === 'tool_build_validated')
      change(event.report as unknown as Record<string, unknown>)
  }
}

describe('a report that somebody changed in the log of a running host', () => {
  const forgeries: readonly [what: string, change: Change, forged: RegExp][] = [
    [
      'the steps',
      changeReport((report) => (report['steps'] = ['gives 1'])),
      /"recorded":\["gives 1"\],"now":\["adds 100 to value"\]/,
    ],
    [
      'the permissions',
      changeReport((report) => (report['powers'] = ['may read the clock'])),
      /"recorded":\["may read the clock"\],"now":\[\]/,
    ],
    [
      'the suspicions',
      changeReport((report) => (report['suspicions'] = ['nothing at all'])),
      /"recorded":\["nothing at all"\],"now":\[\]/,
    ],
    [
      'the checks',
      changeReport((report) => (report['checks'] = [{ name: 'x', pass: true, message: 'fine' }])),
      /it is not the one that was recorded/,
    ],
    [
      'the evidence',
      changeReport((report) => {
        const [run] = report['evidence'] as Record<string, unknown>[]
        Object.assign(run ?? {}, { actual: 1, expected: 1 })
      }),
      /it is not the one that was recorded/,
    ],
  ]
  test.each(forgeries)(
    'in %s is shown beside the truth, and nothing is signed',
    async (_what, change, shown) => {
      const place = changeable()
      const workshop = await waiting({ store: place.store })
      const { maker, grace } = workshop
      const early = await signDecision(await maker.prepareDecision(wanted), grace)
      place.change = change
      const review = await maker.readReview('plus_some', 1)
      // What would run is what is said first, whatever the log says.
      expect(review?.steps).toEqual(['adds 100 to value'])
      expect(review?.suspicions).toEqual([])
      expect(JSON.stringify(review?.differs)).toMatch(shown)
      expect(await answers(workshop)).toEqual(['REVIEW_CHANGED', 'REVIEW_CHANGED'])
      // Not even by what was signed before somebody changed it.
      expect(await codeOf(maker.approveTool('plus_some', 1, { decision: early }))).toBe(
        'REVIEW_CHANGED',
      )
      expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
    },
  )

  test('is replaced by validating the version again, under a hash of its own', async () => {
    const place = changeable()
    const workshop = await waiting({ store: place.store })
    const { maker, grace } = workshop
    const before = await maker.readReview('plus_some', 1)
    let isForged = true
    place.change = (event) => {
      if (isForged && event.type === 'tool_build_validated')
        Object.assign(event.report, { steps: ['gives 1'] })
    }
    const early = await maker.readReview('plus_some', 1)
    expect(early?.differs?.map(({ what }) => what)).toEqual(['report', 'steps'])
    await maker.validateAgain('plus_some', 1)
    const review = await maker.readReview('plus_some', 1)
    expect(review?.differs).toBeUndefined()
    expect(review?.reportHash).toBe(before?.reportHash)
    await maker.approveTool('plus_some', 1, { signer: grace })
    isForged = false
  })
})

test('a row that is overwritten in the file of a running host is not what a person reads', async () => {
  const folder = await makeFolder()
  try {
    const directory = join(folder.path, 'store')
    const workshop = await waiting({ store: await openFileEventStore({ directory }) })
    const path = join(directory, 'audit.jsonl')
    const text = await readFile(path, 'utf8')
    const file = await open(path, 'r+')
    // As many bytes as before, so that only a look at the row can tell.
    await file.write(Buffer.from(text.replaceAll('adds 100 to value', 'adds 001 to value')), 0)
    await file.close()
    const review = await workshop.maker.readReview('plus_some', 1)
    expect(review?.steps ?? ['adds 100 to value']).toEqual(['adds 100 to value'])
    for (const code of await answers(workshop)) expect(code).not.toBe('nothing was thrown')
    await workshop.maker.close()
  } finally {
    await folder.remove()
  }
})

describe('a release that explains a version otherwise than before', () => {
  const renewed = (overrides: Partial<ToolKind>): ToolKind => createAdderKind(overrides)

  test.each<[string, Partial<ToolKind>]>([
    ['steps', { describeSteps: () => ['adds something'] }],
    ['permissions', { describePowers: () => ['may read the clock'] }],
  ])(
    'in other %s shows both, and has the version validated again before it is signed',
    async (_what, overrides) => {
      const store = createMemoryEventStore()
      const grace = makeSigner('grace')
      const trust = createMemoryTrust({
        approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
      })
      await waiting({ store, trust, grace })
      const later = await openWorkshop({ store, trust, grace, kinds: [renewed(overrides)] })
      expect((await later.maker.readReview('plus_some', 1))?.differs).toHaveLength(1)
      expect(await answers(later)).toEqual(['REVIEW_CHANGED', 'REVIEW_CHANGED'])
      await later.maker.validateAgain('plus_some', 1)
      expect((await later.maker.readReview('plus_some', 1))?.differs).toBeUndefined()
      const statement = await later.maker.prepareDecision(wanted)
      await later.maker.approveTool('plus_some', 1, {
        decision: await signDecision(statement, grace),
      })
      expect(await callTool(later, 'plus_some', { value: 1 })).toBe(101)
    },
  )

  test('leaves what is in use in use: loading verifies content and signature, never the report', async () => {
    const store = createMemoryEventStore()
    const grace = makeSigner('grace')
    const trust = createMemoryTrust({
      approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    })
    const first = await waiting({ store, trust, grace })
    const statement = await first.maker.prepareDecision(wanted)
    await first.maker.approveTool('plus_some', 1, {
      decision: await signDecision(statement, grace),
    })
    const kinds = [renewed({ describeSteps: () => ['adds something'] })]
    const later = await openWorkshop({ store, trust, grace, kinds })
    expect(await callTool(later, 'plus_some', { value: 1 })).toBe(101)
    // To go back to it later somebody has to read what is said of it now.
    await later.maker.deactivateTool('plus_some', { reason: 'enough' })
    const activate = (): Promise<string> =>
      codeOf(later.maker.activateToolVersion('plus_some', 1, { signer: grace }))
    expect(await activate()).toBe('REVIEW_CHANGED')
    await later.maker.validateAgain('plus_some', 1)
    expect(await activate()).toBe('nothing was thrown')
    expect(await callTool(later, 'plus_some', { value: 1 })).toBe(101)
  })

  test('cannot be signed while its kind does not say what it does', async () => {
    const store = createMemoryEventStore()
    const grace = makeSigner('grace')
    const trust = createMemoryTrust({
      approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    })
    await waiting({ store, trust, grace })
    const broken = renewed({
      describeSteps: () => {
        throw new Error('no idea')
      },
    })
    const later = await openWorkshop({ store, trust, grace, kinds: [broken] })
    const review = await later.maker.readReview('plus_some', 1)
    expect(JSON.stringify(review?.differs)).toMatch(/no idea/)
    expect(await answers(later)).toEqual(['REVIEW_CHANGED', 'REVIEW_CHANGED'])
    await later.maker.validateAgain('plus_some', 1)
    expect(await answers(later)).toEqual(['REVIEW_CHANGED', 'REVIEW_CHANGED'])
  })
})

test('how long a run took is no part of what is signed, and everything else of the report is', async () => {
  let step = 0
  const kind = createAdderKind()
  const timed = createAdderKind({
    gatherEvidence: async (proposal, options) =>
      (await kind.gatherEvidence(proposal, options)).map((run) => ({
        ...run,
        durationMs: (step += 1),
      })),
  })
  const { maker } = await waiting({ kinds: [timed] })
  const before = (await maker.readReview('plus_some', 1))?.reportHash
  await maker.validateAgain('plus_some', 1)
  expect((await maker.readReview('plus_some', 1))?.reportHash).toBe(before)
})

test('a decision that is on its way is for the report that was read: validating again makes it stale', async () => {
  const { maker, grace } = await waiting()
  const decision = await signDecision(await maker.prepareDecision(wanted), grace)
  await maker.validateAgain('plus_some', 1)
  expect(await codeOf(maker.approveTool('plus_some', 1, { decision }))).toBe('DECISION_STALE')
})

test('what comes up later beside a version does not change its review', async () => {
  const { maker } = await waiting()
  await maker.forAgent(agent).buildToolFromIntent(adderIntent({ name: 'plus_sone' }))
  const review = await maker.readReview('plus_some', 1)
  expect(review?.differs).toBeUndefined()
  expect(await codeOf(maker.prepareDecision(wanted))).toBe('nothing was thrown')
})

test('a version that failed its checks is shown as it was rejected', async () => {
  const { maker } = await openWorkshop()
  await maker.forAgent(agent).buildToolFromIntent(adderIntent({ definition: { add: 'much' } }))
  const review = await maker.readReview('plus_some', 1)
  expect(review).toMatchObject({ status: 'rejected', reportHash: expect.any(String) })
  expect(review?.differs).toBeUndefined()
})

describe('what is new in a version', () => {
  const propose = (
    workshop: Workshop,
    add: number,
    capabilities: readonly ToolCapability[] = [],
  ): Promise<unknown> =>
    workshop.maker
      .forAgent(agent)
      .buildToolFromIntent(adderIntent({ definition: { add }, capabilities, risk: 'high' }))

  test('is compared with no version that was revoked', async () => {
    const workshop = await openWorkshop({ policy: { rules: [] } })
    const { grace, maker } = workshop
    await propose(workshop, 1)
    await maker.approveTool('plus_some', 1, { signer: grace })
    await propose(workshop, 2)
    await maker.approveTool('plus_some', 2, { signer: grace })
    await propose(workshop, 3)
    expect((await maker.readReview('plus_some', 3))?.change?.fromVersion).toBe(2)
    await maker.revokeTool('plus_some', 2, { reason: 'it sends mails to a stranger' })
    await propose(workshop, 4)
    expect((await maker.readReview('plus_some', 4))?.change?.fromVersion).toBe(1)
  })

  test('is compared with no version whose approval somebody wrote into the log', async () => {
    const store = createMemoryEventStore()
    const workshop = await openWorkshop({ store, policy: { rules: [] } })
    const { grace, maker, trust } = workshop
    await propose(workshop, 1)
    await maker.approveTool('plus_some', 1, { signer: grace })
    await propose(workshop, 2)
    const row = (await maker.history('plus_some')).find(
      ({ event }) => event?.type === 'tool_approved',
    )
    const forged = { ...row?.event, version: 2 } as LifecycleEvent
    await store.append([forged], store.sequence)
    const next = await openWorkshop({ store, trust, grace })
    await propose(next, 3)
    expect((await next.maker.readReview('plus_some', 3))?.change?.fromVersion).toBe(1)
  })
})
