import fc from 'fast-check'
import { expect, it } from 'vitest'
import { suggestName } from './nearest-name.ts'

/** The plain edit distance, by its definition. */
function distanceOf(first: string, second: string): number {
  if (first === '' || second === '') return first.length + second.length
  const [one, other] = [first.slice(1), second.slice(1)]
  if (first[0] === second[0]) return distanceOf(one, other)
  return 1 + Math.min(distanceOf(one, other), distanceOf(first, other), distanceOf(one, second))
}

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 7 })

it('gives the first of those that are nearest, if a third of the letters at most differ', () => {
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 6 }), (wanted, candidates) => {
      const bound = Math.max(1, Math.floor(wanted.length / 3))
      const distances = candidates.map((candidate) => distanceOf(wanted, candidate))
      const least = Math.min(bound, ...distances)
      const nearest = candidates[distances.indexOf(least)]
      const expected = nearest === undefined ? 'none' : `Did you mean "${nearest}"?`
      expect(suggestName(wanted, candidates, 'none')).toBe(expected)
    }),
    { numRuns: 2_000 },
  )
})

it.each([
  ['weigth', 'weight'],
  ['x'.repeat(64), `${'x'.repeat(43)}${'y'.repeat(21)}`],
  ['abcdefghi', 'defghi'],
  ['abcdef', 'xabcdefx'],
])('finds %s in %s', (wanted, candidate) => {
  expect(suggestName(wanted, ['z', candidate, 'zz'], '')).toBe(`Did you mean "${candidate}"?`)
})

it.each([
  ['x'.repeat(64), `${'x'.repeat(42)}${'y'.repeat(22)}`],
  ['ab', 'cd'],
  ['x'.repeat(65), 'x'.repeat(65)],
])('finds %s not in %s', (wanted, candidate) => {
  expect(suggestName(wanted, [candidate], 'none')).toBe('none')
})

function* endless(same: string, seen: { count: number }): Generator<string> {
  for (;;) {
    seen.count++
    yield same
  }
}

it('stops after so much work: long names are compared with fewer', () => {
  const short = { count: 0 }
  suggestName('abc', endless('xyz', short), '')
  expect(short.count).toBe(1_001)
  const long = { count: 0 }
  const [wanted, candidate] = ['z', 'y'].map((letter) => 'x'.repeat(42) + letter.repeat(22))
  suggestName(wanted ?? '', endless(candidate ?? '', long), '')
  expect(long.count).toBeLessThan(100)
})
