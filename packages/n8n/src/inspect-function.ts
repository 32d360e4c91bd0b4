import { ToolError } from '@toolcrib/registry'
import { bindWorkflow } from './bind-workflow.ts'
import { liveWorkflow } from './live-workflow.ts'
import type { N8nCallOptions, N8nClient, StoredWorkflow } from './n8n-client.ts'
import type { FunctionState, N8nFunction } from './n8n-function.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import { findDifferences } from './workflow-difference.ts'

/**
 * Compares what runs on the server with what was deployed: the version that is live, not a draft that somebody saved. One
 * request, and nothing is run.
 *
 * Whether the value of a credential was replaced cannot be seen from outside; calls are refused then.
 *
 * @param workflow as its author wrote it
 * @throws {ToolError} N8N_NO_WEBHOOK, N8N_OPTION_INVALID for a workflow or a function that never was deployed so
 * @throws the reason of the signal when that aborts; everything that n8n does is a state
 */
// oxlint-disable-next-line max-params -- the shape of every function here: client, function, content, options
export async function inspectFunction(
  client: N8nClient,
  fn: N8nFunction,
  workflow: N8nWorkflow,
  options: N8nCallOptions = {},
): Promise<FunctionState> {
  const expected = bindWorkflow(workflow, fn.binding)
  let stored: StoredWorkflow
  try {
    stored = await client.workflows.get(fn.workflowId, options)
  } catch (error) {
    return readFailure(client, error, options)
  }
  const fields = [
    ...(stored.isArchived ? ['archived'] : []),
    ...(stored.active ? [] : ['active']),
    ...findDifferences(expected, liveWorkflow(stored)),
  ]
  if (fields.length === 0) return { state: 'intact' }
  return { state: 'changed', reason: explain(stored, fields), fields }
}

function explain({ active, isArchived }: StoredWorkflow, fields: readonly string[]): string {
  const changed = fields.filter((field) => field !== 'active' && field !== 'archived')
  const parts = [
    ...(isArchived ? ['was archived'] : []),
    ...(active || isArchived ? [] : ['was unpublished']),
    ...(changed.length === 0 ? [] : [`was changed: ${changed.join(', ')}`]),
  ]
  return `The workflow on the server ${parts.join(', and ')}.`
}

function readFailure(client: N8nClient, error: unknown, { signal }: N8nCallOptions): FunctionState {
  if (signal?.aborted === true && error === signal.reason) throw error
  if (!ToolError.is(error) || error.code === 'N8N_OPTION_INVALID') throw error
  if (error.code === 'N8N_NOT_FOUND')
    return {
      state: 'changed',
      reason: 'The workflow on the server was deleted, or the key may not see it any more.',
      fields: ['deleted'],
    }
  return { state: 'unknown', reason: client.redact(error.message) }
}
