import type { CheckContext, CheckedNode } from './check-context.ts'
import { baseType } from './check-context.ts'
import { quote } from './quote.ts'
import { reachableFrom } from './reachable.ts'

/** Started by a person in the editor, and never on a live workflow. */
const editorTriggers: ReadonlySet<string> = new Set([
  'n8n-nodes-base.manualTrigger',
  'n8n-nodes-base.start',
  '@n8n/n8n-nodes-langchain.manualChatTrigger',
  'n8n-nodes-base.evaluationTrigger',
])

/** n8n 1.x does not publish workflows that only these start. */
const calledTriggers: ReadonlySet<string> = new Set([
  'n8n-nodes-base.executeWorkflowTrigger',
  'n8n-nodes-base.errorTrigger',
])

/** Whether something starts the workflow, and whether data comes to every node. */
export function checkTriggers(context: CheckContext): void {
  const { nodes, catalogue, problems } = context
  const triggers = nodes.filter(({ facts }) => facts?.isTrigger)
  const isFirst = catalogue.n8nVersion.startsWith('1.')
  const live = triggers.filter(
    ({ node: { type, disabled } }) =>
      !editorTriggers.has(type) && !disabled && !(isFirst && calledTriggers.has(type)),
  )
  const isKnown = nodes.every(({ facts }) => facts !== undefined)
  if (triggers.length === 0 && isKnown)
    problems.error({
      code: 'no-trigger',
      path: 'nodes',
      message: 'Nothing starts the workflow: it has no trigger node.',
      fix: 'Add a node "n8n-nodes-base.webhook" with "httpMethod": "POST" and connect it to the first node.',
    })
  else if (live.length === 0 && isKnown)
    problems.error({
      code: 'only-manual-trigger',
      path: 'nodes',
      message: `Only a person in the editor, or another workflow, could start it: ${triggers
        .map(({ node }) => `${quote(node.name)}${node.disabled ? ' is disabled' : ''}`)
        .join(', ')}.`,
      fix: 'Add a node "n8n-nodes-base.webhook" with "httpMethod": "POST" and connect it to the first node.',
    })
  if (triggers.length > 0) checkReach(context, triggers)
}

function checkReach(
  { nodes, workflow, problems }: CheckContext,
  triggers: readonly CheckedNode[],
): void {
  const reached = reachableFrom(
    triggers.map(({ node }) => node.name),
    workflow.connections,
  )
  for (const { node, place, facts } of nodes) {
    if (facts === undefined || reached.has(node.name) || baseType(node) === 'stickyNote') continue
    problems.warn({
      code: 'unreachable-node',
      path: place,
      node: node.name,
      message: `No data ever comes to ${quote(node.name)}: no connection leads there from a trigger.`,
      fix: 'Connect it, or remove it.',
    })
  }
}
