import type { JsonObject } from '@toolcrib/registry'
import type {
  DoubleNode,
  DoubleState,
  DoubleWorkflow,
  DoubleWorkflowVersion,
} from './double-state.ts'
import { textOf } from './json-text.ts'

/** A webhook node with what decides who reaches it. */
export interface WebhookNode {
  readonly node: DoubleNode
  readonly name: string
  readonly method: string
  /** Below the webhook endpoint. */
  readonly path: string
  readonly parameters: JsonObject
}

/** The webhooks of a version, with the addresses that n8n gives them. */
export function webhookNodes(
  state: DoubleState,
  workflow: DoubleWorkflow,
  version: Pick<DoubleWorkflowVersion, 'nodes'>,
): readonly WebhookNode[] {
  return version.nodes
    .filter((node) => node['type'] === 'n8n-nodes-base.webhook' && node['disabled'] !== true)
    .map((node) => {
      const parameters = node.parameters ?? {}
      const name = textOf(node['name'])
      const given = textOf(parameters['path'] ?? '').replace(/^\//u, '')
      const webhookId = node['webhookId'] as string | undefined
      // Without a webhook id, 1.x makes up an address from the workflow and the node.
      const path =
        webhookId === undefined && state.major === 1
          ? `${workflow.id}/${name.toLowerCase()}/${given}`
          : given === '' || given.includes(':')
            ? [webhookId ?? '', given].filter((part) => part !== '').join('/')
            : given
      return { node, name, method: textOf(parameters['httpMethod'] ?? 'GET'), path, parameters }
    })
}

/** The version whose webhooks answer now, if any does. */
export function answeringVersion(
  state: DoubleState,
  workflow: DoubleWorkflow,
): DoubleWorkflowVersion | undefined {
  const now = state.now()
  const entry = workflow.timeline.findLast((each) => each.at <= now)
  return workflow.versions.find((version) => version.versionId === entry?.versionId)
}

/** Whether a change of what answers is still under way. */
export function isSettling(state: DoubleState, workflow: DoubleWorkflow): boolean {
  const now = state.now()
  return workflow.timeline.some((each) => each.at > now)
}
