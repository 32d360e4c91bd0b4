import type { JsonObject } from '@toolcrib/registry'
import {
  type ApprovalPolicy,
  type ToolKind,
  createMemoryTrust,
  defaultApprovalPolicy,
} from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import {
  adderIntent,
  agent,
  callTool,
  codeOf,
  makeFolder,
  openFolder,
  openWorkshop,
} from './bench-of-tests.ts'

async function build(overrides: Partial<ToolKind>): Promise<string> {
  const { maker } = await openWorkshop({ kinds: [createAdderKind(overrides)], kindTimeoutMs: 30 })
  const built = await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  expect(await maker.verifyAudit()).toMatchObject({ ok: true })
  return `${built.status}: ${built.report.checks.find(({ pass }) => !pass)?.message ?? ''}`
}

const boom = (): never => {
  throw new Error('boom')
}
const never = (): Promise<never> => new Promise(() => undefined)

test('a kind that throws, hangs or answers nonsense gets its proposal rejected, with the reason', async () => {
  expect(await build({ check: boom })).toMatch(/rejected: .*"check": boom/)
  expect(await build({ check: never })).toMatch(/rejected: .*"check" within 30 ms/)
  expect(await build({ check: () => [{ name: '', pass: 1 }] as never })).toMatch(/wrong form/)
  expect(await build({ check: () => undefined as never })).toMatch(/rejected/)
  expect(await build({ gatherEvidence: boom })).toMatch(/"gatherEvidence": boom/)
  expect(await build({ gatherEvidence: never })).toMatch(/within 30 ms/)
  expect(await build({ gatherEvidence: () => [{ pass: true }] as never })).toMatch(/wrong form/)
  expect(await build({ describePowers: boom })).toMatch(/"describePowers": boom/)
  expect(await build({ describeSteps: never })).toMatch(/within 30 ms/)
  expect(await build({ describePowers: () => 'all' as never })).toMatch(/wrong form/)
})

test('a kind is told when its time is over', async () => {
  let aborted = false
  await build({
    gatherEvidence: (_proposal, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true
          reject(new Error('stopped'))
        })
      }),
  })
  expect(aborted).toBe(true)
})

test('no rule approves tools of a kind that needs a person, and the person is told why', async () => {
  const { maker } = await openWorkshop({
    kinds: [createAdderKind({ needsPerson: 'it cannot be tried' })],
  })
  const ada = maker.forAgent(agent)
  expect(await ada.buildToolFromIntent(adderIntent())).toMatchObject({
    status: 'approval_required',
  })
  expect((await maker.readReview('plus_some', 1))?.waitsBecause).toEqual(['it cannot be tried'])
  const request = adderIntent({ name: 'other_sum' })
  await maker.buildToolFromIntent(request, { principal: agent, waitBecause: 'it was found' })
  expect((await maker.readReview('other_sum', 1))?.waitsBecause).toEqual([
    'it was found',
    'it cannot be tried',
  ])
})

test('a kind gets what it cannot change', async () => {
  const change = ({ spec }: { spec: { definition: unknown } }): void => {
    Object.assign(spec.definition as JsonObject, { add: 666 })
  }
  expect(await build({ check: (proposal) => (change(proposal), []) })).toMatch(
    /rejected: .*"check"/,
  )
})

test('a kind without power to compile or deploy leaves the version approved and the old one in use', async () => {
  let broken = false
  let deployed = 0
  let retired = 0
  const kind = createAdderKind({
    deploy: async () => {
      if (broken) throw new Error('the server is away')
      deployed += 1
    },
    retire: async () => {
      retired += 1
    },
  })
  const workshop = await openWorkshop({ kinds: [kind] })
  const { maker, grace } = workshop
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  expect(deployed).toBe(1)
  await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  await maker.approveTool('plus_some', 2, { signer: grace })
  broken = true
  expect(await codeOf(maker.activateToolVersion('plus_some', 2, { signer: grace }))).toBe(
    'ACTIVATION_FAILED',
  )
  expect(retired).toBe(1)
  expect((await maker.history('plus_some')).at(-1)?.event).toMatchObject({
    type: 'tool_activation_failed',
    reason: expect.stringContaining('the server is away') as string,
  })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  broken = false
  await maker.activateToolVersion('plus_some', 2, { signer: grace })
  expect([deployed, retired]).toEqual([2, 2])
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(3)
})

test('what a rule approved and cannot be compiled is on record as approved, and says why', async () => {
  const { maker } = await openWorkshop({ kinds: [createAdderKind({ compile: boom })] })
  const built = await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  expect(built.status).toBe('approved')
  expect(built.message).toContain('boom')
  expect(maker.activeVersions()).toEqual({})
})

test('a kind that hangs while it takes something down delays nothing for ever', async () => {
  const kind = createAdderKind({ retire: never })
  const workshop = await openWorkshop({ kinds: [kind], kindTimeoutMs: 30 })
  await workshop.maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await workshop.maker.deactivateTool('plus_some', { reason: 'enough' })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
})

test('an agent that waits no longer leaves nothing on record', async () => {
  const { maker } = await openWorkshop({ kinds: [createAdderKind({ check: never })] })
  const controller = new AbortController()
  const building = maker
    .forAgent(agent)
    .buildToolFromIntent(adderIntent(), { signal: controller.signal })
  controller.abort(new Error('no longer'))
  await expect(building).rejects.toThrow('no longer')
  expect(maker.listVersions()).toEqual([])
})

test('kinds must have proper and different names', async () => {
  for (const kinds of [
    [createAdderKind({ kind: '../x' })],
    [createAdderKind({ kind: 'A' })],
    [createAdderKind({ kind: 7 as never })],
    [createAdderKind(), createAdderKind()],
  ])
    expect(await codeOf(openWorkshop({ kinds }))).toBe('STORE_INVALID')
})

test('a stored tool whose kind is not there is refused by name and harms no other', async () => {
  const folder = await makeFolder()
  try {
    const rule = { ...defaultApprovalPolicy.rules[0], kinds: ['compute', 'rare'] }
    const policy = { rules: [rule] } as Partial<ApprovalPolicy>
    const trust = createMemoryTrust({ policy })
    const open = async (kinds: ToolKind[]): ReturnType<typeof openWorkshop> =>
      openWorkshop({ kinds, trust, store: await openFolder(folder.path) })
    const both = await open([createAdderKind(), createAdderKind({ kind: 'rare' })])
    const ada = both.maker.forAgent(agent)
    await ada.buildToolFromIntent(adderIntent())
    await ada.buildToolFromIntent(adderIntent({ name: 'rare_sum', kind: 'rare' }))
    expect(both.maker.activeVersions()).toEqual({ plus_some: 1, rare_sum: 1 })
    await both.maker.close()
    const one = await open([createAdderKind()])
    expect(await callTool(one, 'plus_some', { value: 1 })).toBe(2)
    expect(await callTool(one, 'rare_sum', { value: 1 })).toBe('not registered')
    expect(one.maker.listVersions('rare_sum')[0]?.reason).toContain('there is no kind rare')
    await one.maker.checkProjections()
    await one.maker.close()
    const again = await open([createAdderKind(), createAdderKind({ kind: 'rare' })])
    expect(await callTool(again, 'rare_sum', { value: 1 })).toBe(2)
    await again.maker.close()
  } finally {
    await folder.remove()
  }
})
