import { type ToolKind, createMemoryTrust } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import {
  type Workshop,
  adderIntent,
  agent,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
  readEvents,
  rewriteStore,
} from './bench-of-tests.ts'

const hour = 3_600_000

async function withTwo(workshop: Workshop): Promise<Workshop['maker']> {
  const ada = workshop.maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent())
  await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
  return workshop.maker
}

test('only a version whose approval is good now is given, in use or not', async () => {
  const workshop = await openWorkshop()
  const made = await withTwo(workshop)
  expect((await made.readApproved('plus_some', 1))?.definition).toEqual({ add: 1 })
  expect(await made.readApproved('plus_some', 2)).toBeUndefined()
  expect(await made.readApproved('plus_some', 3)).toBeUndefined()
  expect(await made.readApproved('nobody', 1)).toBeUndefined()
  await made.approveTool('plus_some', 2, { signer: workshop.grace })
  expect((await made.readApproved('plus_some', 2))?.definition).toEqual({ add: 2 })
  await made.deactivateTool('plus_some', { reason: 'enough' })
  expect(await made.readApproved('plus_some', 1)).toBeDefined()
  await made.revokeTool('plus_some', 2, { reason: 'it was wrong' })
  expect(await made.readApproved('plus_some', 2)).toBeUndefined()
})

test('an approval that ran out, or that the policy gives no longer, is not good', async () => {
  const grace = makeSigner('grace')
  const trust = createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    policy: { approvalExpiryMs: 10 * hour },
  })
  const workshop = await openWorkshop({ trust, grace })
  const maker = await withTwo(workshop)
  await maker.approveTool('plus_some', 2, { signer: grace })
  trust.setPolicy({ ...trust.policy(), rules: [] })
  expect(await maker.readApproved('plus_some', 1)).toBeUndefined()
  expect(await maker.readApproved('plus_some', 2)).toBeDefined()
  workshop.clock.now += 10 * hour
  expect(await maker.readApproved('plus_some', 2)).toBeUndefined()
})

test('what was changed in the store is not given, and what is given cannot be changed for others', async () => {
  const folder = await makeFolder()
  try {
    const grace = makeSigner('grace')
    const trust = createMemoryTrust({
      approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
    })
    const first = await openWorkshop({ trust, grace, store: await openFolder(folder.path) })
    await withTwo(first)
    const spec = await first.maker.readApproved('plus_some', 1)
    Object.assign(spec?.definition ?? {}, { add: 666 })
    expect((await first.maker.readApproved('plus_some', 1))?.definition).toEqual({ add: 1 })
    await first.maker.close()
    const events = await readEvents(folder.path)
    for (const event of events)
      if (event.type === 'tool_build_generated' && event.version === 1)
        Object.assign(event.content, { definition: { add: 666 } })
    await rewriteStore(folder.path, events)
    const second = await openWorkshop({ trust, grace, store: await openFolder(folder.path) })
    expect(await second.maker.readApproved('plus_some', 1)).toBeUndefined()
    await second.maker.close()
  } finally {
    await folder.remove()
  }
})

test('a kind may ask for it while a proposal of its own is checked, and while a start waits for it', async () => {
  let workshop: Workshop | undefined
  const found: unknown[] = []
  const check: ToolKind['check'] = async () => {
    found.push((await workshop?.maker.readApproved('plus_some', 1))?.version)
    return []
  }
  workshop = await openWorkshop({ kinds: [createAdderKind({ check })] })
  await withTwo(workshop)
  expect(found).toEqual([undefined, 1])
})
