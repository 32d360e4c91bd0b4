import { expect, test } from 'vitest'
import { HostCalls } from '../host/host-calls.ts'
import { isTurnSpent, spendTurn, waitForTurn } from './turn-budget.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('those who wait for time get a turn each, in their order', async () => {
  spendTurn(performance.now() - 1000)
  expect(isTurnSpent()).toBe(true)
  const served: string[] = []
  let turn = 0
  const count = (): void => {
    turn += 1
    if (turn < 50) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await waitForTurn()
      served.push(`${name}${turn}`)
      spendTurn(performance.now() - 1000)
    }),
  )
  expect(served.map((one) => one[0])).toEqual(['a', 'b', 'c'])
  expect(new Set(served.map((one) => one.slice(1))).size).toBe(3)
  await nextTurn()
  expect(isTurnSpent()).toBe(false)
})

test('large results that come in one moment are written in several turns', async () => {
  const text = 'x'.repeat(4 * 2 ** 20)
  const answered = Promise.withResolvers<void>()
  const calls: HostCalls = new HostCalls(
    {
      operations: { ask: () => text },
      maxHostCalls: 16,
      maxArgumentBytes: 100,
      maxResultBytes: 8 * 2 ** 20,
    },
    () => {
      turnsOfAnswers.push(turn)
      if (turnsOfAnswers.length === 16) answered.resolve()
      else calls.run([])
    },
  )
  const turnsOfAnswers: number[] = []
  let turn = 0
  const count = (): void => {
    turn += 1
    if (turnsOfAnswers.length < 16) setImmediate(count)
  }
  count()
  calls.run(Array.from({ length: 16 }, (_, id) => ({ id, operation: 'ask', argument: '{}' })))
  await answered.promise
  expect(new Set(turnsOfAnswers).size).toBeGreaterThan(1)
})
