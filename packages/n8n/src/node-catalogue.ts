import { nodeCatalogueText } from './node-catalogue-data.ts'
import type { NodeCatalogue, NodeFacts } from './workflow-check.ts'

/** Facts that differ from those of the newest release; null for those that it does not have. */
type FactsDifference = { readonly [Key in keyof NodeFacts]?: NodeFacts[Key] | null }

interface CatalogueData {
  /** The oldest first. */
  readonly releases: readonly string[]
  /** A list where releases differ: the facts of the newest one, and how each older one differs, the newest first. */
  readonly nodes: Readonly<
    Record<string, NodeFacts | readonly [NodeFacts | null, ...(FactsDifference | null)[]]>
  >
}

let data: CatalogueData | undefined
const catalogues = new Map<number, NodeCatalogue>()

/**
 * The node types of a release of n8n: of the 1.x line for `1.123.81` and other versions that start with `1.`, else of the
 * newest release that this package knows.
 */
export function nodeCatalogue(n8nVersion?: string): NodeCatalogue {
  data ??= JSON.parse(nodeCatalogueText) as CatalogueData
  const { releases, nodes } = data
  const major = n8nVersion?.split('.')[0]
  const found = releases.findLastIndex((release) => release.split('.')[0] === major)
  const index = found === -1 ? releases.length - 1 : found
  const known = catalogues.get(index)
  if (known) return known
  const age = releases.length - 1 - index
  const entries = Object.entries(nodes).flatMap(([type, facts]) => {
    const own = isList(facts) ? factsAt(facts, age) : facts
    return own ? [[type, own] as const] : []
  })
  const catalogue = { n8nVersion: releases[index] ?? '', nodes: Object.fromEntries(entries) }
  catalogues.set(index, catalogue)
  return catalogue
}

function isList(
  facts: CatalogueData['nodes'][string],
): facts is readonly [NodeFacts | null, ...(FactsDifference | null)[]] {
  return Array.isArray(facts)
}

function factsAt(
  [newest, ...older]: readonly [NodeFacts | null, ...(FactsDifference | null)[]],
  age: number,
): NodeFacts | null {
  if (age === 0) return newest
  const difference = older[age - 1]
  if (!difference) return null
  const entries = Object.entries({ ...newest, ...difference }).filter(([, fact]) => fact !== null)
  return Object.fromEntries(entries) as unknown as NodeFacts
}

/** The facts of a node type; also of the `Tool` form that n8n makes of nodes that agents may use. */
export function findNodeFacts(catalogue: NodeCatalogue, type: string): NodeFacts | undefined {
  if (Object.hasOwn(catalogue.nodes, type)) return catalogue.nodes[type]
  const base = /^(.+?)(?:Hitl)?Tool$/.exec(type)?.[1]
  if (base === undefined || !Object.hasOwn(catalogue.nodes, base)) return undefined
  const facts = catalogue.nodes[base]
  return facts?.isTool ? facts : undefined
}
