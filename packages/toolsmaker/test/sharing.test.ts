import {
  type ApprovalSigner,
  type LifecycleEvent,
  type MemoryTrust,
  createMemoryTrust,
  signDecision,
} from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Workshop,
  adderIntent,
  agent,
  codeOf,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
  otherAgent,
} from './bench-of-tests.ts'

const grace = makeSigner('grace')
const heidi = makeSigner('heidi')
const ivan = makeSigner('ivan')
const approvers = [
  { id: 'grace', name: 'Grace', publicKey: grace.publicKey },
  { id: 'heidi', name: 'Heidi', publicKey: heidi.publicKey },
  { id: 'ivan', name: 'Ivan', publicKey: ivan.publicKey },
]

let folder: Awaited<ReturnType<typeof makeFolder>>
let trust: MemoryTrust
let workshop: Workshop
const clock = { now: 0 }

beforeEach(async () => {
  folder = await makeFolder()
  clock.now = Date.UTC(2030, 0, 1)
  trust = createMemoryTrust({ approvers })
  await open()
  // A rule puts it into use for its owner.
  await workshop.maker.forAgent(agent).buildToolFromIntent(adderIntent())
})
afterEach(async () => {
  await workshop.maker.close()
  await folder.remove()
})

async function open(): Promise<void> {
  workshop = await openWorkshop({ store: await openFolder(folder.path), trust, grace, clock })
}

async function reopen(): Promise<void> {
  await workshop.maker.close()
  await open()
}

async function load(): Promise<void> {
  await workshop.maker.loadActiveTools()
}

const share = (signer: ApprovalSigner): Promise<string> =>
  codeOf(workshop.maker.shareTool('plus_some', 1, { signer }))
const isShared = (): boolean => workshop.maker.forAgent(otherAgent).snapshotTools().has('plus_some')
const summary = (): object | undefined => workshop.maker.listVersions('plus_some')[0]
const types = async (): Promise<readonly string[]> =>
  (await workshop.maker.history('plus_some')).flatMap(({ event }) =>
    event?.type.startsWith('tool_share') === true ? [event.type] : [],
  )

describe('where two approvers have to sign', () => {
  beforeEach(() => trust.setPolicy({ requiredApprovals: 2 }))

  test('a tool stays with its owner until the second has signed that it is shared', async () => {
    const first = await workshop.maker.shareTool('plus_some', 1, { signer: heidi })
    expect(first).toMatchObject({ visibility: 'owner', missingShares: 1 })
    expect(workshop.maker.forAgent(agent).get('plus_some')).toMatchObject({ missingShares: 1 })
    expect(isShared()).toBe(false)
    await reopen()
    expect(isShared()).toBe(false)
    expect(summary()).toMatchObject({ visibility: 'owner', missingShares: 1 })
    expect(await share(heidi)).toBe('FOUR_EYES_REQUIRED')
    const second = await workshop.maker.shareTool('plus_some', 1, { signer: grace })
    expect(second).toMatchObject({ visibility: 'shared' })
    expect(second).not.toHaveProperty('missingShares')
    expect(isShared()).toBe(true)
    expect(await types()).toEqual(['tool_share_given', 'tool_shared'])
    await reopen()
    expect(isShared()).toBe(true)
    expect(await workshop.maker.verifyAudit()).toMatchObject({ ok: true })
  })

  test('one who is an approver no longer does not count, nor does one when more are asked for', async () => {
    await share(heidi)
    await share(grace)
    trust.setPolicy({ requiredApprovals: 3 })
    await load()
    expect(isShared()).toBe(false)
    expect(await share(ivan)).toBe('nothing was thrown')
    expect(isShared()).toBe(true)
    trust.setApprovers(approvers.filter(({ id }) => id !== 'heidi'))
    await load()
    expect(isShared()).toBe(false)
    trust.setPolicy({ requiredApprovals: 2 })
    await load()
    expect(isShared()).toBe(true)
  })

  test('a decision that one approver writes into the store, once or twice, shares nothing', async () => {
    const statement = await workshop.maker.prepareDecision({
      action: 'share',
      name: 'plus_some',
      version: 1,
      approver: 'grace',
    })
    await workshop.maker.close()
    const store = await openFolder(folder.path)
    const rows = await Promise.all(
      [1, 2].map(async (issuedAt): Promise<LifecycleEvent> => ({
        type: 'tool_shared',
        at: '2030-01-01T00:00:00.000Z',
        actor: { kind: 'person', id: 'grace' },
        name: 'plus_some',
        version: 1,
        decision: await signDecision({ ...statement, issuedAt }, grace),
      })),
    )
    await store.append(rows, store.sequence)
    await store.close()
    await open()
    expect(isShared()).toBe(false)
    expect(summary()).toMatchObject({ visibility: 'owner', missingShares: 1 })
    // Whoever reads of one that is not in use reads no more of it.
    await workshop.maker.deactivateTool('plus_some', { reason: 'enough' })
    expect(summary()).toMatchObject({ visibility: 'owner', missingShares: 1 })
    expect(await share(heidi)).toBe('nothing was thrown')
    expect(summary()).toMatchObject({ visibility: 'shared' })
  })

  test('a signature that has run out does not count, and is given again', async () => {
    const until = clock.now + 3_600_000
    await workshop.maker.shareTool('plus_some', 1, { signer: heidi, expiresAt: until })
    clock.now = until
    expect(await share(grace)).toBe('nothing was thrown')
    expect(isShared()).toBe(false)
    expect(summary()).toMatchObject({ missingShares: 1 })
    expect(await share(heidi)).toBe('nothing was thrown')
    expect(isShared()).toBe(true)
  })
})

