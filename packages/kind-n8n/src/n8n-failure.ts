import type { WorkflowOutcome } from '@toolcrib/n8n'
import { type JsonObject, ToolError } from '@toolcrib/registry'
import { quoteShown, showText } from '@toolcrib/toolsmaker/kind'

type FailedOutcome = Extract<WorkflowOutcome, { ok: false }>

/** What a failed run becomes for the caller: the sentence for a model, the facts for a program. */
export function n8nFailure({ error, executionId, mayStillBeRunning }: FailedOutcome): ToolError {
  const { code, details, message, node } = error
  const place =
    node === undefined || message.includes(node) ? '' : ` (in the node ${quoteShown(node)})`
  const data: JsonObject = {
    n8nCode: code,
    ...(node === undefined ? {} : { node }),
    ...(executionId === undefined ? {} : { executionId }),
    ...(details === undefined ? {} : { details }),
    ...(mayStillBeRunning === undefined ? {} : { mayStillBeRunning }),
  }
  return new ToolError('TOOL_FAILED', `${showText(message)}${place}`, { data })
}

/** A call whose time ended or that was cancelled: n8n knows nothing of that and goes on. */
export function n8nStopped(reason: unknown): ToolError {
  const why = reason instanceof Error ? reason.message : 'The call was stopped.'
  return new ToolError(
    'TOOL_FAILED',
    `${why} What n8n has begun it carries through, so its effects may still happen.`,
    { cause: reason, data: { n8nCode: 'N8N_OUTCOME_UNKNOWN', mayStillBeRunning: true } },
  )
}
