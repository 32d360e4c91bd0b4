import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareEngine, compareInTurns, type Outcome } from './compare-engine.ts'
import { howOften } from './how-often.ts'

test('the engine gives what the walker gives, and nothing where the walker has an error', () => {
  const seen = new Set<Outcome>()
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      seen.add(compareEngine(seed))
    }),
    { numRuns: howOften(1_500) },
  )
  expect(seen).toEqual(new Set(['refused', 'value', 'error']))
})

test('programs that take turns, with the arguments of each other, leave nothing to each other', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect(() => {
        compareInTurns(seed)
      }).not.toThrow()
    }),
    { numRuns: howOften(60) },
  )
})
