import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { findWebhook } from './bind-workflow.ts'
import { isObject } from './is-object.ts'
import { waitingOf } from './may-wait.ts'
import type { N8nFunction } from './n8n-function.ts'
import type { N8nNode, N8nWorkflow } from './n8n-workflow.ts'

/** What a function notes of how its workflow answers. */
export type AnswerFacts = Pick<N8nFunction, 'mayWait' | 'givesOnlyJson' | 'givesOnlySuccess'>

export function answerFactsOf(workflow: Pick<N8nWorkflow, 'nodes'>): AnswerFacts {
  return { ...waitingOf(workflow), ...onlyOf(workflow) }
}

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

/** Whether a webhook or a Respond to Webhook node answers with success, whatever its workflow does. */
export function answersWell(node: N8nNode): boolean {
  return statusesOf(node).every((value) => Number(value) >= 200 && Number(value) < 300)
}

const respondType = 'n8n-nodes-base.respondToWebhook'
/** Of a webhook: those that change neither what it answers with nor how that is written. */
const requestOptions: ReadonlySet<string> = new Set(
  'allowedOrigins binaryData binaryPropertyName ignoreBots ipWhitelist onlyRunIf rawBody responseCode'.split(
    ' ',
  ),
)
/** They may run other workflows, which may answer for this one. */
const otherWorkflows = /[./](?:executeWorkflow|toolWorkflow|toolExecutor)$/

/**
 * Whether the workflow itself answers with a status of success only, and with nothing but JSON, so that every other answer is said
 * by n8n or by what stands before it. Where that is not certain, it does not.
 */
function onlyOf(
  workflow: Pick<N8nWorkflow, 'nodes'>,
): Pick<N8nFunction, 'givesOnlyJson' | 'givesOnlySuccess'> {
  const webhook = findWebhook(workflow)
  const { responseMode } = webhook.parameters
  const enabled = workflow.nodes.filter(({ disabled }) => disabled !== true)
  const answering = enabled.filter(({ type }) => type === respondType)
  if (enabled.some(({ type }) => otherWorkflows.test(type))) return {}
  const isLastNode = responseMode === 'lastNode'
  if (!(isLastNode ? [webhook] : answering).every((node) => answersWell(node))) return {}
  const isJson = isLastNode ? givesItems(webhook) : answering.every(respondsWithItems)
  return { givesOnlySuccess: true, ...(isJson ? { givesOnlyJson: true } : {}) }
}

function givesItems(webhook: N8nNode): boolean {
  const { responseData = 'firstEntryJson', options = {} } = webhook.parameters
  return (
    (responseData === 'firstEntryJson' || responseData === 'allEntries') &&
    isObject(options) &&
    Object.keys(options).every((name) => requestOptions.has(name))
  )
}

function respondsWithItems(node: N8nNode): boolean {
  const { respondWith = 'firstIncomingItem', options = {} } = node.parameters
  return (
    (respondWith === 'firstIncomingItem' || respondWith === 'allIncomingItems') &&
    isObject(options) &&
    Object.keys(options).every((name) => name === 'responseCode')
  )
}

/** As n8n reads them: n8n-nodes-base, RespondToWebhook and Webhook/utils. */
function statusesOf({ parameters, type }: N8nNode): readonly JsonValue[] {
  const { options, respondWith, responseCode } = parameters
  const own = isObject(options) ? options['responseCode'] : undefined
  if (type === respondType)
    return own !== undefined ? [own] : [respondWith === 'redirect' ? redirectStatus : 200]
  if (type !== 'n8n-nodes-base.webhook') return []
  const values: JsonObject = isObject(own) && isObject(own['values']) ? own['values'] : {}
  return [responseCode, values['responseCode'], values['customCode']].filter(
    (value) => value !== undefined,
  )
}

/** What a Respond to Webhook node answers with that redirects, and says no other status. */
export const redirectStatus = 307
