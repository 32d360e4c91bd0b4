import { escapeText } from './quote-text.ts'

const longestCompared = 64
const mostCompared = 1_000

function editDistance(first: string, second: string): number {
  let previous = Array.from({ length: second.length + 1 }, (_, index) => index)
  for (let row = 1; row <= first.length; row++) {
    const current = [row]
    for (let column = 1; column <= second.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (first[row - 1] === second[column - 1] ? 0 : 1)
      const shifted = Math.min(previous[column] ?? 0, current[column - 1] ?? 0) + 1
      current.push(Math.min(replaced, shifted))
    }
    previous = current
  }
  return previous[second.length] ?? 0
}

/** The candidate that was probably meant, if one is close enough. Looks at the first 1,000 only. */
function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > longestCompared) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  let compared = 0
  for (const candidate of candidates) {
    if (++compared > mostCompared) break
    if (candidate.length > longestCompared) continue
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(name, candidate)
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
