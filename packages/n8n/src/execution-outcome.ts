import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { answersWell, mayAnswerWith } from './answering-nodes.ts'
import { findWebhook } from './bind-workflow.ts'
import { isObject } from './is-object.ts'
import type { N8nErrorCode } from './error-catalogue.ts'
import { type CallTrace, lastOutputs, resultData } from './execution-lookup.ts'
import type { N8nExecution } from './n8n-client.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import {
  type AnswerInHand,
  type LookUpReason,
  isOnlyEcho,
  noJsonMessage,
} from './webhook-answer.ts'
import { type Envelope, readEnvelope } from './workflow-envelope.ts'

const maxMessageLength = 1_000

/** What the look-up of a call gave. */
export interface LookedUp {
  readonly ok: boolean
  readonly result?: JsonValue
  readonly code?: N8nErrorCode
  readonly message?: string
  readonly node?: string
  readonly details?: JsonValue
  readonly executionId?: string
  readonly mayStillBeRunning?: true
}

/** Why a call was looked up: an answer that says too little, or none. */
export type LookUpCause = LookUpReason | 'timeout' | 'connection'

const noAnswer: Readonly<Record<LookUpCause, readonly [N8nErrorCode, string]>> = {
  failed: ['N8N_EXECUTION_FAILED', 'A node of the workflow failed.'],
  problem: ['N8N_OUTCOME_UNKNOWN', 'n8n reported a problem with the workflow.'],
  echo: ['N8N_EXECUTION_WAITS', 'The workflow stopped to wait, so its result is not known yet.'],
  gateway: ['N8N_OUTCOME_UNKNOWN', 'The answer did not come from n8n.'],
  empty: ['N8N_RESULT_INVALID', 'The workflow answered with nothing.'],
  notice: ['N8N_RESULT_INVALID', 'The workflow gave no result.'],
  answered: ['N8N_OUTCOME_UNKNOWN', 'The answer may be that of the workflow.'],
  timeout: ['N8N_TIMEOUT', 'The workflow did not answer in time.'],
  connection: ['N8N_UNREACHABLE', 'The connection broke in mid-call.'],
}

/** What is known of a call beside its execution. */
export interface LookedUpCall {
  readonly cause: LookUpCause
  /** Where there was an answer that says too little. */
  readonly answer?: AnswerInHand | undefined
  /** What was called, where the execution says that it ran to its end. */
  readonly workflow?: N8nWorkflow | undefined
}

/** Says what became of a call, from its execution where that was found. */
export function readTrace(trace: CallTrace, call: LookedUpCall): LookedUp {
  const { answer, cause } = call
  const { code, message, details } = { ...unanswered(cause), ...answer?.otherwise }
  switch (trace.state) {
    case 'waiting':
      if (isOwnAnswer(call))
        return {
          ...describeAnswer(call.answer),
          executionId: trace.execution.id,
          mayStillBeRunning: true,
        }
      return {
        ok: false,
        code: 'N8N_EXECUTION_WAITS',
        message: 'The workflow stopped to wait, so its result is not known yet.',
        executionId: trace.execution.id,
        mayStillBeRunning: true,
      }
    case 'ended':
      return readExecution(trace.execution, call)
    case 'running':
      if (cause === 'failed') return { ok: false, code, message }
      if (cause === 'echo') return describeEcho('n8n has no record of the call yet.', answer?.json)
      return {
        ok: false,
        code,
        message: `${message} It may still be running.`,
        ...(details === undefined ? {} : { details }),
        mayStillBeRunning: true,
      }
    default:
      // n8n said itself that it failed, or that it waits (1.x lists no execution that waits).
      if (cause === 'failed') return { ok: false, code, message }
      if (cause === 'echo') return describeEcho(trace.reason, answer?.json)
      // That n8n has no record of it proves nothing: it may keep none of runs that succeed.
      if (answer?.otherwise !== undefined)
        return {
          ok: false,
          code,
          message: `${message} Whether the workflow ran is not known: ${trace.reason}`,
          ...(details === undefined ? {} : { details }),
          mayStillBeRunning: true,
        }
      if (cause === 'empty')
        return {
          ok: false,
          code,
          message: `${message} Either a node failed before it could answer, or its result is nothing; which of the two is not known: ${trace.reason}`,
        }
      return {
        ok: false,
        code: 'N8N_OUTCOME_UNKNOWN',
        message: `${message} Whether it ran is not known: ${trace.reason}`,
        mayStillBeRunning: true,
      }
  }
}

