import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from './is-object.ts'
import type { N8nNode, N8nWorkflow } from './n8n-workflow.ts'

/** Whether a workflow itself may answer with a status: its webhook, or a Respond to Webhook node, has it or an expression. */
export function mayAnswerWith({ nodes }: Pick<N8nWorkflow, 'nodes'>, status: number): boolean {
  return nodes.some(
    (node) =>
      node.disabled !== true &&
      statusesOf(node).some(
        (value) => Number(value) === status || (typeof value === 'string' && value.startsWith('=')),
      ),
  )
}

/** Whether a webhook answers with success, whatever its workflow does. */
export function answersWell(webhook: N8nNode): boolean {
  return statusesOf(webhook).every((value) => Number(value) >= 200 && Number(value) < 300)
}

/** As n8n reads them: n8n-nodes-base, RespondToWebhook and Webhook/utils. */
function statusesOf({ parameters, type }: N8nNode): readonly JsonValue[] {
  const { options, respondWith, responseCode } = parameters
  const own = isObject(options) ? options['responseCode'] : undefined
  if (type === 'n8n-nodes-base.respondToWebhook')
    return own !== undefined ? [own] : [respondWith === 'redirect' ? redirectStatus : 200]
  if (type !== 'n8n-nodes-base.webhook') return []
  const values: JsonObject = isObject(own) && isObject(own['values']) ? own['values'] : {}
  return [responseCode, values['responseCode'], values['customCode']].filter(
    (value) => value !== undefined,
  )
}

/** What a Respond to Webhook node answers with that redirects, and says no other status. */
export const redirectStatus = 307
