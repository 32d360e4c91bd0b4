import type { AnyNode } from 'acorn'
import { type KnownText, type SourceConstants, foldConstants } from './source-constants.ts'
import type { SourcePlace, SourcePowers, SourceProblem, SourceRule } from './source-problem.ts'
import { type SourceScopes, analyseScopes } from './source-scopes.ts'
import type { SourceTree } from './source-tree.ts'

/** An address that a source asks, as far as it is known before it runs. */
export interface SourceAddress extends SourcePlace, KnownText {}

/** A parsed source, and where findings about it are kept. */
export interface SourceAnalysis {
  readonly tree: SourceTree
  readonly scopes: SourceScopes
  readonly constants: SourceConstants
  readonly powers: SourcePowers
  readonly problems: readonly SourceProblem[]
  readonly addresses: readonly SourceAddress[]
  /** Notes an error, once for each place and rule. */
  refuse(rule: SourceRule, node: AnyNode, message: string): void
  /** The same as a warning. */
  warn(rule: SourceRule, node: AnyNode, message: string): void
  /** Keeps an address for the policy of the host. */
  noteAddress(node: AnyNode, known: KnownText): void
}

/** A source that was made to have thousands of problems is told of a few. */
const maxProblemsOfRule = 500
const maxAddresses = 500
/** A longer one is decided by how it begins. */
const maxAddressLength = 1_000

/** Prepares a parsed source for the rules. */
export function analyseSource(tree: SourceTree, powers: SourcePowers): SourceAnalysis {
  const scopes = analyseScopes(tree)
  const problems: SourceProblem[] = []
  const addresses = new Map<number, SourceAddress>()
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
    get addresses() {
      return [...addresses.values()]
    },
    refuse: note('error'),
    warn: note('warning'),
    noteAddress(node, { isWhole, text }) {
      if (addresses.size >= maxAddresses || addresses.has(node.start)) return
      const isShort = text.length <= maxAddressLength
      addresses.set(node.start, {
        text: text.slice(0, maxAddressLength),
        isWhole: isWhole && isShort,
        ...tree.placeOf(node),
      })
    },
  }
}

/** A text of the author for a message: quoted, on one line, cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
