import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGroupWriter } from './group-writer.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const sizeOf = (row: number): number => row

it('sends the rows of one turn of the event loop together, the first without waiting for a timer', async () => {
  const groups: (readonly number[])[] = []
  const writer = createGroupWriter<number>({
    flush: async (rows) => void groups.push(rows),
    maxBatch: 10,
    maxBatchBytes: 1000,
    inflight: 2,
    sizeOf,
  })
  for (const row of [1, 2, 3]) writer.add(row)
  expect(groups).toEqual([])
  await turn()
  expect(groups).toEqual([[1, 2, 3]])
})

it('wakes up for rows that came while all groups were on their way', async () => {
  const groups: (readonly number[])[] = []
  const landed: (() => void)[] = []
  const writer = createGroupWriter<number>({
    flush: (rows) => {
      groups.push(rows)
      return new Promise((resolve) => landed.push(resolve))
    },
    maxBatch: 2,
    maxBatchBytes: 1000,
    inflight: 2,
    sizeOf,
  })
  for (const row of [1, 2, 3, 4, 5]) writer.add(row)
  await turn()
  expect(groups).toEqual([
    [1, 2],
    [3, 4],
  ])
  writer.add(6)
  await turn()
  expect(groups).toHaveLength(2)
  // Nobody adds another row: the landing alone has to send the rest.
  landed.shift()?.()
  await turn()
  await turn()
  expect(groups).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ])
})

it('keeps groups under the limit of bytes, but sends a row that is larger alone', async () => {
  const groups: (readonly number[])[] = []
  const writer = createGroupWriter<number>({
    flush: async (rows) => void groups.push(rows),
    maxBatch: 10,
    maxBatchBytes: 10,
    inflight: 9,
    sizeOf,
  })
  for (const row of [4, 6, 1, 99, 3]) writer.add(row)
  await writer.drained()
  expect(groups).toEqual([[4, 6], [1], [99], [3]])
})

it('sends every row once, in order, whatever the timing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ rows: fc.integer({ min: 0, max: 9 }), turns: fc.integer({ min: 0, max: 3 }) }),
        { maxLength: 20 },
      ),
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 1, max: 3 }),
      async (bursts, delays, inflight) => {
        const sent: number[] = []
        let added = 0
        let most = 0
        let running = 0
        let flushes = 0
        const writer = createGroupWriter<number>({
          flush: async (rows) => {
            sent.push(...rows)
            running += 1
            most = Math.max(most, running)
            flushes += 1
            for (let left = delays[flushes % delays.length] ?? 0; left > 0; left -= 1) await turn()
            running -= 1
          },
          maxBatch: 4,
          maxBatchBytes: Infinity,
          inflight,
          sizeOf,
        })
        for (const { rows, turns } of bursts) {
          for (let row = 0; row < rows; row += 1) writer.add(added++)
          for (let left = turns; left > 0; left -= 1) await turn()
        }
        await writer.drained()
        expect(sent).toEqual(Array.from({ length: added }, (_, index) => index))
        expect(most).toBeLessThanOrEqual(inflight)
      },
    ),
    { numRuns: 100 },
  )
})
