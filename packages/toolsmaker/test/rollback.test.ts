import { describe, expect, test } from 'vitest'
import { adderIntent, agent, codeOf, openWorkshop, type Workshop } from './bench-of-tests.ts'

const name = 'plus_some'

/** Puts versions 1 to `count` into use, one after the other. */
async function openWith(count: number): Promise<Workshop> {
  const workshop = await openWorkshop()
  const { maker, grace } = workshop
  for (let add = 1; add <= count; add += 1) {
    // oxlint-disable-next-line no-await-in-loop -- versions follow one another
    await maker.buildToolFromIntent(adderIntent({ definition: { add } }), { principal: agent })
    if (add === 1) continue
    // oxlint-disable-next-line no-await-in-loop -- as above
    await maker.approveTool(name, add, { signer: grace })
    // oxlint-disable-next-line no-await-in-loop -- as above
    await maker.activateToolVersion(name, add, { signer: grace })
  }
  return workshop
}

/** Rolls back, and gives the version in use then, which is the one that was foretold. */
async function rollBack({ maker, grace }: Workshop): Promise<number> {
  const { version } = maker.findRollback(name)
  const rolled = await maker.rollbackTool(name, { signer: grace })
  expect(rolled.version).toBe(version)
  expect(maker.activeVersions()).toEqual({ [name]: version })
  return version
}

describe('a rollback goes to the version that was in use before', () => {
  test('which is not the highest one below, after another rollback', async () => {
    const workshop = await openWith(2)
    expect(await rollBack(workshop)).toBe(1)
    const { maker, grace } = workshop
    await maker.buildToolFromIntent(adderIntent({ definition: { add: 3 } }), { principal: agent })
    await maker.approveTool(name, 3, { signer: grace })
    await maker.activateToolVersion(name, 3, { signer: grace })
    expect(await rollBack(workshop)).toBe(1)
    expect(await rollBack(workshop)).toBe(3)
  })

  test('also where the one after it was revoked, and the one before that', async () => {
    const workshop = await openWith(4)
    const { maker, grace } = workshop
    await maker.rollbackTool(name, { toVersion: 2, signer: grace })
    await maker.rollbackTool(name, { toVersion: 4, signer: grace })
    await maker.revokeTool(name, 4, { reason: 'wrong' })
    expect(await rollBack(workshop)).toBe(2)
    await maker.revokeTool(name, 2, { reason: 'wrong' })
    expect(await rollBack(workshop)).toBe(3)
  })

  test('and says when there is none', async () => {
    const { maker, grace } = await openWith(1)
    const both = [
      Promise.resolve().then(() => maker.findRollback(name)),
      maker.rollbackTool(name, { signer: grace }),
      Promise.resolve().then(() => maker.findRollback('nothing_here')),
      Promise.resolve().then(() => maker.findRollback(name, { toVersion: 9 })),
    ]
    expect(await Promise.all(both.map((each) => codeOf(each)))).toEqual(
      both.map(() => 'VERSION_NOT_FOUND'),
    )
  })
})
