import { expect, it } from 'vitest'
import { describeCallLog } from '../test/call-log-contract.ts'
import { makeCompletion, makeStart } from '../test/sample-calls.ts'
import { createMemoryCallLog } from './memory.ts'

describeCallLog({ name: 'memory', open: async (options) => createMemoryCallLog(options) })

it('keeps the newest calls, as many as it was told', async () => {
  const log = createMemoryCallLog({ maxCalls: 3 })
  const starts = [1, 2, 3, 4, 5, 6, 7].map((startedAt) => makeStart({ startedAt }))
  for (const start of starts) await log.logToolStart(start)
  expect((await log.query()).calls.map((call) => call.startedAt)).toEqual([7, 6, 5])
  await log.logToolComplete(makeCompletion(starts[0] as (typeof starts)[0]))
  expect((await log.query()).calls).toHaveLength(3)
})

it.each([0, 1.5, -1, Number.NaN])('refuses maxCalls %s', (maxCalls) => {
  expect(() => createMemoryCallLog({ maxCalls })).toThrow('maxCalls')
})
