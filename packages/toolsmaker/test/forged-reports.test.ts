import { type JsonObject, type JsonValue, canonicalJson, contentHash } from '@toolcrib/registry'
import {
  type LifecycleEvent,
  type MemoryTrust,
  type StatementEnvelope,
  type ValidationReport,
  createMemoryTrust,
  describeReviewProblem,
  signDecision,
  signStatement,
} from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
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
} from './bench-of-tests.ts'

// Somebody can write the store of a host that does not run, and knows how its hashes are computed.

type Generated = Extract<LifecycleEvent, { type: 'tool_build_generated' }>
type ValidatedAgain = Extract<LifecycleEvent, { type: 'tool_validated_again' }>

const grace = makeSigner('grace')
const heidi = makeSigner('heidi')
const two = [
  { id: 'grace', name: 'Grace', publicKey: grace.publicKey, principals: ['agent:grace-bot'] },
  { id: 'heidi', name: 'Heidi', publicKey: heidi.publicKey },
]
let folder: Awaited<ReturnType<typeof makeFolder>>
let trust: MemoryTrust
let workshop: Workshop

beforeEach(async () => {
  folder = await makeFolder()
  trust = createMemoryTrust({ approvers: two, policy: { rules: [] } })
  await open()
})
afterEach(async () => {
  await workshop.maker.close()
  await folder.remove()
})

async function open(): Promise<void> {
  workshop = await openWorkshop({ store: await openFolder(folder.path), trust, grace })
}

/** Stops the host, appends rows, starts it again. */
async function appendAll(
  make: (events: LifecycleEvent[]) => Promise<readonly LifecycleEvent[]>,
): Promise<void> {
  await workshop.maker.close()
  const rows = await make(await readEvents(folder.path))
  const store = await openFolder(folder.path)
  await store.append(rows, store.sequence)
  await store.close()
  await open()
}

async function hashOf(value: unknown): Promise<string> {
  return contentHash(value as JsonValue)
}

/** As the host makes it. */
async function reportHashOf({
  checks,
  evidence,
  powers: permissions,
  steps,
  suspicions,
}: ValidationReport): Promise<string> {
  const timeless = evidence.map(({ durationMs: _not, ...run }) => run)
  return hashOf({ checks, permissions, steps, suspicions, evidence: timeless })
}

function find<Type extends LifecycleEvent['type']>(
  events: readonly LifecycleEvent[],
  type: Type,
): Extract<LifecycleEvent, { type: Type }> {
  const found = events.findLast((event) => event.type === type)
  if (found === undefined) throw new Error(`no ${type}`)
  return found as Extract<LifecycleEvent, { type: Type }>
}

/** A report of a tool whose example fails, in which it passes. */
const invented = { name: 'other_sum', add: 666, expected: 3 } as const

/** Makes an attestation from a genuine one and what it would have to say. */
type Attest = (genuine: StatementEnvelope, statement: JsonObject) => unknown

/** The rows of a proposal that nobody made, in the name of somebody else, after the pattern of a genuine one. */
async function inventProposal(
  events: readonly LifecycleEvent[],
  attest?: Attest,
): Promise<readonly LifecycleEvent[]> {
  const place = { name: invented.name, version: 1 }
  const requested = find(events, 'tool_build_requested')
  const generated: Generated = find(events, 'tool_build_generated')
  const { attestation: genuine, ...validated } = find(events, 'tool_build_validated')
  const required = find(events, 'tool_approval_required')
  const example = { input: { value: 1 }, expected: invented.expected }
  const content = {
    ...generated.content,
    name: invented.name,
    definition: { add: invented.add },
    examples: [example],
    proposer: 'agent:somebody',
    owner: 'agent:somebody',
  }
  const report: ValidationReport = {
    ...validated.report,
    steps: [`adds ${invented.add} to value`],
    evidence: [
      { ...example, actual: invented.expected, pass: true, durationMs: 1, origin: 'author' },
    ],
  }
  const hashes = { contentHash: await hashOf(content), reportHash: await reportHashOf(report) }
  const statement = {
    ...(JSON.parse(Buffer.from(genuine?.payload ?? 'e30=', 'base64').toString()) as JsonObject),
    ...place,
    ...hashes,
    sequence: events.length + 3,
  }
  if (attest !== undefined && genuine === undefined) throw new Error('not attested')
  const attestation = (await attest?.(genuine as StatementEnvelope, statement)) as
    | StatementEnvelope
    | undefined
  return [
    { ...requested, ...place },
    { ...generated, ...place, content, contentHash: hashes.contentHash },
    {
      ...validated,
      ...place,
      report,
      reportHash: hashes.reportHash,
      ...(attestation === undefined ? {} : { attestation }),
    },
    { ...required, ...place },
  ]
}

