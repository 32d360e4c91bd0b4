import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { type DoubleAnswer, answerJson, answerPage } from './double-answer.ts'
import type {
  DoubleExecution,
  DoubleState,
  DoubleWorkflow,
  DoubleWorkflowVersion,
} from './double-state.ts'
import { endExecution, startExecution } from './execution-data.ts'
import { checkCaller } from './webhook-caller.ts'
import { type WebhookNode, answeringVersion, webhookNodes } from './webhook-nodes.ts'
import type { WebhookCall, WorkflowRun } from './workflow-behaviour.ts'

/** A request to a webhook. */
export interface WebhookRequest {
  readonly method: string
  /** Below the webhook endpoint. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly url: string
  readonly signal: AbortSignal
}

/** An answer, or the breaking of the connection. */
export type WebhookReply = DoubleAnswer | 'cut'

/** The most that n8n takes, in bytes. */
export const maxBodyBytes: number = 16 * 1024 * 1024
/** What a call gets that waits for a Respond node which is never reached. */
const nothing: DoubleAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: '',
}
const problem = answerJson(500, { code: 0, message: 'There was a problem executing the workflow' })

interface Registered {
  readonly workflow: DoubleWorkflow
  readonly version: DoubleWorkflowVersion
  readonly webhook: WebhookNode
}

function registered(state: DoubleState, path: string): Registered[] {
  return [...state.workflows.values()].flatMap((workflow) => {
    const version = answeringVersion(state, workflow)
    if (version === undefined) return []
    return webhookNodes(state, workflow, version)
      .filter((webhook) => webhook.path === path)
      .map((webhook) => ({ workflow, version, webhook }))
  })
}

/** Answers a request to a webhook, as the release does. */
export async function answerWebhook(
  state: DoubleState,
  request: WebhookRequest,
): Promise<WebhookReply> {
  const atPath = registered(state, request.path)
  if (request.method === 'OPTIONS') return answerOptions(request, atPath)
  const found = atPath.find(({ webhook }) => webhook.method === request.method)
  if (found === undefined) return notRegistered(request, atPath)
  if (Buffer.byteLength(request.body) > maxBodyBytes) return problem
  const body = readBody(request)
  if ('status' in body) return body
  const caller = await checkCaller(state, found.webhook, request.headers)
  if (caller.refused !== undefined) return caller.refused
  return await run(state, found, {
    request,
    item: {
      headers: request.headers,
      params: {},
      query: Object.fromEntries(request.query),
      body: body.value,
      webhookUrl: request.url,
      executionMode: 'production',
      ...(caller.payload === undefined ? {} : { jwtPayload: caller.payload }),
    },
  })
}

function answerOptions(request: WebhookRequest, atPath: readonly Registered[]): DoubleAnswer {
  if (atPath.length === 0 && request.headers['access-control-request-method'] !== undefined) {
    const page = answerPage(500, 'Internal Server Error')
    return { ...page, headers: { ...page.headers, 'access-control-allow-methods': 'OPTIONS' } }
  }
  const methods = ['OPTIONS', ...atPath.map(({ webhook }) => webhook.method)]
  return {
    status: 204,
    headers:
      request.headers['origin'] === undefined
        ? {}
        : {
            'access-control-allow-methods': methods.join(', '),
            'access-control-allow-origin': request.headers['origin'],
            'access-control-max-age': '300',
          },
    body: '',
  }
}

function notRegistered(request: WebhookRequest, atPath: readonly Registered[]): DoubleAnswer {
  const [other] = atPath
  return answerJson(
    404,
    other === undefined
      ? {
          code: 404,
          message: `The requested webhook "${request.method} ${request.path}" is not registered.`,
          hint: 'The workflow must be active for a production URL to run successfully.',
        }
      : {
          code: 404,
          message: `This webhook is not registered for ${request.method} requests. Did you mean to make a ${other.webhook.method} request?`,
        },
  )
}

function readBody(request: WebhookRequest): { readonly value: JsonValue } | DoubleAnswer {
  const type = request.headers['content-type'] ?? ''
  if (!type.includes('json')) return { value: request.body === '' ? {} : request.body }
  if (request.body === '') return { value: {} }
  try {
    return { value: JSON.parse(request.body) as JsonValue }
  } catch (error) {
    return answerJson(422, {
      code: 422,
      message: 'Failed to parse request body',
      hint: error instanceof Error ? error.message : String(error),
    })
  }
}

interface Run {
  readonly request: WebhookRequest
  /** The webhook node's own output. */
  readonly item: JsonObject
}

/** What only the double itself finds: a Respond node is waited for, and there is none. */
type Ended = WorkflowRun | { readonly mute: true }

async function run(state: DoubleState, found: Registered, call: Run): Promise<WebhookReply> {
  const { workflow, version, webhook } = found
  const execution = startExecution(state, workflow, version)
  const behave = behaviourOf(state, found)
  const ended = (async (): Promise<Ended> => {
    try {
      return await (behave === undefined
        ? passThrough(found, call)
        : behave(behaviourCall(found, call, execution)))
    } catch (error) {
      return {
        fails: {
          node: lastNode(version, webhook.name),
          message: error instanceof Error ? error.message : String(error),
        },
      }
    }
  })()
  const mode = webhook.parameters['responseMode'] ?? 'onReceived'
  if (mode === 'onReceived') {
    void ended.then((outcome) => settle(state, execution, { found, call, outcome }))
    return answerJson(200, { message: 'Workflow was started' })
  }
  const outcome = await ended
  // Whatever stopped the run in the meantime has the last word.
  if (execution.status !== 'running') return execution.status === 'crashed' ? 'cut' : problem
  return settle(state, execution, { found, call, outcome })
}

