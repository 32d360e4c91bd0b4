import { expect, test } from 'vitest'
import { adderIntent, agent, callTool, openWorkshop } from './bench-of-tests.ts'

test('a new compute tool is approved by rule and callable at once', async () => {
  const workshop = await openWorkshop()
  const { maker } = workshop
  const built = await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  expect(built).toMatchObject({
    status: 'activated',
    existing: false,
    approvedByRule: 'compute-safe',
  })
  expect(built.spec.contentHash).toMatch(/^[0-9a-f]{64}$/)
  expect(await callTool(workshop, 'plus_some', { value: 41 })).toBe(42)
  const types = (await maker.history('plus_some')).map(({ event }) => event?.type)
  expect(types).toEqual([
    'tool_build_requested',
    'tool_build_generated',
    'tool_build_validated',
    'tool_approved',
    'tool_activated',
  ])
  expect(await maker.verifyAudit()).toMatchObject({ ok: true, events: 6 })
})

test('a change of a tool in use waits, is approved by signature, activated, and rolled back', async () => {
  const workshop = await openWorkshop()
  const { maker, grace } = workshop
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  const second = await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  expect(second.status).toBe('approval_required')
  expect(second.message).toContain('waits for a person')
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  const review = await maker.readReview('plus_some', 2)
  expect(review?.change?.diff).toContain('+  "add": 2')
  expect(review?.powers).toEqual(['nothing'])

  await maker.approveTool('plus_some', 2, { signer: grace })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  await maker.activateToolVersion('plus_some', 2, { signer: grace, timeoutMs: 1_000 })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(3)
  expect(workshop.registry.get('plus_some')?.timeoutMs).toBe(1_000)
  expect(maker.activeVersions()).toEqual({ plus_some: 2 })

  await maker.rollbackTool('plus_some', { signer: grace })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  expect(maker.listVersions('plus_some').map(({ status }) => status)).toEqual([
    'activated',
    'approved',
  ])
})
