import { type JsonObject, type JsonValue, ToolError } from '@toolcrib/registry'
import { type AnswerFacts, answerFactsOf } from './answering-nodes.ts'
import { findWebhook } from './bind-workflow.ts'
import { sleep } from './deadline.ts'
import type { N8nErrorCode } from './error-catalogue.ts'
import { callIdHeader, traceCall } from './execution-lookup.ts'
import { type LookUpCause, type LookedUp, readTrace } from './execution-outcome.ts'
import { signToken } from './function-token.ts'
import { liveWorkflow } from './live-workflow.ts'
import type { N8nClient, WebhookAnswer } from './n8n-client.ts'
import type { ExecuteOptions, N8nFunction, WorkflowOutcome } from './n8n-function.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import { assertDuration, assertId, assertWholeNumber, optionError } from './option-check.ts'
import { type AnswerInHand, readWebhookAnswer } from './webhook-answer.ts'

const defaultLookupTimeoutMs = 3_000
const firstRetryPauseMs = 100
const maxRetryPauseMs = 1_000
/** Those that `deployFunction` makes have 40 characters. */
const shortestSecretPath = 32
const maxDurationMs = 2_147_483_647
const headerPattern = /^[\x21-\x7e]{1,200}$/

/**
 * Calls a workflow like a function: `args` are the body of a POST to its webhook, its answer is the result. The envelope
 * `{ ok, result | error, executionId }` is unwrapped where the workflow answers in it.
 *
 * By id it works for a webhook without authentication only; a function brings the secret that its webhook asks for.
 *
 * Never throws for what the workflow or the server does, and never sends a call again that may have run. A failed or lost
 * call is looked up in n8n's executions by its call id. Where that is not possible, the outcome says that it is unknown.
 *
 * Sent once is not run once: n8n may run a call twice that reaches it while it starts (seen on 1.123.81), as one execution.
 * What must not happen twice belongs behind a service that heeds the header `idempotency-key`.
 *
 * @throws {ToolError} N8N_OPTION_INVALID
 * @throws the reason of the signal when that aborts; n8n runs the workflow to its end all the same
 */
// oxlint-disable-next-line max-params -- the shape of every function here: client, function, content, options
export async function executeWorkflow(
  client: N8nClient,
  functionOrId: N8nFunction | string,
  args: JsonObject,
  options: ExecuteOptions = {},
): Promise<WorkflowOutcome> {
  const start = performance.now()
  const settings = readOptions(args, options)
  try {
    const target = await findTarget(client, functionOrId, options)
    const outcome =
      'failed' in target ? target.failed : await callTarget(client, target, { args, ...settings })
    return hideSecrets(client, toOutcome(outcome, performance.now() - start), target)
  } catch (error) {
    if (options.signal?.aborted === true) throw options.signal.reason
    if (!ToolError.is(error) || error.code === 'N8N_OPTION_INVALID') throw error
    return toOutcome(fromError(client, error), performance.now() - start)
  }
}

type ExecuteSettings = Required<
  Pick<ExecuteOptions, 'callId' | 'idempotencyKey' | 'lookupTimeoutMs' | 'retryUnsentMs'>
> &
  Pick<ExecuteOptions, 'signal' | 'timeoutMs'>

