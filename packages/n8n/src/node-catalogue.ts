import { nodeCatalogueText } from './node-catalogue-data.ts'
import { joinFacts } from './join-facts.ts'
import { nodeParameters } from './parameters/node-parameters.ts'
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
  const { releases, nodes } = readData()
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
  const release = releases[index] ?? ''
  const catalogue: NodeCatalogue = {
    n8nVersion: release,
    nodes: Object.fromEntries(entries),
    parameters: (type, version) => {
      const list = nodeParameters(release, type, version)
      return list === undefined ? [] : [list]
    },
  }
  catalogues.set(index, catalogue)
  return catalogue
}

let common: NodeCatalogue | undefined

/**
 * What all releases that this package knows have in common, for a server whose release is not known: what passes under it passes
 * on each line of n8n. Its `n8nVersion` names them all, the oldest first.
 */
export function commonNodeCatalogue(): NodeCatalogue {
  if (common !== undefined) return common
  const { releases } = readData()
  const all = releases.map((release) => nodeCatalogue(release))
  const types = Object.keys(all[0]?.nodes ?? {}).flatMap((type) => {
    const facts = all.map(({ nodes }) => (Object.hasOwn(nodes, type) ? nodes[type] : undefined))
    const known = facts.filter((each) => each !== undefined)
    const joined = known.length < all.length ? undefined : joinFacts(known)
    return joined === undefined ? [] : [[type, joined] as const]
  })
  common = {
    n8nVersion: releases.join(' and '),
    nodes: Object.fromEntries(types),
    parameters: (type, version) => [
      ...new Set(all.flatMap(({ parameters }) => parameters?.(type, version) ?? [])),
    ],
  }
  return common
}

function readData(): CatalogueData {
  data ??= JSON.parse(nodeCatalogueText) as CatalogueData
  return data
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
  if (!facts?.isTool) return undefined
  return facts.toolVersions === undefined ? facts : { ...facts, versions: facts.toolVersions }
}
