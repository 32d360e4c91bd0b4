import { commonNodeCatalogue, findNodeFacts, nodeCatalogue } from '../../src/node-catalogue.ts'

/** A node of the corpus: what a model would write of it. */
export interface CorpusNode {
  readonly name: string
  readonly type: string
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** One workflow of the corpus. */
export interface CorpusEntry {
  readonly title: string
  readonly workflow: Readonly<Record<string, unknown>>
  /** The status that a call of its webhook gives; nothing is called when it is absent. */
  readonly status?: number
  /** The first release line that publishes it. */
  readonly since?: 2
}

/** A node of the base package unless the type has a package, in the newest version that all tested releases have. */
export function node(
  name: string,
  type: string,
  parameters: Readonly<Record<string, unknown>> = {},
): CorpusNode {
  const full = type.includes('.') ? type : `n8n-nodes-base.${type}`
  const facts = findNodeFacts(commonNodeCatalogue(), full) ?? findNodeFacts(nodeCatalogue(), full)
  return { name, type: full, typeVersion: facts?.versions.at(-1) ?? 1, parameters }
}

/** A webhook that a call reaches; the path is replaced before the workflow is created. */
export function webhook(parameters: Readonly<Record<string, unknown>> = {}): CorpusNode {
  return node('Webhook', 'webhook', {
    httpMethod: 'POST',
    path: 'corpus',
    responseMode: 'lastNode',
    ...parameters,
  })
}

/** Nodes one after the other. */
export function chain(
  nodes: readonly CorpusNode[],
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return { name: 'corpus', nodes, connections: connect(nodes.map(({ name }) => name)), ...more }
}

/** Connections along names; or from a name to lists of targets, one list an output. */
export function connect(
  names: readonly string[],
  branches: Readonly<Record<string, readonly (readonly string[])[]>> = {},
): Record<string, unknown> {
  const connections: Record<string, unknown> = {}
  for (const [index, name] of names.slice(0, -1).entries())
    connections[name] = { main: [[{ node: names[index + 1], type: 'main', index: 0 }]] }
  for (const [name, outputs] of Object.entries(branches))
    connections[name] = {
      main: outputs.map((targets) =>
        targets.map((target) => {
          const [to = '', input = '0'] = target.split('#')
          return { node: to, type: 'main', index: Number(input) }
        }),
      ),
    }
  return connections
}

/** What every call sends. */
export const callBody: Readonly<Record<string, unknown>> = {
  name: 'Ada',
  amount: 42,
  date: '2026-01-31T10:00:00.000Z',
  items: [
    { sku: 'b', quantity: 2 },
    { sku: 'a', quantity: 1 },
    { sku: 'a', quantity: 1 },
  ],
  html: '<h1>Title</h1><p>Text</p>',
  xml: '<order><id>7</id></order>',
}