function readOptions(args: unknown, options: ExecuteOptions): ExecuteSettings {
  const { callId = crypto.randomUUID(), signal, timeoutMs } = options
  const {
    idempotencyKey = callId,
    lookupTimeoutMs = defaultLookupTimeoutMs,
    retryUnsentMs = 0,
  } = options
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw optionError({ field: 'args', rule: 'an object, such as { city: "Lagos" }', value: args })
  for (const [field, value] of Object.entries({ callId, idempotencyKey }))
    if (typeof value !== 'string' || !headerPattern.test(value))
      throw optionError({ field, rule: '1 to 200 visible ASCII characters', value })
  const limits = { from: 0, to: maxDurationMs, unit: ' (milliseconds)' }
  assertWholeNumber('lookupTimeoutMs', lookupTimeoutMs, limits)
  assertWholeNumber('retryUnsentMs', retryUnsentMs, limits)
  if (timeoutMs !== undefined) assertDuration('timeoutMs', timeoutMs)
  signal?.throwIfAborted()
  return {
    callId,
    idempotencyKey,
    lookupTimeoutMs,
    retryUnsentMs,
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** What is called. */
interface Target extends AnswerFacts {
  readonly workflowId: string
  readonly path: string
  readonly secret?: string
}

async function findTarget(
  client: N8nClient,
  functionOrId: N8nFunction | string,
  { signal, timeoutMs }: ExecuteOptions,
): Promise<Target | { readonly failed: LookedUp }> {
  if (typeof functionOrId !== 'string') {
    const { workflowId, binding, givesOnlyJson, givesOnlySuccess, mayWait, secret } = functionOrId
    return {
      workflowId,
      path: binding.path,
      ...(secret === undefined ? {} : { secret }),
      ...(mayWait === undefined ? {} : { mayWait }),
      ...(givesOnlyJson === undefined ? {} : { givesOnlyJson }),
      ...(givesOnlySuccess === undefined ? {} : { givesOnlySuccess }),
    }
  }
  assertId('functionOrId', functionOrId)
  const call = { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
  const stored = await client.workflows.get(functionOrId, call)
  if (!stored.active) return failed('N8N_NOT_CALLABLE', 'The workflow is not published.')
  const live = liveWorkflow(stored)
  const { parameters } = findWebhook(live)
  const { path, authentication = 'none' } = parameters
  if (authentication !== 'none')
    return failed(
      'N8N_CALL_REFUSED',
      'The webhook of the workflow asks for a credential, so it cannot be called by id. Call it with the function that deployFunction gave.',
    )
  if (typeof path !== 'string' || path === '' || path.includes(':') || path.startsWith('='))
    return failed('N8N_NO_WEBHOOK', 'The webhook of the workflow has no fixed path.')
  return { workflowId: functionOrId, path, ...answerFactsOf(live) }
}

type Call = ExecuteSettings & { readonly args: JsonObject }

async function callTarget(client: N8nClient, target: Target, call: Call): Promise<LookedUp> {
  const end = performance.now() + call.retryUnsentMs
  for (let pauseMs = firstRetryPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxRetryPauseMs)) {
    const outcome = await callOnce(client, target, call)
    const left = end - performance.now()
    if (!('isUnsent' in outcome) || left <= pauseMs) return outcome
    await sleep(pauseMs, call.signal)
  }
}

async function callOnce(
  client: N8nClient,
  target: Target,
  call: Call,
): Promise<LookedUp | (LookedUp & { readonly isUnsent: true })> {
  const { callId, idempotencyKey, signal, timeoutMs } = call
  const { givesOnlyJson, givesOnlySuccess, mayWait, secret, path, workflowId } = target
  const token = secret === undefined ? undefined : await signToken(secret, { workflowId, callId })
  let answer: WebhookAnswer
  try {
    answer = await client.webhooks.trigger(path, call.args, {
      signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      headers: {
        [callIdHeader]: callId,
        'idempotency-key': idempotencyKey,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    })
  } catch (error) {
    if (signal?.aborted === true || !ToolError.is<N8nErrorCode>(error)) throw error
    return scrub(await readSendFailure(client, { error, target, call }), token)
  }
  const meaning = readWebhookAnswer(token === undefined ? answer : withoutToken(answer, token), {
    callId,
    path,
    mayWait,
    givesOnlyJson,
    givesOnlySuccess,
  })
  if (meaning.kind === 'look-up')
    return scrub(
      await lookUp(client, { target, call, cause: meaning.reason, answer: meaning }),
      token,
    )
  if (meaning.kind === 'result') {
    const { result, executionId } = meaning
    return { ok: true, result, ...(executionId === undefined ? {} : { executionId }) }
  }
  const { kind: _kind, ...failure } = meaning
  return { ok: false, ...failure }
}

async function readSendFailure(
  client: N8nClient,
  {
    error,
    target,
    call,
  }: { readonly error: ToolError<N8nErrorCode>; readonly target: Target; readonly call: Call },
): Promise<LookedUp | (LookedUp & { readonly isUnsent: true })> {
  const { code, data } = error
  if (code === 'N8N_OPTION_INVALID') throw error
  const failure = fromError(client, error)
  if (data['sent'] === false)
    return code === 'N8N_UNREACHABLE' ? { ...failure, isUnsent: true } : failure
  // It ran, and gave more than the client takes: there is nothing to look up.
  if (code === 'N8N_RESPONSE_TOO_LARGE') return failure
  const cause = code === 'N8N_TIMEOUT' ? 'timeout' : 'connection'
  return await lookUp(client, { target, call, cause })
}

async function lookUp(
  client: N8nClient,
  {
    target,
    call,
    cause,
    answer,
  }: {
    readonly target: Target
    readonly call: Call
    readonly cause: LookUpCause
    readonly answer?: AnswerInHand
  },
): Promise<LookedUp> {
  const { workflowId } = target
  const { callId, lookupTimeoutMs: withinMs, signal } = call
  const trace = await traceCall(client, { workflowId, callId, withinMs, signal })
  const isAnswered = cause === 'echo' || cause === 'empty'
  const isFound = trace.state === 'ended' || trace.state === 'waiting'
  // To tell whether the answer is its own, or what it would have answered.
  const isAsked =
    isFound && !isAnswered && (answer !== undefined || trace.execution.status === 'success')
  const workflow = isAsked ? await readWorkflow(client, target, call) : undefined
  return readTrace(trace, { cause, answer, workflow })
}

/** What is live now is what was called, unless somebody changed it in between. */
async function readWorkflow(
  client: N8nClient,
  { workflowId, path }: Target,
  { signal }: Call,
): Promise<N8nWorkflow | undefined> {
  try {
    const workflow = liveWorkflow(await client.workflows.get(workflowId, { signal }))
    return findWebhook(workflow).parameters['path'] === path ? workflow : undefined
  } catch (error) {
    if (signal?.aborted === true) throw error
    return undefined
  }
}

/** A workflow that gives its request back would hand the token to whoever reads the result. */
function withoutToken(answer: WebhookAnswer, token: string): WebhookAnswer {
  if (answer.json === undefined || !answer.body.includes(token)) return answer
  const body = answer.body.replaceAll(token, '[redacted]')
  return { ...answer, body, json: JSON.parse(body) as JsonValue }
}

/** The same for what was read from an execution, where n8n keeps the headers of the call. */
function scrub<Outcome extends LookedUp>(outcome: Outcome, token: string | undefined): Outcome {
  if (token === undefined) return outcome
  const text = JSON.stringify(outcome)
  return text.includes(token)
    ? (JSON.parse(text.replaceAll(token, '[redacted]')) as Outcome)
    : outcome
}

function failed(code: N8nErrorCode, message: string): { readonly failed: LookedUp } {
  return { failed: { ok: false, code, message } }
}

function fromError(client: N8nClient, error: ToolError<string>): LookedUp {
  return { ok: false, code: error.code as N8nErrorCode, message: client.redact(error.message) }
}

function toOutcome(looked: LookedUp, ms: number): WorkflowOutcome {
  const { executionId, mayStillBeRunning, code, message, node, details } = looked
  const rest = { ...(executionId === undefined ? {} : { executionId }), ms }
  if (looked.ok) return { ok: true, result: looked.result ?? null, ...rest }
  return {
    ok: false,
    error: {
      code: code ?? 'N8N_OUTCOME_UNKNOWN',
      message: message ?? '',
      ...(node === undefined ? {} : { node }),
      ...(details === undefined ? {} : { details }),
    },
    ...rest,
    ...(mayStillBeRunning === undefined ? {} : { mayStillBeRunning }),
  }
}

/** Messages are for models and logs: the path is half of what a caller needs. */
function hideSecrets(client: N8nClient, outcome: WorkflowOutcome, target: object): WorkflowOutcome {
  const { path } = target as Partial<Target>
  if (path === undefined) return outcome
  if (outcome.ok) return { ...outcome, result: withoutPath(outcome.result, path) }
  const clean = (text: string): string => client.redact(text).replaceAll(path, '[path]')
  const { message, details } = outcome.error
  const text = details === undefined ? undefined : JSON.stringify(details)
  return {
    ...outcome,
    error: {
      ...outcome.error,
      message: clean(message),
      ...(text === undefined ? {} : { details: JSON.parse(clean(text)) as JsonValue }),
    },
  }
}

/** A workflow reads the address of its webhook, and may give it back. Short paths are somebody's own, and may be any word. */
function withoutPath(result: JsonValue, path: string): JsonValue {
  if (path.length < shortestSecretPath) return result
  const text = JSON.stringify(result)
  return text.includes(path) ? (JSON.parse(text.replaceAll(path, '[path]')) as JsonValue) : result
}
