import type { JsonValue } from '@toolcrib/registry'
import { isObject } from './is-object.ts'
import type { N8nErrorCode } from './error-catalogue.ts'
import type { WebhookAnswer } from './n8n-client.ts'
import { callIdHeader, readWebhookOutput } from './execution-lookup.ts'
import { type Envelope, readEnvelope } from './workflow-envelope.ts'

/** What the answer of a webhook means. */
export type AnswerMeaning =
  | { readonly kind: 'result'; readonly result: JsonValue; readonly executionId?: string }
  | {
      readonly kind: 'failure'
      readonly code: N8nErrorCode
      readonly message: string
      readonly node?: string
      readonly details?: JsonValue
      readonly executionId?: string
      /** Nothing ran, and it may work in a moment. */
      readonly isUnsent?: true
    }
  /** The answer says too little; the execution says more. */
  | ({ readonly kind: 'look-up'; readonly reason: LookUpReason } & AnswerInHand)

/** An answer that may be the workflow's own. */
export interface AnswerInHand {
  readonly status: number
  readonly body: string
  readonly json?: JsonValue
  /** What it means where no run is found that could have given it. */
  readonly otherwise?: {
    readonly code: N8nErrorCode
    readonly message: string
    readonly details?: JsonValue
  }
}

export type LookUpReason =
  /** A node failed. */
  | 'failed'
  /** Its own time limit, a shutdown, or a request too large. */
  | 'problem'
  /** The run may have stopped to wait, for the webhook's own output came back or the workflow has nodes that wait. */
  | 'echo'
  /** Words of n8n that may be the result of the workflow as well. */
  | 'notice'
  /** A status and a text, of the workflow or of whatever stands before n8n. */
  | 'answered'
  /** Something between here and n8n answered. */
  | 'gateway'
  /** Success without a result: n8n 1.x says so of a node that failed before a Respond node, too. */
  | 'empty'

export const noJsonMessage =
  'The workflow ran and answered with something that is no JSON. Its result must be one JSON value.'
const executionProblem = 'There was a problem executing the workflow'

/** What n8n says with a status of 200 where there is no result. */
const noResultMessages: Readonly<Record<string, string>> = {
  'Workflow was started':
    'it answers before it has run (set responseMode of its webhook to "lastNode" or "responseNode")',
  'Webhook call received': 'its webhook refused to start it (option onlyRunIf)',
  'Workflow executed successfully but no data was returned': 'its last node returned no data',
  'Workflow executed successfully but the last node did not return any data':
    'its last node returned no data',
}

/** What an answer belongs to. */
interface AnsweredCall {
  readonly callId: string
  /** Of the webhook. */
  readonly path: string
  /** As in the function that is called. */
  readonly mayWait?: true | undefined
  readonly givesOnlyJson?: true | undefined
  readonly givesOnlySuccess?: true | undefined
}

/** That n8n did not run the workflow, if the words are its own. */
interface NotRun {
  readonly kind: 'not-run'
  readonly code: N8nErrorCode
  /** Without a capital letter and a full stop. */
  readonly fact: string
  readonly advice: string
  readonly isUnsent?: true
}

/** Reads the answer to a call. Nothing but JSON with a status of 200 to 299 that is not n8n's own notice is a result. */
export function readWebhookAnswer(answer: WebhookAnswer, call: AnsweredCall): AnswerMeaning {
  const { status, json } = answer
  const envelope = json === undefined ? undefined : readEnvelope(json)
  const isSuccess = status >= 200 && status < 300
  if (isSuccess && json !== undefined && call.mayWait === true) return lookUp(answer, 'echo')
  if (isSuccess && envelope !== undefined) return readEnvelopeAnswer(envelope)
  const meaning = isSuccess ? readSuccess(answer, call.callId) : readOther(answer, call.path)
  return meaning.kind === 'not-run' ? fromNotRun(meaning, answer, call) : meaning
}

/** A workflow that answers with any text may pass on the words of another n8n: what it did is looked up. */
function fromNotRun(
  { code, fact, advice, isUnsent }: NotRun,
  answer: WebhookAnswer,
  { givesOnlyJson, givesOnlySuccess }: Omit<AnsweredCall, 'callId' | 'path'>,
): AnswerMeaning {
  const isOther = givesOnlyJson === true || (givesOnlySuccess === true && answer.status >= 300)
  if (!isOther) return lookUp(answer, 'answered', { code, message: `The answer says: ${fact}.` })
  const message = `Nothing ran: ${fact}. ${advice}`.trimEnd()
  return { ...failure(code, message), ...(isUnsent === undefined ? {} : { isUnsent }) }
}

