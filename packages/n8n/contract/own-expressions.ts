import { createRequire } from 'node:module'
import { join } from 'node:path'

interface OwnWorkflow {
  readonly expression: {
    getParameterValue(...parameters: readonly unknown[]): unknown
    acquireIsolate?(): Promise<void>
  }
}

/** Says why an installed release of n8n refuses an expression; `undefined` where it evaluates it. */
export async function loadOwnExpressions(
  folder: string,
): Promise<(text: string) => string | undefined> {
  const modules = join(folder, 'node_modules')
  const require = createRequire(import.meta.url)
  const { Workflow } = require(join(modules, 'n8n-workflow')) as {
    Workflow: new (options: object) => OwnWorkflow
  }
  const type = { properties: [], defaults: {}, inputs: ['main'], outputs: ['main'], group: [] }
  const node = { id: 'w', name: 'W', type: 'n8n-nodes-base.webhook', typeVersion: 2 }
  const workflow = new Workflow({
    id: '1',
    active: false,
    nodes: [{ ...node, position: [0, 0], parameters: {} }],
    connections: {},
    nodeTypes: { getByNameAndVersion: () => ({ description: type }) },
  })
  await workflow.expression.acquireIsolate?.().catch(() => undefined)
  const items = [{ json: { id: 1, body: { x: 1 } } }]
  return (text) => {
    try {
      const value = workflow.expression.getParameterValue(
        text,
        null,
        0,
        0,
        'W',
        items,
        'manual',
        {},
      )
      if (value instanceof Promise) void value.catch(() => undefined)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}
