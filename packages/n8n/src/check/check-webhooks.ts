import type { CheckContext, CheckedNode } from './check-context.ts'
import { baseType } from './check-context.ts'
import type { NewProblem } from './problem-list.ts'
import { quote } from './quote.ts'
import { reachableFrom } from './reachable.ts'

/** Whether callers find the webhooks, and whether they get an answer. */
export function checkWebhooks(context: CheckContext): void {
  const webhooks = context.nodes.filter(
    ({ node }) => baseType(node) === 'webhook' && !node.disabled,
  )
  const responders = context.nodes.filter(({ node }) => baseType(node) === 'respondToWebhook')
  const seen = new Map<string, string>()
  for (const webhook of webhooks) {
    checkAddress(webhook, seen, context)
    checkAnswer(webhook, responders, context)
  }
  const answered = new Set(
    context.nodes
      .filter(({ node }) => answersByNode(node.parameters['responseMode']))
      .flatMap(({ node }) => [...reachableFrom([node.name], context.workflow.connections)]),
  )
  const refusing = new Set(
    webhooks
      .filter(
        ({ node }) => node.typeVersion >= 2 && !answersByNode(node.parameters['responseMode']),
      )
      .flatMap(({ node }) => [...reachableFrom([node.name], context.workflow.connections)]),
  )
  const isOwned = context.nodes.some(
    ({ node }) => baseType(node) === 'wait' && answersByNode(node.parameters['responseMode']),
  )
  for (const { node, place } of responders) {
    if (node.disabled || answered.has(node.name)) continue
    const problem: NewProblem = {
      code: 'respond-node-unused',
      path: place,
      node: node.name,
      message: `${quote(node.name)} answers nobody: no webhook that leads to it has "responseMode": "responseNode".`,
      fix: 'Set responseMode of the webhook to "responseNode".',
    }
    // n8n refuses every call then: n8n-nodes-base, Webhook/utils, checkResponseModeConfiguration.
    if (refusing.has(node.name) && !isOwned) context.problems.error(problem)
    else context.problems.warn(problem)
  }
  if (webhooks.length > 1)
    context.problems.warn({
      code: 'several-webhooks',
      path: 'nodes',
      message: `The workflow has ${webhooks.length} webhooks; one that is called like a function has exactly one.`,
      fix: 'Keep one webhook, and branch after it.',
    })
}

function answersByNode(mode: unknown): boolean {
  return mode === 'responseNode' || mode === 'streaming'
}

function checkAddress(
  { node, place }: CheckedNode,
  seen: Map<string, string>,
  { problems }: CheckContext,
): void {
  const { httpMethod = 'GET', path, multipleMethods } = node.parameters
  const methods = (Array.isArray(httpMethod) ? httpMethod : [httpMethod]).map(String)
  const known = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT']
  const isDynamic = methods.some((method) => method.startsWith('='))
  if (!isDynamic && (methods.length === 0 || !methods.every((method) => known.includes(method))))
    problems.error({
      code: 'bad-webhook-method',
      path: `${place}.parameters.httpMethod`,
      node: node.name,
      message: `httpMethod of a webhook is one of ${known.join(', ')}; it is ${methods.map((method) => quote(method)).join(', ')}.`,
      fix: 'Write "httpMethod": "POST".',
    })
  else if (!methods.includes('POST'))
    problems.warn({
      code: 'webhook-not-post',
      path: `${place}.parameters.httpMethod`,
      node: node.name,
      message: `${quote(node.name)} answers ${methods.join(', ')}; a workflow that is called like a function answers POST.`,
      fix: 'Write "httpMethod": "POST".',
    })
  if (path !== undefined && typeof path !== 'string')
    problems.error({
      code: 'bad-webhook-path',
      path: `${place}.parameters.path`,
      node: node.name,
      message: `path of a webhook is a text; it is ${quote(path)}.`,
      fix: 'Write letters, digits and "-".',
    })
  if (multipleMethods === true || typeof path !== 'string' || path === '') return
  const key = `${methods.toSorted().join()} ${path.replace(/^\//, '')}`
  const other = seen.get(key)
  if (other !== undefined)
    problems.error({
      code: 'duplicate-webhook-path',
      path: `${place}.parameters.path`,
      node: node.name,
      message: `${quote(other)} and ${quote(node.name)} have the same path ${quote(path)} and method.`,
      fix: 'Give each webhook a path of its own, or keep one of them.',
    })
  seen.set(key, node.name)
}

function checkAnswer(
  { node, place }: CheckedNode,
  responders: readonly CheckedNode[],
  { workflow, problems }: CheckContext,
): void {
  if (node.parameters['responseMode'] !== 'responseNode') return
  const reached = reachableFrom([node.name], workflow.connections)
  if (responders.some((each) => reached.has(each.node.name) && !each.node.disabled)) return
  problems.error({
    code: 'no-respond-node',
    path: `${place}.parameters.responseMode`,
    node: node.name,
    message: `${quote(node.name)} leaves its answer to a Respond to Webhook node, but none comes after it.`,
    fix: 'Add a node "n8n-nodes-base.respondToWebhook" at the end of each branch, or write "responseMode": "lastNode".',
  })
}
