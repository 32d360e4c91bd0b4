import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { textOf } from './text-of.ts'

/** A node as the public API takes it. */
export type RecordedNode = Readonly<Record<string, JsonValue>>

/** The name of a node, its type without the package, and the version of that type. */
export interface NodeKind {
  readonly name: string
  readonly type: string
  readonly version: number
}

/** A node with parameters. */
export function node(
  { name, type, version }: NodeKind,
  parameters: JsonObject,
  more: JsonObject = {},
): RecordedNode {
  return {
    id: `id-of-${name.toLowerCase().replaceAll(' ', '-')}`,
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion: version,
    position: [0, 0],
    parameters,
    ...more,
  }
}

/** The webhook that every recorded workflow starts with. */
export function webhook(
  path: string,
  parameters: JsonObject = {},
  more: JsonObject = {},
): RecordedNode {
  return node(
    { name: 'Webhook', type: 'webhook', version: 2.1 },
    { httpMethod: 'POST', path, responseMode: 'lastNode', options: {}, ...parameters },
    { webhookId: crypto.randomUUID(), ...more },
  )
}

/** A Set node with fixed JSON. */
export function fixed(json: JsonValue, name = 'Last'): RecordedNode {
  return node(
    { name, type: 'set', version: 3.4 },
    { mode: 'raw', jsonOutput: JSON.stringify(json), options: {} },
  )
}

/** A Code node. */
export function code(jsCode: string, name = 'Last'): RecordedNode {
  return node({ name, type: 'code', version: 2 }, { jsCode })
}

/** A Respond node that refuses. */
export const respond = node(
  { name: 'Last', type: 'respondToWebhook', version: 1.4 },
  {
    respondWith: 'json',
    responseBody:
      '={{ JSON.stringify({ ok: false, error: { code: "ORDER_UNKNOWN", message: "There is no such order." } }) }}',
    options: { responseCode: 422 },
  },
)

/** Connections from each node to the next. */
function inARow(nodes: readonly RecordedNode[]): JsonObject {
  return Object.fromEntries(
    nodes
      .slice(0, -1)
      .map((each, index) => [
        textOf(each['name']),
        { main: [[{ node: nodes[index + 1]?.['name'] ?? '', type: 'main', index: 0 }]] },
      ]),
  )
}

/** A workflow of nodes in a row. */
export function workflowOf(
  name: string,
  nodes: readonly RecordedNode[],
  more: JsonObject = {},
): JsonObject {
  return {
    name: `record ${name}`,
    nodes,
    connections: inARow(nodes),
    settings: { executionOrder: 'v1' },
    ...more,
  }
}

/** A webhook and a fixed result. */
export function plain(name: string, path: string, result: JsonValue = { version: 1 }): JsonObject {
  return workflowOf(name, [webhook(path), fixed(result)])
}

/** A path that nothing else has. */
export const newPath = (): string => `record-${crypto.randomUUID()}`
