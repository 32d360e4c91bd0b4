import type { JsonObject } from '@toolcrib/registry'
import type { N8nConnectionTarget, N8nNode, N8nWorkflow } from '../n8n-workflow.ts'

/** A node without what the builder gives it: an id from its name, and a place. */
export type NodeDraft = Omit<N8nNode, 'id' | 'position'>

/** Collects nodes and wires. The same calls in the same order give the same workflow. */
export class WorkflowBuilder {
  readonly #drafts = new Map<string, NodeDraft>()
  readonly #wires = new Map<string, string[][]>()

  /** @returns the name, for wiring */
  add(draft: NodeDraft): string {
    if (this.#drafts.has(draft.name)) throw new Error(`There are two nodes "${draft.name}".`)
    this.#drafts.set(draft.name, draft)
    return draft.name
  }

  /** Leads an output of a node, counted from 0, to another node. */
  wire(from: string, to: string, output = 0): void {
    const outputs = this.#wires.get(from) ?? []
    while (outputs.length <= output) outputs.push([])
    outputs[output]?.push(to)
    this.#wires.set(from, outputs)
  }

  build(workflow: { readonly name: string; readonly settings: JsonObject }): N8nWorkflow {
    for (const [from, outputs] of this.#wires)
      for (const name of [from, ...outputs.flat()])
        if (!this.#drafts.has(name)) throw new Error(`There is no node "${name}".`)
    const columns = this.#columns()
    const rows = new Map<number, number>()
    const nodes = Array.from(this.#drafts.values(), (draft): N8nNode => {
      const column = columns.get(draft.name) ?? 0
      const row = rows.get(column) ?? 0
      rows.set(column, row + 1)
      return { id: nodeId(draft.name), ...draft, position: [column * 220, row * 180] }
    })
    const connections = Object.fromEntries(
      Array.from(this.#wires, ([from, outputs]) => [from, { main: outputs.map(toTargets) }]),
    )
    return { name: workflow.name, nodes, connections, settings: workflow.settings }
  }

  /** How many steps each node is away from the start, by the longest way. Wires go in no circle. */
  #columns(): ReadonlyMap<string, number> {
    const columns = new Map<string, number>()
    const visit = (name: string, column: number): void => {
      if ((columns.get(name) ?? -1) >= column) return
      if (column > this.#drafts.size) throw new Error(`The wires of "${name}" go in a circle.`)
      columns.set(name, column)
      for (const target of (this.#wires.get(name) ?? []).flat()) visit(target, column + 1)
    }
    const reached = new Set(Array.from(this.#wires.values()).flat(2))
    for (const name of this.#drafts.keys()) if (!reached.has(name)) visit(name, 0)
    return columns
  }
}

function nodeId(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-|-$/gu, '')
}

function toTargets(names: readonly string[]): readonly N8nConnectionTarget[] {
  return names.map((node) => ({ node, type: 'main', index: 0 }))
}