function readOther(answer: WebhookAnswer, path: string): AnswerMeaning | NotRun {
  const { status, json } = answer
  if (status >= 300 && status < 400)
    return lookUp(answer, 'answered', {
      code: 'N8N_RESPONSE_INVALID',
      message: `The webhook answered with a redirect (${status}), which is not followed. Check webhookBaseUrl.`,
    })
  return json === undefined ? readText(answer, path) : readJson(answer, json)
}

function lookUp(
  { status, body, json }: WebhookAnswer,
  reason: LookUpReason,
  otherwise?: AnswerInHand['otherwise'],
): AnswerMeaning {
  return {
    kind: 'look-up',
    reason,
    status,
    body,
    ...(json === undefined ? {} : { json }),
    ...(otherwise === undefined ? {} : { otherwise }),
  }
}

function readEnvelopeAnswer(envelope: Envelope): AnswerMeaning {
  const { executionId } = envelope
  const id = executionId === undefined ? {} : { executionId }
  if (envelope.ok) return { kind: 'result', result: envelope.result, ...id }
  const { message, node, details } = envelope
  return {
    kind: 'failure',
    code: 'N8N_EXECUTION_FAILED',
    message,
    ...(node === undefined ? {} : { node }),
    details,
    ...id,
  }
}

function readSuccess(answer: WebhookAnswer, callId: string): AnswerMeaning | NotRun {
  const { json, body } = answer
  if (json === undefined) {
    if (isStarting(body)) return starting
    if (body.trim() === '') return lookUp(answer, 'empty')
    return failure('N8N_RESULT_INVALID', noJsonMessage)
  }
  const notice = isObject(json) && Object.keys(json).length === 1 ? json['message'] : undefined
  const problem =
    typeof notice === 'string' && Object.hasOwn(noResultMessages, notice)
      ? noResultMessages[notice]
      : undefined
  if (problem !== undefined)
    return lookUp(answer, 'notice', {
      code: 'N8N_RESULT_INVALID',
      message: `The workflow gave no result: ${problem}.`,
    })
  return isEcho(json, callId) ? lookUp(answer, 'echo') : { kind: 'result', result: json }
}

/** The webhook node's own output for this call, with the headers of the caller in it. */
function isEcho(json: JsonValue, callId: string): boolean {
  const first = Array.isArray(json) ? (json as readonly JsonValue[])[0] : json
  return readWebhookOutput(first)?.[callIdHeader] === callId && isOnlyEcho(json)
}

const webhookKeys: ReadonlySet<string> = new Set(
  'headers params query body webhookUrl executionMode jwtPayload binary'.split(' '),
)

/** Whether it is what the webhook node gave and nothing else. Most nodes add to what they get, and their result has it in it. */
export function isOnlyEcho(json: JsonValue): boolean {
  const items = Array.isArray(json) ? (json as readonly JsonValue[]) : [json]
  if (items.length === 0) return false
  return items.every(
    (item) =>
      readWebhookOutput(item) !== undefined &&
      Object.keys(item as object).every((key) => webhookKeys.has(key)),
  )
}

/** n8n's own: a workflow may refuse its callers as well, in any words (n8n-nodes-base, Webhook). */
function isRefusal({ body, headers }: WebhookAnswer): boolean {
  return (
    headers['www-authenticate'] === 'Basic realm="Webhook"' ||
    /^IP is not (?:allowed|whitelisted) to access the webhook!$/.test(body)
  )
}

function readText(answer: WebhookAnswer, path: string): AnswerMeaning | NotRun {
  const { status, body } = answer
  if (isStarting(body)) return starting
  if (status === 401 || status === 403) {
    const refused = refusal(body)
    return isRefusal(answer) ? refused : fromNotRun(refused, answer, {})
  }
  // n8n's own "not registered" is JSON; that page comes from a server whose webhooks are not in place yet.
  if (status === 404 && isWithoutRoutes(body, path)) return starting
  if (status === 500 && isRefusal(answer))
    return notRun(
      'N8N_CALL_REFUSED',
      'the webhook has lost its credential on the server, so it accepts no call',
      'Deploy the workflow again.',
    )
  return readStatus(answer)
}

