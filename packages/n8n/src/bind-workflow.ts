import type { JsonValue } from '@toolcrib/registry'
import { n8nError } from './error-catalogue.ts'
import type { WorkflowBinding } from './n8n-function.ts'
import type { N8nNode, N8nWorkflow } from './n8n-workflow.ts'
import { assertName, optionError } from './option-check.ts'

export const webhookType = 'n8n-nodes-base.webhook'
const pathPattern = /^[a-zA-Z0-9-]{1,100}$/
const expectations: Readonly<Record<string, string>> = {
  none: 'has no webhook: add a node of type "n8n-nodes-base.webhook" with httpMethod "POST"',
  several: 'has several webhooks that are not disabled: keep one',
  method: 'must take POST and nothing else: set its parameter httpMethod to "POST"',
  responseMode:
    'must answer with a result: set its parameter responseMode to "lastNode" or "responseNode"',
}

/**
 * The node that makes a workflow callable: its one webhook that is not disabled.
 *
 * @throws {ToolError} N8N_NO_WEBHOOK when there is none or more than one, when it takes another method than POST, or when
 * it answers before the workflow has run.
 */
export function findWebhook(workflow: Pick<N8nWorkflow, 'nodes'>): N8nNode {
  const [webhook, ...others] = workflow.nodes.filter(
    ({ type, disabled }) => type === webhookType && disabled !== true,
  )
  if (webhook === undefined) return refuse('none', 'The workflow')
  if (others.length > 0)
    return refuse(
      'several',
      'The workflow',
      [webhook, ...others].map(({ name }) => name).join(', '),
    )
  const { httpMethod, multipleMethods, responseMode } = webhook.parameters
  const subject = `The webhook "${webhook.name}"`
  if (multipleMethods === true || httpMethod !== 'POST')
    return refuse('method', subject, httpMethod ?? 'GET, by default')
  if (responseMode !== 'lastNode' && responseMode !== 'responseNode')
    return refuse('responseMode', subject, responseMode ?? 'onReceived, by default')
  return webhook
}

function refuse(rule: string, subject: string, found?: JsonValue): never {
  const value =
    found === undefined
      ? ''
      : ` (found: ${typeof found === 'string' ? found : JSON.stringify(found)})`
  throw n8nError('N8N_NO_WEBHOOK', `${subject} ${expectations[rule] ?? rule}${value}.`, {
    data: { rule, ...(found === undefined ? {} : { found }) },
  })
}

/**
 * Puts into a workflow what is not its author's: name, path, id and authentication of its webhook. Whatever the author
 * wrote there is replaced, and nothing but the fields of a workflow is kept. The same input always gives the same bytes.
 *
 * @throws {ToolError} N8N_NO_WEBHOOK as {@link findWebhook}; N8N_OPTION_INVALID when the binding could not be a webhook's.
 */
export function bindWorkflow(workflow: N8nWorkflow, binding: WorkflowBinding): N8nWorkflow {
  const webhook = findWebhook(workflow)
  assertBinding(binding)
  const { nodes, connections, settings, staticData, pinData } = workflow
  return {
    name: binding.name,
    nodes: nodes.map((node) => (node === webhook ? bindWebhook(webhook, binding) : node)),
    connections,
    settings,
    ...(staticData === undefined ? {} : { staticData }),
    ...(pinData === undefined ? {} : { pinData }),
  }
}

function bindWebhook(webhook: N8nNode, { path, webhookId, credential }: WorkflowBinding): N8nNode {
  const { credentials: _theAuthors, ...node } = webhook
  return {
    ...node,
    webhookId,
    parameters: {
      ...node.parameters,
      path,
      authentication: credential === undefined ? 'none' : credential.type,
    },
    ...(credential === undefined
      ? {}
      : { credentials: { [credential.type]: { id: credential.id, name: credential.name } } }),
  }
}

function assertBinding({ name, path, webhookId }: WorkflowBinding): void {
  assertName('binding.name', name)
  // More would be a pattern (":id") or a place of its own ("/"), and n8n gives those other addresses.
  const rule = '1 to 100 letters, digits and "-"'
  for (const [field, value] of Object.entries({ path, webhookId }))
    if (!pathPattern.test(value)) throw optionError({ field: `binding.${field}`, rule, value })
}
