import { ToolError } from '@toolcrib/registry'
import { bindWorkflow, findWebhook } from './bind-workflow.ts'
import { hashWorkflow } from './canonical-workflow.ts'
import { readDeploySettings } from './deploy-function.ts'
import type { N8nCallOptions, N8nClient } from './n8n-client.ts'
import type { N8nFunction, RollbackFunctionOptions, WorkflowBinding } from './n8n-function.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import { replaceFunction, updateFunction } from './update-function.ts'
import { findDifferences } from './workflow-difference.ts'

/**
 * Makes an older version live again: that of n8n's history where it still is what is expected, else a new one with the same
 * content, as {@link updateFunction} makes it. n8n 1.x has no history, so it is always a new one there.
 *
 * @throws as {@link updateFunction}
 */
export async function rollbackFunction(
  client: N8nClient,
  fn: N8nFunction,
  options: RollbackFunctionOptions,
): Promise<N8nFunction> {
  const { versionId, workflow, ...update } = options
  const settings = readDeploySettings(update)
  const binding = await findOlder(client, {
    fn,
    versionId,
    workflow,
    name: options.name,
    call: settings.call,
  })
  if (binding === undefined) return await updateFunction(client, fn, workflow, update)
  const bound = bindWorkflow(workflow, binding)
  const previous = update.previous && bindWorkflow(update.previous, fn.binding)
  return await replaceFunction(
    client,
    { ...fn, binding, hash: await hashWorkflow(bound) },
    { fn, bound, previous, settings, options: update, versionId },
  )
}

interface Wanted {
  readonly fn: N8nFunction
  readonly versionId: string
  readonly workflow: N8nWorkflow
  readonly name: string | undefined
  readonly call: N8nCallOptions
}

/** The binding that the older version has, if its nodes and connections are the expected ones under it. */
async function findOlder(
  client: N8nClient,
  { fn, versionId, workflow, name = fn.binding.name, call }: Wanted,
): Promise<WorkflowBinding | undefined> {
  if (!(await client.capabilities(call)).history) return undefined
  try {
    const { nodes, connections } = await client.workflows.version(fn.workflowId, versionId, call)
    if (nodes === undefined || connections === undefined) return undefined
    const { parameters, webhookId } = findWebhook({ nodes })
    const { path } = parameters
    // At the path that is live now, an answer would not tell which version gave it.
    if (typeof path !== 'string' || webhookId === undefined || path === fn.binding.path)
      return undefined
    const binding: WorkflowBinding = { ...fn.binding, name, path, webhookId }
    const bound = bindWorkflow(workflow, binding)
    return findDifferences(bound, { ...bound, nodes, connections }).length === 0
      ? binding
      : undefined
  } catch (error) {
    // It was pruned, or is none that could be bound.
    const isUnfit = ['N8N_NOT_FOUND', 'N8N_NO_WEBHOOK', 'N8N_OPTION_INVALID'].some((code) =>
      ToolError.is(error, code),
    )
    if (isUnfit) return undefined
    throw error
  }
}