/** Whether the answer in hand is one that the workflow itself may have given. */
function isOwnAnswer(call: LookedUpCall): call is LookedUpCall & { readonly answer: AnswerInHand } {
  const { answer, cause, workflow } = call
  return (
    (cause === 'answered' || cause === 'gateway') &&
    answer !== undefined &&
    workflow !== undefined &&
    mayAnswerWith(workflow, answer.status)
  )
}

function unanswered(cause: LookUpCause): NonNullable<AnswerInHand['otherwise']> {
  const [code, message] = noAnswer[cause]
  return { code, message }
}

function readExecution(execution: N8nExecution, call: LookedUpCall): LookedUp {
  const { answer, cause, workflow } = call
  const executionId = execution.id
  if (execution.status === 'unknown')
    return {
      ok: false,
      code: 'N8N_OUTCOME_UNKNOWN',
      message: `n8n does not say how the run went (execution ${executionId}).`,
      executionId,
      mayStillBeRunning: true,
    }
  // Also where it failed later: what it answered is what it has to say.
  if (isOwnAnswer(call)) return { ...describeAnswer(call.answer), executionId }
  if (execution.status !== 'success') return { ...describeFailure(execution), executionId }
  if (cause === 'empty') return describeNothing(execution)
  if (cause === 'echo') return readResult(answer?.json ?? null, executionId)
  if (answer !== undefined && workflow !== undefined) {
    // Both modes of it answer when it has run, so that n8n never says that it was only started.
    if (cause === 'notice' && answer.json !== undefined)
      return { ok: true, result: answer.json, executionId }
    if (mayAnswerWith(workflow, answer.status)) return { ...describeAnswer(answer), executionId }
  }
  if (cause === 'notice') return { ok: false, ...answer?.otherwise, executionId }
  const result = workflow === undefined ? undefined : recoverResult(execution, workflow)
  if (result === undefined)
    return {
      ok: false,
      code: 'N8N_OUTCOME_UNKNOWN',
      message: `The workflow ran to its end (execution ${executionId}), but its answer was lost. Do not call it again without a check.`,
      executionId,
    }
  if (result === 'none')
    return {
      ok: false,
      code: 'N8N_RESULT_INVALID',
      message:
        'The workflow ran, and its last node returned nothing. Let it return one item (setting alwaysOutputData).',
      executionId,
    }
  return readResult(result.json, executionId)
}

/** Reads what a workflow gave, whether it came as the answer or stands in the execution. */
function readResult(result: JsonValue, executionId: string): LookedUp {
  if (isOnlyEcho(result))
    return {
      ok: false,
      code: 'N8N_RESULT_INVALID',
      message:
        'The workflow ran, and its last node gave only the request back. Let it return a result.',
      executionId,
    }
  const envelope = readEnvelope(result)
  if (envelope === undefined) return { ok: true, result, executionId }
  if (envelope.ok) return { ok: true, result: envelope.result, executionId }
  return { ...describeEnvelope(envelope), executionId }
}

function describeEnvelope({ message, node, details }: Envelope & { readonly ok: false }): LookedUp {
  return {
    ok: false,
    code: 'N8N_EXECUTION_FAILED',
    message,
    ...(node === undefined ? {} : { node }),
    details,
  }
}

/** A workflow that waits gives on what it had by then, and n8n 1.x lists no execution that waits. */
function describeEcho(reason: string, json: JsonValue | undefined): LookedUp {
  const [code, message] = noAnswer.echo
  if (json === undefined || isOnlyEcho(json))
    return { ok: false, code, message, mayStillBeRunning: true }
  return {
    ok: false,
    code: 'N8N_OUTCOME_UNKNOWN',
    message: `The workflow answered. Whether that is its result, or it stopped to wait, is not known: ${reason}`,
    details: json,
    mayStillBeRunning: true,
  }
}

