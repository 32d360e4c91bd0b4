import { type ToolStop, createMemoryTrust } from '@toolcrib/toolsmaker'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Workshop,
  adderIntent,
  agent,
  callTool,
  makeFolder,
  makeSigner,
  openFolder,
  openWorkshop,
} from './bench-of-tests.ts'

const grace = makeSigner('grace')
const name = 'plus_some'
let folder: Awaited<ReturnType<typeof makeFolder>>
let shop: Workshop
let stops: ToolStop[]

beforeEach(async () => {
  folder = await makeFolder()
  const trust = createMemoryTrust({
    approvers: [{ id: 'grace', name: 'Grace', publicKey: grace.publicKey }],
  })
  shop = await openWorkshop({ store: await openFolder(folder.path), trust, grace })
  stops = []
  const { status } = await shop.maker.forAgent(agent).buildToolFromIntent(adderIntent())
  if (status !== 'activated') {
    await shop.maker.approveTool(name, 1, { signer: grace })
    await shop.maker.activateToolVersion(name, 1, { signer: grace })
  }
  shop.maker.onStop(() => {
    throw new Error('a listener that fails')
  })
  shop.maker.onStop((stop) => stops.push(stop))
})
afterEach(async () => {
  await shop.maker.close()
  await folder.remove()
})

test.each([
  ['a pause', 'TOOLS_PAUSED', () => shop.maker.pauseTools({ reason: 'Incident' })],
  ['a deactivation', 'TOOL_REVOKED', () => shop.maker.deactivateTool(name, { reason: 'Bad' })],
  ['a revocation', 'TOOL_REVOKED', () => shop.maker.revokeTool(name, 1, { reason: 'Bad' })],
  [
    'a deactivation by its owner',
    'TOOL_REVOKED',
    () => shop.maker.forAgent(agent).deactivate(name),
  ],
])('%s is told at once, before it is on record, and what it stops', async (_what, code, act) => {
  const tool = shop.registry.get(name)
  if (tool === undefined) throw new Error('There is no tool.')
  const stopping = act()
  expect(stops).toMatchObject([{ error: { code } }])
  expect(stops[0]?.concerns(tool)).toBe(true)
  const { source: _made, ...builtIn } = tool
  expect(stops[0]?.concerns(builtIn)).toBe(false)
  await stopping
  expect(stops.every((stop) => stop.error.code === code)).toBe(true)
})

test('a deactivation concerns what runs of older versions, and a closed toolsmaker stops nothing', async () => {
  const tool = shop.registry.get(name)
  if (tool?.source?.type !== 'made') throw new Error('There is no made tool.')
  const older = { ...tool, source: { ...tool.source, version: 7 } }
  await shop.maker.deactivateTool(name, { reason: 'Bad' })
  expect(stops[0]?.concerns(older)).toBe(true)
  await shop.maker.close()
  stops = []
  for (const stop of [
    shop.maker.pauseTools({ reason: 'x' }),
    shop.maker.revokeTool(name, 1, { reason: 'x' }),
    shop.maker.deactivateTool(name, { reason: 'x' }),
  ])
    // oxlint-disable-next-line no-await-in-loop -- three of them
    await expect(stop).rejects.toMatchObject({ code: 'STORE_CLOSED' })
  expect(stops).toEqual([])
})

test('another version is not concerned where one version is stopped', async () => {
  const tool = shop.registry.get(name)
  if (tool?.source?.type !== 'made') throw new Error('There is no made tool.')
  await shop.maker.revokeTool(name, 1, { reason: 'Bad' })
  expect(stops[0]?.concerns({ ...tool, source: { ...tool.source, version: 2 } })).toBe(false)
})

test('a call that finds an approval run out is no stop of what began in time', async () => {
  await shop.maker.revokeTool(name, 1, { reason: 'Bad' })
  await shop.maker.forAgent(agent).buildToolFromIntent({ ...adderIntent(), purpose: 'Adds again' })
  const expiresAt = shop.clock.now + 60_000
  await shop.maker.approveTool(name, 2, { signer: grace, expiresAt })
  await shop.maker.activateToolVersion(name, 2, { signer: grace, expiresAt })
  expect(await callTool(shop, name, { value: 2 })).toBe(3)
  stops = []
  shop.clock.now += 120_000
  expect(await callTool(shop, name, { value: 2 })).not.toBe(3)
  expect(stops).toEqual([])
})