const behaviourOf = (
  state: DoubleState,
  { workflow, webhook }: Registered,
): DoubleState['behaviours'][number]['run'] | undefined =>
  state.behaviours.findLast(({ match }) =>
    typeof match === 'string'
      ? match === workflow.name || match === webhook.path
      : match({ id: workflow.id, name: workflow.name, path: webhook.path }),
  )?.run

function behaviourCall(
  { workflow, version }: Registered,
  { request, item }: Run,
  execution: DoubleExecution,
): WebhookCall {
  return {
    body: item['body'] ?? null,
    headers: request.headers,
    query: Object.fromEntries(request.query),
    method: request.method,
    path: request.path,
    workflow: { id: workflow.id, name: workflow.name, versionId: version.versionId },
    executionId: execution.id,
    signal: request.signal,
  }
}

/** Without a behaviour, a Set node at the end gives its fixed JSON, and everything else passes on what it gets. */
function passThrough({ version, webhook }: Registered, { item }: Run): Ended {
  const last = version.nodes.find((node) => node['name'] === lastNode(version, webhook.name))
  const responds = version.nodes.some((node) => node['type'] === 'n8n-nodes-base.respondToWebhook')
  if (webhook.parameters['responseMode'] === 'responseNode' && !responds) return { mute: true }
  const json = last?.parameters?.['jsonOutput']
  if (last?.['type'] === 'n8n-nodes-base.set' && typeof json === 'string' && !json.startsWith('='))
    return { result: JSON.parse(json) as JsonValue }
  return { result: item }
}

/** Where the first path from a node ends. */
function lastNode(version: DoubleWorkflowVersion, start: string): string {
  const seen = new Set<string>()
  let name = start
  while (!seen.has(name)) {
    seen.add(name)
    const main = (version.connections[name] as JsonObject | undefined)?.['main']
    const [targets] = Array.isArray(main) ? main : []
    const [target] = Array.isArray(targets) ? targets : []
    const next = (target as JsonObject | undefined)?.['node']
    if (typeof next === 'string') name = next
  }
  return name
}

function settle(
  state: DoubleState,
  execution: DoubleExecution,
  {
    found,
    call,
    outcome,
  }: { readonly found: Registered; readonly call: Run; readonly outcome: Ended },
): WebhookReply {
  const { version, webhook } = found
  const first = { node: webhook.name, items: [call.item] }
  const last = lastNode(version, webhook.name)
  const waitsForRespond = webhook.parameters['responseMode'] === 'responseNode'
  const end = (
    items: readonly JsonValue[],
    status: DoubleExecution['status'] = 'success',
  ): void => {
    endExecution(state, execution, {
      status,
      outputs: last === webhook.name ? [first] : [first, { node: last, items }],
    })
  }
  const fail = ({ node, message }: { readonly node: string; readonly message: string }): void => {
    endExecution(state, execution, {
      status: 'error',
      outputs: [first],
      error: { node, message, name: 'NodeOperationError' },
    })
  }
  if ('fails' in outcome) {
    fail(outcome.fails)
    // 1.x does not tell a caller that waits for a Respond node.
    return waitsForRespond && state.major === 1
      ? nothing
      : answerJson(500, { message: 'Error in workflow' })
  }
  if ('mute' in outcome) {
    end([call.item])
    return answerJson(500, {
      code: 0,
      message: 'No Respond to Webhook node found in the workflow',
    })
  }
  if ('timesOut' in outcome) {
    endExecution(state, execution, {
      status: 'canceled',
      outputs: [first],
      error: {
        node: last,
        message: 'The execution was cancelled because it timed out',
        name: 'TimeoutExecutionCancelledError',
      },
    })
    return waitsForRespond
      ? answerJson(500, { code: 0, message: 'The execution was cancelled because it timed out' })
      : problem
  }
  if ('crashes' in outcome) {
    endExecution(state, execution, { status: 'crashed', outputs: [] })
    return 'cut'
  }
  if ('waits' in outcome) {
    const { result = call.item } = outcome
    end([result], 'waiting')
    return answerJson(200, result)
  }
  if ('cuts' in outcome) {
    end([outcome.result])
    return 'cut'
  }
  if ('responds' in outcome) {
    const { thenFails } = outcome.responds
    if (thenFails === undefined) end([call.item])
    else fail(thenFails)
    const { status = 200, body, contentType = 'application/json; charset=utf-8' } = outcome.responds
    return { status, headers: { 'content-type': contentType }, body }
  }
  const items = 'items' in outcome ? outcome.items : [outcome.result]
  end(items)
  return answerItems(webhook, items)
}

function answerItems(webhook: WebhookNode, items: readonly JsonValue[]): DoubleAnswer {
  const data = webhook.parameters['responseData'] ?? 'firstEntryJson'
  const waitsForRespond = webhook.parameters['responseMode'] === 'responseNode'
  if (waitsForRespond && items.length === 0) return nothing
  if (waitsForRespond || data === 'firstEntryJson')
    return items[0] === undefined
      ? answerJson(500, { code: 0, message: 'No item to return was found' })
      : answerJson(200, items[0])
  if (data === 'allEntries') return answerJson(200, items)
  return nothing
}
