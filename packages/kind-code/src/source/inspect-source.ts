import { checkGlobals } from '../checks/check-source-globals.ts'
import { checkImports } from '../checks/check-source-imports.ts'
import { checkPowers } from '../checks/check-source-powers.ts'
import { checkPrototypes } from '../checks/check-source-prototypes.ts'
import { checkShape } from '../checks/check-source-shape.ts'
import { checkSourceText } from '../checks/check-source-text.ts'
import { eraseTypes } from './erase-types.ts'
import { firstProblems } from '../first-problems.ts'
import { type SourceAddress, analyseSource } from './source-analysis.ts'
import type { SourcePowers, SourceProblem } from './source-problem.ts'
import { SourceSyntaxError } from './source-syntax-error.ts'
import { parseSource } from './source-tree.ts'

/** What the thread finds in a source. */
export interface InspectedSource {
  readonly problems: readonly SourceProblem[]
  /** Addresses that it asks; what may be asked is decided by the policy of the host. */
  readonly addresses: readonly SourceAddress[]
}

/** The static check, as far as it needs nothing but the source; in the thread. */
export function inspectSource(
  source: string,
  powers: SourcePowers,
  isModule: boolean,
): InspectedSource {
  const textProblems = checkSourceText(source)
  // Nothing reads a source whose very text is refused.
  if (textProblems.some(({ severity }) => severity === 'error'))
    return { problems: firstProblems(textProblems), addresses: [] }
  const { addresses, problems } = inspectSyntax(source, powers, isModule)
  return { problems: firstProblems([...textProblems, ...problems]), addresses }
}

function inspectSyntax(source: string, powers: SourcePowers, isModule: boolean): InspectedSource {
  try {
    const analysis = analyseSource(parseSource(eraseTypes(source)), powers)
    checkImports(analysis)
    checkGlobals(analysis)
    checkPrototypes(analysis)
    // What a module uses is a matter of the tool that calls it.
    const exported = isModule ? undefined : checkShape(analysis)
    if (exported !== undefined) checkPowers(analysis, exported)
    return analysis
  } catch (error) {
    if (!(error instanceof SourceSyntaxError)) throw error
    const { column, line, message, rule } = error
    return { problems: [{ rule, severity: 'error', message, line, column }], addresses: [] }
  }
}
