import type { N8nConnections, N8nNode, N8nWorkflow } from '../src/n8n-workflow.ts'
import type { JsonObject } from '@toolcrib/registry'

export const webhook: N8nNode = {
  id: 'webhook',
  name: 'Call',
  type: 'n8n-nodes-base.webhook',
  typeVersion: 2.1,
  position: [0, 0],
  parameters: { httpMethod: 'POST', responseMode: 'lastNode', options: {} },
}

/** A node that gives fixed JSON, or what an expression makes. */
export function setNode(name: string, jsonOutput: string, x = 220): N8nNode {
  return {
    id: name.toLowerCase(),
    name,
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    position: [x, 0],
    parameters: { mode: 'raw', jsonOutput, options: {} },
  }
}

/** A node of another type, such as `stopAndError` or `wait@1.1`. */
export function node(name: string, type: string, parameters: JsonObject): N8nNode {
  const [shortType = '', version = '1'] = type.split('@')
  return {
    id: name.toLowerCase().replaceAll(' ', '-'),
    name,
    type: `n8n-nodes-base.${shortType}`,
    typeVersion: Number(version),
    position: [220, 0],
    parameters,
  }
}

/** Each node leads to the next. */
export function chain(nodes: readonly N8nNode[]): N8nConnections {
  return Object.fromEntries(
    nodes
      .slice(0, -1)
      .map(({ name }, index) => [
        name,
        { main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main', index: 0 }]] },
      ]),
  )
}

export function workflowOf(
  nodes: readonly N8nNode[],
  more: Partial<N8nWorkflow> = {},
): N8nWorkflow {
  const all = nodes.some(({ type }) => type === webhook.type) ? nodes : [webhook, ...nodes]
  return {
    name: 'FUNCTION test',
    nodes: all,
    connections: chain(all),
    settings: { executionOrder: 'v1' },
    ...more,
  }
}

/** Adds `a` and `b`. */
export const addition: N8nWorkflow = workflowOf([
  setNode('Result', '={{ { "sum": $json.body.a + $json.body.b } }}'),
])

/** A webhook that waits for a Respond node, what is between the two, and that node. */
export function respondingWorkflow(
  between: readonly N8nNode[],
  more: Partial<N8nWorkflow> = {},
): N8nWorkflow {
  const waiting = {
    ...webhook,
    parameters: { ...webhook.parameters, responseMode: 'responseNode' },
  }
  const respond = node('Respond', 'respondToWebhook@1.4', {
    respondWith: 'json',
    responseBody: '={{ JSON.stringify({ ok: true, result: 1 }) }}',
    options: {},
  })
  return workflowOf([waiting, ...between, respond], more)
}

/** Says which one it is. */
export function numbered(version: number): N8nWorkflow {
  return workflowOf([setNode('Result', `{ "version": ${version} }`)])
}
