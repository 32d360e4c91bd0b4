import type { AnyNode } from 'acorn'
import { type SourceConstants, foldConstants } from './source-constants.ts'
import type { SourcePowers, SourceProblem, SourceRule } from './source-problem.ts'
import { type SourceScopes, analyseScopes } from './source-scopes.ts'
import type { SourceTree } from './source-tree.ts'

/** A parsed source, and where findings about it are kept. */
export interface SourceAnalysis {
  readonly tree: SourceTree
  readonly scopes: SourceScopes
  readonly constants: SourceConstants
  readonly powers: SourcePowers
  readonly problems: SourceProblem[]
  /** Notes an error, once for each place and rule. */
  refuse(rule: SourceRule, node: AnyNode, message: string): void
  /** The same as a warning. */
  warn(rule: SourceRule, node: AnyNode, message: string): void
}

/** A source that was made to have thousands of problems is told of a few. */
const maxProblemsOfRule = 500

/** Prepares a parsed source for the rules. */
export function analyseSource(tree: SourceTree, powers: SourcePowers): SourceAnalysis {
  const scopes = analyseScopes(tree)
  const problems: SourceProblem[] = []
  const known = new Set<string>()
  const counts = new Map<SourceRule, number>()
  const note = (severity: SourceProblem['severity']) => {
    return (rule: SourceRule, node: AnyNode, message: string): void => {
      const key = `${rule} ${node.start}`
      const count = counts.get(rule) ?? 0
      if (count >= maxProblemsOfRule || known.has(key)) return
      known.add(key)
      counts.set(rule, count + 1)
      problems.push({ rule, severity, message, ...tree.placeOf(node) })
    }
  }
  return {
    tree,
    scopes,
    constants: foldConstants(scopes),
    powers,
    problems,
    refuse: note('error'),
    warn: note('warning'),
  }
}

/** A text of the author for a message: quoted, on one line, cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
