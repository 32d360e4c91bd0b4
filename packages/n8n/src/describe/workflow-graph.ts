import type { N8nNode, N8nWorkflow } from '../n8n-workflow.ts'
import { isTrigger } from './node-families.ts'

/** One connection between two nodes. */
export interface Edge {
  readonly from: string
  readonly to: string
  /** `main`, or how a part belongs to the node that uses it, such as `ai_tool`. */
  readonly type: string
  /** What it is taken for at `to`; the same, in honest workflows. */
  readonly targetType: string
  /** Which output of `from`, from 0. */
  readonly output: number
  /** Which input of `to`, from 0. */
  readonly input: number
}

/** The nodes of a workflow in the order in which they are told. */
export interface WorkflowGraph {
  readonly nodes: readonly N8nNode[]
  /** Steps have numbers from 1; by node name. */
  readonly numbers: ReadonlyMap<string, number>
  /** Names of nodes that nothing leads to. */
  readonly unreached: ReadonlySet<string>
  readonly outgoing: ReadonlyMap<string, readonly Edge[]>
  readonly incoming: ReadonlyMap<string, readonly Edge[]>
  /** Connections from or to a node that does not exist, in words. */
  readonly loose: readonly Edge[]
}

/** Orders nodes breadth first from the triggers, in the order of outputs; what nothing leads to comes last. */
export function readGraph(workflow: N8nWorkflow): WorkflowGraph {
  const byName = new Map(workflow.nodes.map((node) => [node.name, node]))
  const edges = edgesOf(workflow)
  const known = edges.filter(({ from, to }) => byName.has(from) && byName.has(to))
  const outgoing = Map.groupBy(known, ({ from }) => from)
  const incoming = Map.groupBy(known, ({ to }) => to)
  const reached = new Set<string>()
  const queue = workflow.nodes.filter((node) => isTrigger(node) && node.disabled !== true)
  for (const node of queue) reached.add(node.name)
  for (let index = 0; index < queue.length; index += 1) {
    const name = queue[index]?.name ?? ''
    const parts = (incoming.get(name) ?? []).filter(({ type }) => type !== 'main')
    const next = (outgoing.get(name) ?? []).filter(({ type }) => type === 'main')
    for (const follower of [...parts.map(({ from }) => from), ...next.map(({ to }) => to)]) {
      const node = byName.get(follower)
      if (node === undefined || reached.has(follower)) continue
      reached.add(follower)
      queue.push(node)
    }
  }
  // Two nodes may share a name where nobody checked; neither may hide the other.
  const rest = workflow.nodes.filter((node) => !queue.includes(node))
  const nodes = [...queue, ...rest]
  return {
    nodes,
    numbers: new Map(
      nodes.map((node, index) => [node.name, index + 1]).toReversed() as [string, number][],
    ),
    unreached: new Set(rest.map(({ name }) => name)),
    outgoing,
    incoming,
    loose: edges.filter((edge) => !known.includes(edge)),
  }
}

function edgesOf(workflow: N8nWorkflow): readonly Edge[] {
  const edges: Edge[] = []
  for (const [from, types] of Object.entries(workflow.connections))
    for (const [type, outputs] of Object.entries(types))
      for (const [output, targets] of outputs.entries())
        for (const { index, node, type: targetType } of targets ?? [])
          edges.push({ from, to: node, type, targetType, output, input: index })
  return edges
}
