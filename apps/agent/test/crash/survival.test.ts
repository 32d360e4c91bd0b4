import { expect, test } from 'vitest'
import { killHosts } from './kill-series.ts'
import { possibleStates } from './possible-states.ts'

const isLong = process.env['TOOLCRIB_LONG_TESTS'] !== undefined

test('hosts killed at random moments, while many clients use them, lose nothing that they told anybody', async () => {
  // Of the two forms the short one is the same each time; `pnpm test:crash 200` is the longest.
  const seed = isLong ? Date.now() % 2 ** 31 : 2
  const report = await killHosts(
    isLong ? { kills: 20, seed } : { kills: 3, seed, upTo: { answers: 80, proposals: 4 } },
  )
  expect([...report.broken], `seed ${seed}`).toEqual([])
  expect(Math.max(...report.answers)).toBeGreaterThan(20)
  expect(Math.max(...report.proposals)).toBeGreaterThan(0)
})

test('whatever overlapped may have come last, and nothing that was over before something else began', () => {
  const step = { isCertain: true, begunAt: 1, endedAt: 2, leadsTo: 'first' }
  const second = { ...step, begunAt: 3, endedAt: 6, leadsTo: 'second' }
  const third = { ...step, begunAt: 4, endedAt: 5, leadsTo: 'third' }
  const lost = { isCertain: false, begunAt: 7, endedAt: 8, leadsTo: 'lost' }
  expect([...possibleStates([], 'nothing')]).toEqual(['nothing'])
  expect([...possibleStates([step], 'nothing')]).toEqual(['first'])
  expect([...possibleStates([step, second, third], 'nothing')]).toEqual(['second', 'third'])
  expect([...possibleStates([third, lost], 'nothing')]).toEqual(['third', 'lost'])
  expect([...possibleStates([lost], 'nothing')]).toEqual(['nothing', 'lost'])
})
