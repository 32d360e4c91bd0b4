import { distance } from 'fastest-levenshtein'
import { quote } from './quote.ts'

/** Longer names are no slips of the pen, and comparing them takes long. */
const maxComparedLength = 200
const maxSuggestions = 3

/** The names that are most like a wrong one, as a sentence. */
export function nearestTo(name: string, known: Iterable<string>): string | undefined {
  if (name.length > maxComparedLength) return undefined
  const wanted = simple(name)
  const near = [...known]
    .filter((candidate) => candidate.length <= maxComparedLength)
    .map((candidate) => ({ candidate, far: farness(wanted, simple(candidate)) }))
    .filter(({ far }) => far <= Math.max(2, wanted.length / 3))
    .toSorted((left, right) => left.far - right.far || (left.candidate < right.candidate ? -1 : 1))
    .slice(0, maxSuggestions)
    .map(({ candidate }) => quote(candidate))
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`
}

/** Packages and case are what is forgotten most. */
function simple(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}

function farness(wanted: string, candidate: string): number {
  return distance(wanted, candidate)
}
