import type { N8nNode, N8nWorkflow } from '@toolcrib/n8n'
import type { JsonSchema, JsonValue } from '@toolcrib/registry'
import type { ToolBuildRequest } from '@toolcrib/toolsmaker'

/** How an adder differs from the plain one. */
export interface AdderParts {
  /** Added to the sum of `a` and `b`. */
  readonly plus?: number
  /** Nodes between the webhook and the result, in a row. */
  readonly between?: readonly N8nNode[]
  /** Runs by itself too. */
  readonly schedule?: string
}

/** A workflow that adds: its webhook gets `a` and `b`, it gives `{ sum }`. */
export function adderWorkflow({ between = [], plus = 0, schedule }: AdderParts = {}): N8nWorkflow {
  const webhook: N8nNode = {
    id: 'webhook',
    name: 'Call',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2.1,
    position: [0, 0],
    webhookId: 'unbound',
    parameters: { httpMethod: 'POST', path: 'unbound', responseMode: 'lastNode', options: {} },
  }
  const result: N8nNode = {
    id: 'result',
    name: 'Sum',
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    position: [440, 0],
    parameters: {
      mode: 'raw',
      jsonOutput: `={{ { "sum": $('Call').item.json.body.a + $('Call').item.json.body.b + ${plus} } }}`,
      options: {},
    },
  }
  const clock: N8nNode = {
    id: 'clock',
    name: 'Clock',
    type: 'n8n-nodes-base.scheduleTrigger',
    typeVersion: 1.2,
    position: [0, 220],
    parameters: {
      rule: { interval: [{ field: 'cronExpression', expression: schedule ?? '0 9 * * *' }] },
    },
  }
  const row = [webhook, ...between, result]
  const links = row.slice(1).map((node, index) => [row[index]?.name ?? '', node.name] as const)
  const second = row[1]?.name ?? result.name
  const all = schedule === undefined ? links : [...links, [clock.name, second] as const]
  return {
    name: 'Adds',
    nodes: schedule === undefined ? row : [...row, clock],
    connections: Object.fromEntries(
      all.map(([from, to]) => [from, { main: [[{ node: to, type: 'main', index: 0 }]] }]),
    ),
    settings: { executionOrder: 'v1' },
  }
}

/** A request to a host, which gives on what it gets. */
export function requestNode(url: string, more: Partial<N8nNode> = {}): N8nNode {
  return {
    id: 'request',
    name: 'Ask',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    position: [220, 0],
    parameters: { method: 'GET', url, options: {} },
    ...more,
  }
}

const numbers: JsonSchema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
}

/** The proposal of a tool that adds. */
export function adderRequest(
  workflow: N8nWorkflow,
  more: Partial<ToolBuildRequest> = {},
): ToolBuildRequest {
  return {
    kind: 'n8n',
    name: 'add_two_numbers',
    description: 'Adds two numbers, on n8n.',
    inputSchema: numbers,
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    definition: { workflow } as unknown as JsonValue,
    capabilities: [],
    allowedPaths: [],
    allowedDomains: [],
    secrets: [],
    callees: [],
    limits: {},
    examples: [],
    risk: 'medium',
    ...more,
  }
}
