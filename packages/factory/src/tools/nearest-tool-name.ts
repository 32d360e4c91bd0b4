import { distance } from 'fastest-levenshtein'

/** With more names than this nothing is looked for: a wrong name must not cost the program its time. */
const mostNames = 2_000

/** The name that is most like a wrong one, if any is close enough to be meant. */
export function nearestToolName(wrong: string, names: readonly string[]): string | undefined {
  if (wrong.length > 64 || names.length > mostNames) return undefined
  const wanted = wrong.toLowerCase()
  const near = names
    .map((name) => ({ name, steps: distance(wanted, name.toLowerCase()) }))
    .filter(({ steps }) => steps <= Math.max(2, Math.floor(wanted.length / 3)))
  const [best] = near.toSorted((left, right) => left.steps - right.steps)
  return best?.name
}