describe('with four eyes', () => {
  test('who proposed a tool does not share it, at the decision or at a later load', async () => {
    trust.setPolicy({ fourEyes: true })
    const own = { ...approvers[0], principals: ['agent:ada'] } as (typeof approvers)[number]
    const rest = approvers.slice(1)
    trust.setApprovers([own, ...rest])
    expect(await share(grace)).toBe('FOUR_EYES_REQUIRED')
    expect(isShared()).toBe(false)
    trust.setApprovers(approvers)
    expect(await share(grace)).toBe('nothing was thrown')
    expect(isShared()).toBe(true)
    trust.setApprovers([own, ...rest])
    await load()
    expect(isShared()).toBe(false)
    expect(await share(heidi)).toBe('nothing was thrown')
    expect(isShared()).toBe(true)
  })
})

test('where one signature is enough, it is renewed by whoever gave it', async () => {
  const expiresAt = clock.now + 3_600_000
  await workshop.maker.shareTool('plus_some', 1, { signer: grace, expiresAt })
  expect(isShared()).toBe(true)
  expect(await share(grace)).toBe('nothing was thrown')
  clock.now = expiresAt
  await load()
  expect(isShared()).toBe(true)
})

describe('a share that has an end', () => {
  const until = async (expiresAt: number): Promise<void> => {
    const subject = { name: 'plus_some', version: 1, approver: 'grace' } as const
    const statement = await workshop.maker.prepareDecision({
      action: 'share',
      ...subject,
      expiresAt,
    })
    const decision = await signDecision(statement, grace)
    await workshop.maker.shareTool('plus_some', 1, { decision })
  }
  const check = (principal: typeof agent | typeof otherAgent): string | undefined => {
    const tool = workshop.registry.get('plus_some')
    return tool === undefined ? 'gone' : workshop.maker.checkCallable(tool, principal)?.code
  }

  test('ends at that moment for others than its owner, also while the host runs', async () => {
    await until(clock.now + 60_000)
    clock.now += 59_999
    expect(check(otherAgent)).toBeUndefined()
    clock.now += 1
    expect(check(otherAgent)).toBe('TOOL_NOT_FOUND')
    expect(check(agent)).toBeUndefined()
    await workshop.maker.expirePending()
    expect(isShared()).toBe(false)
    expect(check(agent)).toBeUndefined()
    expect(summary()).toMatchObject({ visibility: 'owner' })
  })

  test('does not come back when the clock is set back, here or after a start; a new signature shares it again', async () => {
    await until(clock.now + 60_000)
    clock.now += 60_000
    await workshop.maker.expirePending()
    clock.now -= 60_000
    await load()
    expect(isShared()).toBe(false)
    await reopen()
    await load()
    expect(isShared()).toBe(false)
    expect(await share(grace)).toBe('nothing was thrown')
    expect(isShared()).toBe(true)
    expect(await types()).toEqual(['tool_shared', 'tool_share_ended', 'tool_shared'])
  })

  test('is seen by nobody else once what has run out was looked for', async () => {
    await until(clock.now + 60_000)
    expect(isShared()).toBe(true)
    clock.now += 60_000
    await workshop.maker.expirePending()
    expect(isShared()).toBe(false)
  })
})