/** The workflow itself answered with a status that is no success. */
function describeAnswer({ body, json, status }: AnswerInHand): LookedUp {
  const envelope = json === undefined ? undefined : readEnvelope(json)
  if (envelope?.ok === false) return describeEnvelope(envelope)
  if (json === undefined && status >= 200 && status < 300)
    return { ok: false, code: 'N8N_RESULT_INVALID', message: noJsonMessage }
  const { message } = isObject(json) ? json : {}
  const text = typeof message === 'string' ? message : json === undefined ? body.trim() : ''
  const said =
    text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…`.toWellFormed() : text
  return {
    ok: false,
    code: 'N8N_EXECUTION_FAILED',
    message: `The workflow answered with status ${status}${said === '' ? '' : `: ${said}`}`,
    ...(json === undefined ? {} : { details: json }),
  }
}

/**
 * What the webhook would have answered: of the first output of the last node, as n8n does (webhook-last-node-response-extractor).
 * `undefined` where that does not follow from the execution alone.
 */
function recoverResult(
  execution: N8nExecution,
  { nodes }: N8nWorkflow,
): { readonly json: JsonValue } | 'none' | undefined {
  const webhook = findWebhook({ nodes })
  if (webhook.parameters['responseMode'] !== 'lastNode' || !answersWell(webhook)) return undefined
  const { responseData = 'firstEntryJson', options = {} } = webhook.parameters
  if (isObject(options) && options['responsePropertyName'] !== undefined) return undefined
  const { lastNodeExecuted } = resultData(execution)
  if (typeof lastNodeExecuted !== 'string') return undefined
  const [items = []] = lastOutputs(execution, lastNodeExecuted)
  const values = items.map((item) => (isObject(item) ? item['json'] : undefined))
  if (values.includes(undefined)) return undefined
  if (responseData === 'allEntries') return { json: values as JsonValue[] }
  if (responseData !== 'firstEntryJson') return undefined
  const [first] = values
  return first === undefined ? 'none' : { json: first }
}

/** It ran to its end, without reaching a node that answers with something. */
function describeNothing(execution: N8nExecution): LookedUp {
  const { lastNodeExecuted } = resultData(execution)
  const last =
    typeof lastNodeExecuted === 'string' ? ` Its last node was "${lastNodeExecuted}".` : ''
  return {
    ok: false,
    code: 'N8N_RESULT_INVALID',
    message: `The workflow ran and answered with nothing.${last} Its result must be one JSON value.`,
    executionId: execution.id,
  }
}

function describeFailure(execution: N8nExecution): LookedUp {
  const { error, lastNodeExecuted } = resultData(execution)
  const failed = isObject(error) ? error : {}
  // Of a run that was stopped it may be the last node that ended, or the one that was stopped.
  const last = execution.status === 'canceled' ? undefined : lastNodeExecuted
  const node = readNode(failed) ?? (typeof last === 'string' ? last : undefined)
  return {
    ok: false,
    code: 'N8N_EXECUTION_FAILED',
    message: describeError(execution.status, failed),
    ...(node === undefined ? {} : { node }),
  }
}

function describeError(status: string, { message, description }: JsonObject): string {
  // n8n calls it "manually" where its own time limit ended it too.
  if (status === 'canceled')
    return 'The workflow was stopped before its end: by its executionTimeout, or by hand.'
  if (status === 'crashed') return 'n8n stopped while the workflow ran.'
  const texts = [message, description].filter(
    (text): text is string => typeof text === 'string' && text.trim() !== '',
  )
  const [first, second] = texts
  if (first === undefined) return `The workflow failed (${status}).`
  const text = second === undefined || first.includes(second) ? first : `${first} (${second})`
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text
}

function readNode({ node }: JsonObject): string | undefined {
  const name = isObject(node) ? node['name'] : undefined
  return typeof name === 'string' ? name : undefined
}
