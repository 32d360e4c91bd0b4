import { checkAddresses } from './check-source-addresses.ts'
import { firstProblems } from '../first-problems.ts'
import { type ReadSourceOptions, readSource } from '../source/read-source.ts'
import type { SourcePowers, SourceProblem } from '../source/source-problem.ts'
import { SourceSyntaxError } from '../source/source-syntax-error.ts'

/** What is checked. */
export interface CheckSourceOptions extends ReadSourceOptions {
  /** The specifier of an imported module, which need not export a function; every problem names it. @default the tool itself */
  readonly module?: string
}

/**
 * Checks the source of a tool before anything of it runs, for kind and early errors: it finds what is written plainly, and
 * what a determined author hides is left to the sandbox. Sorted by place, at most 50; errors go before warnings only where
 * not all of them fit. The source is read in a thread.
 *
 * @throws {ToolError} KIND_FAILED when too many sources wait to be read
 * @throws the reason of the signal
 */
export async function checkSource(
  source: string,
  powers: SourcePowers,
  { module, ...options }: CheckSourceOptions = {},
): Promise<readonly SourceProblem[]> {
  const problems = await findProblems(source, powers, {
    ...options,
    isModule: module !== undefined,
  })
  return module === undefined ? problems : problems.map((problem) => ({ ...problem, module }))
}

async function findProblems(
  source: string,
  powers: SourcePowers,
  { isModule, ...options }: ReadSourceOptions & { readonly isModule: boolean },
): Promise<readonly SourceProblem[]> {
  try {
    const request = { name: 'inspect', source, powers, isModule } as const
    const { addresses, problems } = await readSource<'inspect'>(request, options)
    return firstProblems([...problems, ...checkAddresses(addresses, powers)])
  } catch (error) {
    if (!(error instanceof SourceSyntaxError)) throw error
    const { column, line, message, rule } = error
    return [{ rule, severity: 'error', message, line, column }]
  }
}