/** A report on the proposal on record in which a run that never was gives what its author promised. */
async function inventReport(events: readonly LifecycleEvent[]): Promise<ValidatedAgain> {
  const { attestation: _other, ...genuine } = find(events, 'tool_build_validated')
  const [run] = genuine.report.evidence
  if (run === undefined) throw new Error('nothing was tried')
  const report = { ...genuine.report, evidence: [run, { ...run, input: { value: 0 } }] }
  return {
    ...genuine,
    type: 'tool_validated_again',
    report,
    reportHash: await reportHashOf(report),
  }
}

async function propose(): Promise<void> {
  await workshop.maker.forAgent(agent).buildToolFromIntent(adderIntent())
}

/** What each way to a signature answers. */
async function answers(name: string, signer = grace): Promise<readonly string[]> {
  const { maker } = workshop
  const wanted = { action: 'approve', name, version: 1, approver: signer.approverId } as const
  return [
    await codeOf(maker.prepareDecision(wanted)),
    await codeOf(maker.approveTool(name, 1, { signer })),
  ]
}

async function expectUnsigned(name: string): Promise<void> {
  const { maker } = workshop
  const signing = await maker.readSigningReview(name, 1)
  if (signing === undefined) throw new Error('no review')
  expect(signing.review.differs?.map(({ what }) => what)).toEqual(['report'])
  expect(JSON.stringify(signing.review.differs)).toMatch(/not attested by this host/)
  expect(describeReviewProblem(signing)).toMatch(/report/)
  expect(await answers(name)).toEqual(['REVIEW_CHANGED', 'REVIEW_CHANGED'])
}

describe('a proposal that this host never took', () => {
  test.each<[string, Attest | undefined]>([
    ['without an attestation', undefined],
    ['with the attestation of another one', (genuine) => genuine],
    [
      'with one that says something else under the same signature',
      (genuine, statement) => {
        const payload = Buffer.from(canonicalJson(statement)).toString('base64')
        return { ...genuine, payload }
      },
    ],
    [
      'with one that says the right thing under the key of somebody else',
      ({ payloadType }, statement) =>
        signStatement({ payloadType, schema: z.any() }, statement, makeSigner('host')),
    ],
    ['with nonsense', () => ({ payloadType: 1 })],
  ])('%s is shown as such, and nobody can sign it', async (_how, attest) => {
    await propose()
    await appendAll((events) => inventProposal(events, attest))
    await expectUnsigned(invented.name)
    await workshop.maker.validateAgain(invented.name, 1)
    const review = await workshop.maker.readReview(invented.name, 1)
    // Now it was tried here, and does not do what was promised.
    expect(review?.evidence).toMatchObject([{ actual: 1 + invented.add, pass: false }])
    expect(await answers(invented.name)).toEqual(['REVIEW_CHANGED', 'REVIEW_CHANGED'])
    expect(await answers('plus_some')).toEqual(['nothing was thrown', 'nothing was thrown'])
  })
})

describe('a report that this host never made, on a proposal that it took', () => {
  test('is shown as such, and the version is signed once it was validated again', async () => {
    await propose()
    await appendAll(async (events) => [await inventReport(events)])
    await expectUnsigned('plus_some')
    await workshop.maker.validateAgain('plus_some', 1)
    expect((await workshop.maker.readReview('plus_some', 1))?.evidence).toHaveLength(1)
    expect(await answers('plus_some')).toEqual(['nothing was thrown', 'nothing was thrown'])
  })

  test('is none that it made before either: an attestation is for its own row', async () => {
    await propose()
    await workshop.maker.validateAgain('plus_some', 1)
    expect((await workshop.maker.readReview('plus_some', 1))?.differs).toBeUndefined()
    await appendAll(async (events) => [find(events, 'tool_validated_again')])
    await expectUnsigned('plus_some')
  })

  test('takes nothing out of use, and is nothing on which the host puts something into use', async () => {
    trust.setPolicy({})
    await propose()
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
    await appendAll(async (events) => [await inventReport(events)])
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
    const { maker } = workshop
    await maker.forAgent(agent).buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
    await maker.approveTool('plus_some', 2, { signer: grace })
    await maker.activateToolVersion('plus_some', 2, { signer: grace })
    const activate = (): Promise<string> =>
      codeOf(maker.activateToolVersion('plus_some', 1, { byRule: true }))
    expect(await activate()).toBe('REVIEW_CHANGED')
    await maker.validateAgain('plus_some', 1)
    expect(await activate()).toBe('nothing was thrown')
  })
})

