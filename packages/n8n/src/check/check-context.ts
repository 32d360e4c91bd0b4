import { findNodeFacts } from '../node-catalogue.ts'
import type { N8nNode, N8nWorkflow } from '../n8n-workflow.ts'
import type { NodeCatalogue, NodeFacts, NodePolicy } from '../workflow-check.ts'
import type { ProblemList } from './problem-list.ts'

/** A node with what is known of it. */
export interface CheckedNode {
  readonly node: N8nNode
  /** Such as `nodes[2]`. */
  readonly place: string
  /** Undefined for an unknown type. */
  readonly facts: NodeFacts | undefined
}

/** What every check gets. */
export interface CheckContext {
  readonly workflow: N8nWorkflow
  readonly nodes: readonly CheckedNode[]
  readonly byName: ReadonlyMap<string, CheckedNode>
  readonly catalogue: NodeCatalogue
  readonly policy: NodePolicy
  readonly problems: ProblemList
}

export function createCheckContext(
  { workflow, places }: { workflow: N8nWorkflow; places: ReadonlyMap<string, string> },
  rest: Pick<CheckContext, 'catalogue' | 'policy' | 'problems'>,
): CheckContext {
  const nodes = workflow.nodes.map((node) => ({
    node,
    place: places.get(node.name) ?? 'nodes',
    facts: findNodeFacts(rest.catalogue, node.type),
  }))
  return { workflow, nodes, byName: new Map(nodes.map((each) => [each.node.name, each])), ...rest }
}

/** The type without its package, for nodes of n8n's own base package. */
export function baseType({ type }: Pick<N8nNode, 'type'>): string | undefined {
  return type.startsWith('n8n-nodes-base.') ? type.slice('n8n-nodes-base.'.length) : undefined
}