function readJson(answer: WebhookAnswer, json: JsonValue): AnswerMeaning | NotRun {
  const { status } = answer
  const { message = '', code } = isObject(json) ? json : {}
  const text = typeof message === 'string' ? message : ''
  if (status === 404 && /^(The requested webhook|This webhook is not registered)/.test(text))
    return notRun(
      'N8N_NOT_CALLABLE',
      'the webhook is not registered: the workflow is not published, was changed or taken down',
    )
  if (status === 404 && /^(Published version|Active version|Could not find workflow)/.test(text))
    return notRun('N8N_NOT_CALLABLE', 'the workflow is being published or taken down')
  if (status === 503 && text.startsWith('Database is not ready')) return starting
  if (status === 500 && isOnly(json, ['message']) && text === 'Error in workflow')
    return lookUp(answer, 'failed')
  if (status === 500 && code === 0 && text === 'No item to return was found')
    return failure(
      'N8N_RESULT_INVALID',
      'The workflow ran, and its last node returned nothing. Let it return one item (setting alwaysOutputData).',
    )
  if (status === 500 && code === 0 && text.startsWith('No Respond to Webhook node'))
    return failure(
      'N8N_RESULT_INVALID',
      'The workflow ran without reaching a Respond to Webhook node, so it gave no result.',
    )
  if (status === 500 && code === 0 && text.startsWith('Unused Respond to Webhook node'))
    return notRun(
      'N8N_NO_WEBHOOK',
      'n8n refuses calls of a workflow that has a Respond to Webhook node and whose webhook does not wait for it (responseMode "responseNode")',
    )
  // In these words where a Respond node was to answer, and not before its time limit ended the run.
  const isStopped = text.startsWith('The execution was cancelled')
  if (status === 500 && code === 0 && (isStopped || text === executionProblem))
    return lookUp(answer, 'problem')
  const envelope = readEnvelope(json)
  return readStatus(answer, envelope?.ok === false ? envelope.message : text)
}

/** Of the workflow, or of something before n8n: both answer with JSON as well. */
function readStatus(answer: WebhookAnswer, text = ''): AnswerMeaning {
  const { json, status } = answer
  const said = text === '' ? '' : `: ${text}`
  const details = json === undefined ? {} : { details: json }
  if (status >= 500)
    return json === undefined
      ? lookUp(answer, 'gateway')
      : lookUp(answer, 'gateway', {
          code: 'N8N_OUTCOME_UNKNOWN',
          message: `The webhook answered with status ${status}${said}.`,
          ...details,
        })
  if (status === 401 || status === 403)
    return lookUp(answer, 'answered', {
      code: 'N8N_CALL_REFUSED',
      message: `The call was refused with status ${status}${said}.`,
      ...details,
    })
  if (status === 413)
    return lookUp(answer, 'answered', {
      code: 'N8N_REQUEST_TOO_LARGE',
      message: 'The server does not take arguments that large.',
      ...details,
    })
  if (status === 429)
    return lookUp(answer, 'answered', {
      code: 'N8N_REQUEST_REFUSED',
      message: 'The server takes no more calls now (429). Call less often.',
      ...details,
    })
  return lookUp(answer, 'answered', {
    code: 'N8N_RESPONSE_INVALID',
    message:
      json === undefined
        ? `The webhook answered with status ${status} and no JSON. Check webhookBaseUrl.`
        : `The webhook answered with status ${status}${said}.`,
    ...details,
  })
}

function refusal(body: string): NotRun {
  const said = body.length > 0 && body.length <= 100 && !body.includes('<') ? ` (${body})` : ''
  const clocks =
    body === 'jwt expired'
      ? '. The clocks of n8n and of this machine differ by a minute or more'
      : ''
  return notRun(
    'N8N_CALL_REFUSED',
    `the webhook does not accept the credential of the call${said}${clocks}`,
  )
}

const starting: NotRun = {
  ...notRun('N8N_STARTING', 'n8n is starting or stopping', 'Try again in a moment.'),
  isUnsent: true,
}

/** Not a page that quotes it: a workflow may pass on what another server said. */
function isStarting(body: string): boolean {
  return body.length < 10_000 && /^(?:\s|<[^<>]*>)*n8n is starting up\b/.test(body)
}

/** Of the webhook itself: a workflow may pass on that another server has no such address. */
function isWithoutRoutes(body: string, path: string): boolean {
  const [, address = ''] = /Cannot POST (\/[^\s<?]*)/.exec(body) ?? []
  const end = `/${path.replace(/^\//, '')}`
  return address.endsWith(end) && address !== end
}

function isOnly(json: JsonValue, keys: readonly string[]): boolean {
  return isObject(json) && Object.keys(json).every((key) => keys.includes(key))
}

function notRun(code: N8nErrorCode, fact: string, advice = ''): NotRun {
  return { kind: 'not-run', code, fact, advice }
}

function failure(
  code: N8nErrorCode,
  message: string,
): AnswerMeaning & { readonly kind: 'failure' } {
  return { kind: 'failure', code, message }
}
