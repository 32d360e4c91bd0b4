import { checkGlobals } from './check-source-globals.ts'
import { checkImports } from './check-source-imports.ts'
import { checkPowers } from './check-source-powers.ts'
import { checkPrototypes } from './check-source-prototypes.ts'
import { checkShape } from './check-source-shape.ts'
import { checkSourceText } from './check-source-text.ts'
import { analyseSource } from './source-analysis.ts'
import type { SourcePowers, SourceProblem } from './source-problem.ts'
import { parseSource } from './source-tree.ts'
import { SourceSyntaxError, stripTypes } from './strip-types.ts'

/** A source with more problems than this is told of the first ones only. */
const maxProblems = 50

/** What is checked. */
export interface CheckSourceOptions {
  /** The specifier of an imported module, which need not export a function; every problem names it. @default the tool itself */
  readonly module?: string
}

/**
 * Checks the source of a tool before anything of it runs, for kind and early errors: it finds what is written plainly, and
 * what a determined author hides is left to the sandbox. Sorted by place, at most 50; errors go before warnings only where
 * not all of them fit.
 *
 * Answers at once. A source that was made to be slow may take a second.
 */
export function checkSource(
  source: string,
  powers: SourcePowers,
  { module }: CheckSourceOptions = {},
): readonly SourceProblem[] {
  const textProblems = checkSourceText(source)
  // Nothing reads a source whose very text is refused.
  const problems = textProblems.some(({ severity }) => severity === 'error')
    ? textProblems
    : [...textProblems, ...checkSyntax(source, powers, module !== undefined)]
  const first = firstProblems(problems)
  return module === undefined ? first : first.map((problem) => ({ ...problem, module }))
}

function checkSyntax(
  source: string,
  powers: SourcePowers,
  isModule: boolean,
): readonly SourceProblem[] {
  try {
    const analysis = analyseSource(parseSource(stripTypes(source)), powers)
    checkImports(analysis)
    checkGlobals(analysis)
    checkPrototypes(analysis)
    // What a module uses is a matter of the tool that calls it.
    const exported = isModule ? undefined : checkShape(analysis)
    if (exported !== undefined) checkPowers(analysis, exported)
    return analysis.problems
  } catch (error) {
    // The parser is bounded, and so is what it gives; should something overflow all the same, it is no reason to fail.
    if (error instanceof RangeError)
      return [
        {
          rule: 'size',
          severity: 'error',
          message: 'The source nests too deep.',
          line: 1,
          column: 1,
        },
      ]
    if (!(error instanceof SourceSyntaxError)) throw error
    const { column, line, message, rule } = error
    return [{ rule, severity: 'error', message, line, column }]
  }
}

function firstProblems(problems: readonly SourceProblem[]): readonly SourceProblem[] {
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
