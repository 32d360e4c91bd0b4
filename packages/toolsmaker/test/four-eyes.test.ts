import { createMemoryTrust } from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, expect, test } from 'vitest'
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

const grace = makeSigner('grace')
const heidi = makeSigner('heidi')

function trustOf(principals: readonly string[]): ReturnType<typeof createMemoryTrust> {
  return createMemoryTrust({
    approvers: [
      { id: 'grace', name: 'Grace', publicKey: grace.publicKey, principals },
      { id: 'heidi', name: 'Heidi', publicKey: heidi.publicKey },
    ],
    policy: { fourEyes: true, rules: [] },
  })
}

let folder: Awaited<ReturnType<typeof makeFolder>>
beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => folder.remove())

async function open(trust: ReturnType<typeof createMemoryTrust>): Promise<Workshop> {
  return openWorkshop({ store: await openFolder(folder.path), trust, grace })
}

const approve = (maker: Workshop['maker'], signer = grace): Promise<string> =>
  codeOf(maker.approveTool('plus_some', 1, { signer }))

test.each(['agent:ada', 'person:g.hopper', 'service:build'])(
  'an approver does not approve what %s, one of her own, proposed; another does',
  async (own) => {
    const { maker } = await open(trustOf(['person:someone', own]))
    const [kind = '', id = ''] = own.split(':')
    const principal = { kind: kind as 'agent', id }
    await maker.buildToolFromIntent(adderIntent(), { principal })
    expect(await approve(maker)).toBe('FOUR_EYES_REQUIRED')
    expect(await approve(maker, heidi)).toBe('nothing was thrown')
    await maker.close()
  },
)

test('who proposed is taken from what is hashed and signed: another name in the log opens no way', async () => {
  const trust = trustOf(['agent:ada'])
  const first = await open(trust)
  await first.maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await first.maker.close()
  const events = await readEvents(folder.path)
  for (const event of events)
    if (event.type === 'tool_build_requested' || event.type === 'tool_build_generated')
      Object.assign(event, { actor: { kind: 'agent', id: 'bob' } })
  await rewriteStore(folder.path, events)
  trust.readCheckpoint = async () => undefined
  const second = await open(trust)
  expect(await approve(second.maker)).not.toBe('nothing was thrown')
  expect(await callTool(second, 'plus_some', { value: 1 })).toBe('not registered')
  await second.maker.close()
})

test('an approval that was good counts no longer once the proposer is known as one of the approver', async () => {
  const trust = trustOf([])
  const workshop = await open(trust)
  const { maker } = workshop
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  await maker.approveTool('plus_some', 1, { signer: grace })
  await maker.activateToolVersion('plus_some', 1, { signer: grace })
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)
  trust.setApprovers(
    [...trust.approvers().values()].map((approver) =>
      approver.id === 'grace' ? { ...approver, principals: ['agent:ada'] } : approver,
    ),
  )
  expect((await maker.loadActiveTools()).refused).toMatchObject([{ code: 'POLICY_VIOLATION' }])
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
  await maker.close()
  const again = await open(trust)
  expect(await callTool(again, 'plus_some', { value: 1 })).toBe('not registered')
  await again.maker.close()
})

test('the same content that another principal proposes is a version of its own, with its own proposer', async () => {
  const { maker } = await open(trustOf(['person:g.hopper']))
  await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  const again = await maker.forAgent(agent).buildToolFromIntent(adderIntent())
  expect(again).toMatchObject({ existing: true, spec: { version: 1 } })
  const principal = { kind: 'person', id: 'g.hopper' } as const
  const hers = await maker.buildToolFromIntent(adderIntent(), { principal })
  expect(hers).toMatchObject({ existing: true, spec: { version: 1, proposer: 'agent:ada' } })
  await maker.close()
})