describe('with four eyes, a proposal that this host never took', () => {
  beforeEach(() => trust.setPolicy({ fourEyes: true, rules: [] }))

  /** One that passes its checks, so that only who proposed it stands in the way. */
  async function appendGood(
    more: (events: readonly LifecycleEvent[]) => Promise<LifecycleEvent[]>,
  ) {
    await propose()
    await appendAll(async (events) => {
      const rows = await inventProposal(events)
      const generated = rows.find((row) => row.type === 'tool_build_generated')
      if (generated === undefined) throw new Error('no content')
      const content = { ...generated.content, examples: [] }
      const changed = { ...generated, content, contentHash: await hashOf(content) }
      const kept = rows.map((row) => (row === generated ? changed : row))
      return [...kept, ...(await more([...events, ...kept]))]
    })
  }

  test('is approved by nobody, also once it was validated here; proposed again it is', async () => {
    await appendGood(async () => [])
    const { maker } = workshop
    await maker.validateAgain(invented.name, 1)
    expect((await maker.readReview(invented.name, 1))?.differs).toBeUndefined()
    for (const signer of [grace, heidi])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect((await answers(invented.name, signer))[1]).toBe('FOUR_EYES_REQUIRED')
    await expect(maker.approveTool(invented.name, 1, { signer: heidi })).rejects.toThrow(
      /who proposed version 1 of other_sum is not known.*proposed again/,
    )
    const intent = adderIntent({ name: invented.name, definition: { add: invented.add } })
    const somebody = maker.forAgent({ kind: 'agent', id: 'somebody' })
    for (const existing of [false, true])
      // oxlint-disable-next-line no-await-in-loop -- the second finds the first
      expect(await somebody.buildToolFromIntent(intent)).toMatchObject({
        existing,
        spec: { version: 2, contentHash: maker.getSpec(invented.name, 1)?.contentHash },
      })
    expect(await codeOf(maker.approveTool(invented.name, 2, { signer: grace }))).toBe(
      'nothing was thrown',
    )
  })

  test('is not in use by an approval that an approver wrote into the store beside it', async () => {
    const { maker } = workshop
    await propose()
    const pattern = await maker.prepareDecision({
      action: 'approve_and_activate',
      name: 'plus_some',
      version: 1,
      approver: 'grace',
    })
    await appendGood(async (events) => {
      const generated = find(events, 'tool_build_generated')
      const { reportHash = '' } = find(events, 'tool_build_validated')
      if (!('contentHash' in pattern)) throw new Error('another decision')
      const decision = await signDecision(
        {
          ...pattern,
          name: invented.name,
          contentHash: generated.contentHash,
          proposer: 'agent:somebody',
          reportHash,
          basis: events.length,
        },
        grace,
      )
      const { at } = generated
      const actor = { kind: 'person', id: 'grace' } as const
      const place = { at, actor, name: invented.name, version: 1, approvalId: 'f'.repeat(64) }
      const approvedBy = { people: ['grace'] }
      return [
        { ...place, type: 'tool_approved', approvedBy, decision },
        { ...place, type: 'tool_activated' },
      ]
    })
    expect(workshop.registry.has(invented.name)).toBe(false)
    // It is who proposed it, not the signature, that is missing.
    trust.setPolicy({ rules: [] })
    await workshop.maker.loadActiveTools()
    expect(workshop.registry.has(invented.name)).toBe(true)
  })

  test('a genuine one is approved by another than its proposer, and stays in use', async () => {
    await propose()
    await appendAll(async (events) => [await inventReport(events)])
    const { maker } = workshop
    await maker.validateAgain('plus_some', 1)
    await maker.approveTool('plus_some', 1, { signer: grace })
    await maker.activateToolVersion('plus_some', 1, { signer: grace })
    await maker.close()
    await open()
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  })
})

test('a report of a proposal that failed its checks is attested too', async () => {
  await workshop.maker
    .forAgent(agent)
    .buildToolFromIntent(adderIntent({ definition: { add: 'much' } }))
  expect((await workshop.maker.readReview('plus_some', 1))?.differs).toBeUndefined()
  expect(await workshop.maker.verifyAudit()).toMatchObject({ ok: true })
})
