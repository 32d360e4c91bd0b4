import type { SourceProblem } from './source/source-problem.ts'

/** A source with more problems than this is told of the first ones only. */
const maxProblems = 50

/** Sorted by place, at most 50; errors go before warnings only where not all of them fit. */
export function firstProblems(problems: readonly SourceProblem[]): readonly SourceProblem[] {
  const byPlace = problems.toSorted(
    (left, right) => left.line - right.line || left.column - right.column,
  )
  if (byPlace.length <= maxProblems) return byPlace
  const errors = byPlace.filter(({ severity }) => severity === 'error').slice(0, maxProblems)
  const kept = new Set([
    ...errors,
    ...byPlace
      .filter(({ severity }) => severity === 'warning')
      .slice(0, maxProblems - errors.length),
  ])
  return byPlace.filter((problem) => kept.has(problem))
}
