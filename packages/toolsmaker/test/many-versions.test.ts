import type { EventStore } from '@toolcrib/toolsmaker'
import { expect, test } from 'vitest'
import { adderIntent, makeFolder, openFolder, openWorkshop } from './bench-of-tests.ts'

const principal = { kind: 'person', id: 'olu' } as const

test('a proposal reads no more of the log when its name has had many versions', async () => {
  const folder = await makeFolder()
  const store = await openFolder(folder.path)
  let rows = 0
  const counting: EventStore = Object.create(store, {
    sequence: { get: () => store.sequence },
    read: {
      value: async (...parameters: Parameters<EventStore['read']>) => {
        const read = await store.read(...parameters)
        rows += read.length
        return read
      },
    },
    append: { value: store.append.bind(store) },
    close: { value: store.close.bind(store) },
    hashAt: { value: store.hashAt.bind(store) },
    verify: { value: store.verify.bind(store) },
  }) as EventStore
  const { maker } = await openWorkshop({ store: counting })
  await maker.checkProjections()
  const propose = async (add: number): Promise<number> => {
    rows = 0
    await maker.buildToolFromIntent(adderIntent({ definition: { add } }), { principal })
    return rows
  }
  await propose(1)
  const early = await propose(2)
  for (let add = 3; add <= 60; add += 1)
    // oxlint-disable-next-line no-await-in-loop -- versions follow one another
    await propose(add)
  expect(early).toBeGreaterThan(0)
  expect(await propose(61)).toBeLessThanOrEqual(early)
  await maker.close()
  await folder.remove()
})
