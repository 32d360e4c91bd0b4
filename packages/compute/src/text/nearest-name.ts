import { escapeText } from './quote-text.ts'

const longestCompared = 64
const mostCompared = 1_000
/** Pairs of characters that one search looks at: some thousand short names, dozens of the longest. */
const mostWork = 50_000

/** How much of `mostWork` a candidate took, and how far it is from the name; `bound` where it is as far or farther. */
interface Comparison {
  readonly distance: number
  readonly work: number
}

/** The edit distance of two names. Looks only where it may come out below a bound. */
function compareNames(first: string, second: string, bound: number): Comparison {
  let previous = Uint8Array.from({ length: second.length + 1 }, (_, column) => column)
  let current = previous.slice()
  let work = 0
  for (let row = 1; row <= first.length; row++) {
    const from = Math.max(1, row - bound)
    const to = Math.min(second.length, row + bound)
    const letter = first.charCodeAt(row - 1)
    let least = (current[from - 1] = from === 1 ? row : bound)
    for (let column = from; column <= to; column++) {
      const replaced = at(previous, column - 1) + Number(letter !== second.charCodeAt(column - 1))
      const shifted = Math.min(at(previous, column), at(current, column - 1)) + 1
      least = Math.min(least, (current[column] = Math.min(replaced, shifted)))
    }
    if (to < second.length) current[to + 1] = bound
    work += to - from + 2
    if (least >= bound) return { distance: bound, work }
    ;[previous, current] = [current, previous]
  }
  return { distance: at(previous, second.length), work }
}

const at = (row: Uint8Array, column: number): number => row[column] as number

/** The candidate that was probably meant, if one is close enough. Stops after a fixed amount of work. */
function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestCompared) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  let compared = 0
  let left = mostWork
  for (const candidate of candidates) {
    if (++compared > mostCompared || left <= 0) break
    if (candidate.length > longestCompared) continue
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const { distance, work } = compareNames(name, candidate, bestDistance)
    left -= work
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Names out of untrusted data as candidates. Those that are too long to be compared are not even escaped. */
export function escapedCandidates(names: readonly string[]): string[] {
  return names
    .slice(0, mostCompared)
    .filter(({ length }) => length <= longestCompared)
    .map(escapeText)
}

/** `Did you mean "x"?` when something is close, otherwise the fallback. */
export function suggestName(name: string, candidates: Iterable<string>, otherwise: string): string {
  const nearest = nearestName(name, candidates)
  return nearest === undefined ? otherwise : `Did you mean "${nearest}"?`
}
