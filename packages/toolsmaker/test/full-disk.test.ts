import { join } from 'node:path'
import { type StoreFileSystem, openFileEventStore, realFileSystem } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { createAdderKind } from './adder-kind.ts'
import { adderIntent, agent, callTool, codeOf, makeFolder, openWorkshop } from './bench-of-tests.ts'

/** A file system whose log takes no more bytes while `disk.full` is set. */
function filling(disk: { full: boolean }): StoreFileSystem {
  return {
    ...realFileSystem,
    openFile: async (path) => {
      const file = await realFileSystem.openFile(path)
      return {
        read: (...parts) => file.read(...parts),
        truncate: (length) => file.truncate(length),
        sync: () => file.sync(),
        stat: () => file.stat(),
        close: () => file.close(),
        write: (...parts) =>
          disk.full
            ? Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
            : file.write(...parts),
      }
    },
  }
}

test('on a full disk each command fails as a whole, what takes power away works at once all the same', async () => {
  const folder = await makeFolder()
  const disk = { full: false }
  let retired = 0
  const kind = createAdderKind({
    deploy: () => Promise.resolve(),
    retire: async () => {
      retired += 1
    },
  })
  try {
    const store = await openFileEventStore({
      directory: join(folder.path, 'store'),
      fileSystem: filling(disk),
    })
    const workshop = await openWorkshop({ store, kinds: [kind] })
    const { maker, grace, registry } = workshop
    const ada = maker.forAgent(agent)
    await ada.buildToolFromIntent(adderIntent())
    await ada.buildToolFromIntent(adderIntent({ definition: { add: 2 } }))
    await maker.approveTool('plus_some', 2, { signer: grace })
    const before = maker.listVersions()
    disk.full = true
    const attempts = [
      ada.buildToolFromIntent(adderIntent({ name: 'other_sum' })),
      maker.activateToolVersion('plus_some', 2, { signer: grace }),
      maker.shareTool('plus_some', 1, { signer: grace }),
    ]
    const codes = await Promise.all(attempts.map(codeOf))
    expect(codes).toEqual(['STORE_FULL', 'STORE_FULL', 'STORE_FULL'])
    expect(maker.listVersions()).toEqual(before)
    expect(registry.list().map(({ name }) => name)).toEqual(['plus_some'])
    expect(retired).toBe(2)
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(2)

    const deactivation = maker.deactivateTool('plus_some', { reason: 'x' })
    await expect(deactivation).rejects.toMatchObject({
      code: 'STORE_FULL',
      message: expect.stringContaining(
        'It is stopped, also after a restart, but not on record',
      ) as string,
    })
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe('not registered')
    expect(maker.listVersions('plus_some')[0]).toMatchObject({
      status: 'activated',
      callable: false,
    })
    expect((await maker.loadActiveTools()).refused).toMatchObject([{ name: 'plus_some' }])

    expect(await codeOf(maker.pauseTools({ reason: 'stop' }))).toBe('STORE_FULL')
    expect(maker.paused?.reason).toBe('stop')
    disk.full = false
    await maker.pauseTools({ reason: 'stop' })
    await maker.resumeTools({ signer: grace })
    await maker.activateToolVersion('plus_some', 2, { signer: grace })
    expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(3)
    expect(await maker.verifyAudit()).toMatchObject({ ok: true })
    await maker.close()
  } finally {
    await folder.remove()
  }
})

test('revocation and pause do not wait for a kind that hangs', async () => {
  const kind = createAdderKind({ deploy: () => new Promise(() => undefined) })
  const workshop = await openWorkshop({
    kinds: [createAdderKind({ kind: 'steady' }), kind],
    kindTimeoutMs: 200,
  })
  const { maker, grace, registry } = workshop
  const ada = maker.forAgent(agent)
  await ada.buildToolFromIntent(adderIntent({ name: 'steady_sum', kind: 'steady' }))
  await maker.approveTool('steady_sum', 1, { signer: grace })
  await maker.activateToolVersion('steady_sum', 1, { signer: grace })
  const hanging = ada.buildToolFromIntent(adderIntent())
  await new Promise((resolve) => setImmediate(resolve))
  const revoking = maker.revokeTool('steady_sum', 1, { reason: 'it lies' })
  const tool = registry.get('steady_sum')
  expect(tool && maker.checkCallable(tool, agent)?.code).toBe('TOOL_REVOKED')
  await Promise.all([revoking, hanging])
  expect(registry.count()).toBe(0)
})

test('where the log takes no more rows, what is stopped is taken down outside, and a revocation says that it holds', async () => {
  const folder = await makeFolder()
  const disk = { full: false }
  const retired: string[] = []
  const kind = createAdderKind({
    deploy: async () => undefined,
    retire: async ({ name }) => void retired.push(name),
  })
  const store = await openFileEventStore({
    directory: join(folder.path, 'store'),
    fileSystem: filling(disk),
  })
  const { grace, maker } = await openWorkshop({ store, kinds: [kind] })
  for (const name of ['plus_some', 'other_sum']) {
    // oxlint-disable no-await-in-loop -- one after the other
    await maker.forAgent(agent).buildToolFromIntent(adderIntent({ name, risk: 'high' }))
    await maker.approveTool(name, 1, { signer: grace })
    await maker.activateToolVersion(name, 1, { signer: grace })
    // oxlint-enable no-await-in-loop
  }
  disk.full = true
  await expect(maker.deactivateTool('plus_some', { reason: 'x' })).rejects.toThrow(
    /It is stopped, also after a restart/,
  )
  await expect(maker.revokeTool('other_sum', 1, { reason: 'x' })).rejects.toThrow(
    /It is revoked for ever, but not on record/,
  )
  expect(retired).toEqual(['plus_some', 'other_sum'])
  disk.full = false
  await maker.close()
  await folder.remove()
})

test('a version whose checkpoint cannot be written is in use as the log says, and whoever asked is told', async () => {
  const live = new Set<number>()
  const kind = createAdderKind({
    deploy: async ({ version }) => void live.add(version),
    retire: async ({ version }) => void live.delete(version),
  })
  const workshop = await openWorkshop({ kinds: [kind] })
  const { grace, maker, trust } = workshop
  for (const [version, add] of [1, 2].entries()) {
    // oxlint-disable no-await-in-loop -- one after the other
    const intent = adderIntent({ definition: { add }, risk: 'high' })
    await maker.forAgent(agent).buildToolFromIntent(intent)
    await maker.approveTool('plus_some', version + 1, { signer: grace })
    // oxlint-enable no-await-in-loop
  }
  await maker.activateToolVersion('plus_some', 1, { signer: grace })
  const save = trust.saveCheckpoint.bind(trust)
  trust.saveCheckpoint = () =>
    Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
  const activation = maker.activateToolVersion('plus_some', 2, { signer: grace })
  await expect(activation).rejects.toThrow(/It is done and on record/)
  trust.saveCheckpoint = save
  expect(maker.activeVersions()).toEqual({ plus_some: 2 })
  expect([...live]).toEqual([2])
  expect(await callTool(workshop, 'plus_some', { value: 1 })).toBe(3)
  await maker.close()
})
