import { type N8nClient, retireFunction, undoDeployment } from '@toolcrib/n8n'
import { ToolError } from '@toolcrib/registry'
import { describeLeft, emptyDeployment } from './n8n-deployment-state.ts'
import type { N8nDeployment, N8nDeployments } from './n8n-deployments.ts'

/** The server, and the record of what is on it. */
interface DeploymentPlace {
  readonly client: N8nClient
  readonly deployments: N8nDeployments
}

/** What an interrupted deployment left is removed before anything else is created. */
export async function clearProgress(
  { client, deployments }: DeploymentPlace,
  known: N8nDeployment,
  signal: AbortSignal | undefined,
): Promise<N8nDeployment> {
  if (known.progress === undefined) return known
  const { leftBehind: _leftBehind, progress, ...rest } = known
  const outcome = await undoDeployment(client, progress, { signal })
  const left = describeLeft(outcome)
  // A credential of no known id, which nobody uses, is no reason to stop: n8n 1.x cannot list them.
  const isHarmless = outcome.left.every((what) => what.startsWith('credential "'))
  if (!isHarmless) {
    await deployments.write({ ...known, leftBehind: left })
    throw new Error(`What an earlier deployment left on n8n could not be removed: ${left}.`)
  }
  const next: N8nDeployment = outcome.removed ? rest : { ...rest, abandoned: left }
  await deployments.write(next)
  return next
}

/** A workflow that was deleted or archived cannot be made live again, so it makes room for a new one. */
export async function forgetLost(
  { client, deployments }: DeploymentPlace,
  known: N8nDeployment,
  signal: AbortSignal | undefined,
): Promise<N8nDeployment> {
  if (known.function === undefined) return known
  const { workflowId } = known.function
  try {
    if (!(await client.workflows.get(workflowId, { signal })).isArchived) return known
  } catch (error) {
    if (!ToolError.is(error, 'N8N_NOT_FOUND')) throw error
  }
  const outcome = await retireFunction(client, known.function, { signal })
  if (!outcome.removed)
    throw new Error(`What was on n8n before could not be removed: ${describeLeft(outcome)}.`)
  const elsewhere = `workflow ${workflowId} on ${known.baseUrl}, which may still be live there`
  const isHere = known.baseUrl === client.baseUrl
  const next = emptyDeployment(isHere ? known : { ...known, abandoned: elsewhere }, client)
  await deployments.write(next)
  return next
}
