import { type N8nClient, inspectFunction } from '@toolcrib/n8n'
import { ToolError } from '@toolcrib/registry'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import type { N8nDeployment } from './n8n-deployments.ts'
import { n8nDefinitionOf } from '../read-n8n-definition.ts'

/** How a made tool is on the server. */
export interface N8nToolHealth {
  readonly toolName: string
  readonly baseUrl: string
  /** Absent where nothing of it was put onto a server. */
  readonly workflowId?: string
  /** Whether n8n answers and is ready to work. */
  readonly isReachable: boolean
  /** Whether a version of the workflow is live; absent where n8n could not be asked. */
  readonly isPublished?: boolean
  /** Whether it is what was put onto the server. */
  readonly state: 'intact' | 'changed' | 'unknown' | 'absent'
  /** Why it is not intact. */
  readonly reason?: string
  /** The last run that n8n keeps. */
  readonly lastRun?: {
    readonly executionId: string
    readonly status: string
    readonly startedAt?: string
    readonly stoppedAt?: string
  }
  /** What should be gone and may not be. */
  readonly leftBehind?: string
}

/** What is known of a tool here, for asking how it is there. */
export interface HealthSubject {
  readonly toolName: string
  readonly deployment: N8nDeployment | undefined
  /** The version that was last put into use, where it is known in this process. */
  readonly spec: ToolSpec | undefined
}

type Found = Pick<N8nToolHealth, 'isPublished' | 'isReachable' | 'reason' | 'state'>

/** Asks n8n how a tool is. A server that is down is an answer. */
export async function readN8nHealth(
  client: N8nClient,
  { deployment, spec, toolName }: HealthSubject,
  signal: AbortSignal | undefined,
): Promise<N8nToolHealth> {
  const leftBehind = describeLeftBehind(deployment)
  const frame = {
    toolName,
    baseUrl: client.baseUrl,
    ...(leftBehind === undefined ? {} : { leftBehind }),
  }
  const { ready, reason } = await client.ping({ signal })
  const why = reason === undefined ? {} : { reason }
  const fn = deployment?.function
  if (fn === undefined) return { ...frame, isReachable: ready, state: 'absent', ...why }
  const { workflowId } = fn
  if (!ready) return { ...frame, workflowId, isReachable: false, state: 'unknown', ...why }
  const [found, lastRun] = await Promise.all([
    findState(client, { deployment, spec, toolName }, signal),
    readLastRun(client, workflowId, signal),
  ])
  return { ...frame, workflowId, ...found, ...(lastRun === undefined ? {} : { lastRun }) }
}

/** What of a deployment should be gone and may not be. While something is created for it, nothing of that is left behind. */
export function describeLeftBehind(
  deployment: N8nDeployment | undefined,
  isBusy = false,
): string | undefined {
  if (deployment === undefined) return undefined
  const { abandoned, leftBehind, progress } = deployment
  const parts = [
    ...(leftBehind === undefined ? [] : [leftBehind]),
    ...(progress === undefined || leftBehind !== undefined || isBusy
      ? []
      : ['what a deployment that was interrupted may have created']),
    ...(abandoned === undefined ? [] : [abandoned]),
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}

async function findState(
  client: N8nClient,
  { deployment, spec }: HealthSubject,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const fn = deployment?.function
  if (fn === undefined) return { isReachable: true, state: 'absent' }
  let isPublished: boolean
  try {
    const { active } = await client.workflows.get(fn.workflowId, { signal })
    isPublished = active
  } catch (error) {
    signal?.throwIfAborted()
    if (ToolError.is(error, 'N8N_NOT_FOUND'))
      return {
        isReachable: true,
        isPublished: false,
        state: 'changed',
        reason: 'The workflow was deleted, or the key may not see it any more.',
      }
    const reason = error instanceof Error ? client.redact(error.message) : 'unknown'
    return { isReachable: true, state: 'unknown', reason }
  }
  const known = { isReachable: true, isPublished }
  if (deployment?.isRetired === true)
    return {
      ...known,
      state: 'unknown',
      reason: 'The tool is out of use, or all made tools are paused.',
    }
  if (deployment?.contentHash === undefined || deployment.contentHash !== spec?.contentHash)
    return { ...known, state: 'unknown', reason: 'It was not compared since the program started.' }
  const { workflow } = n8nDefinitionOf(spec)
  const state = await inspectFunction(client, fn, workflow, { signal })
  return state.state === 'intact'
    ? { ...known, state: 'intact' }
    : { ...known, state: state.state, reason: state.reason }
}

async function readLastRun(
  client: N8nClient,
  workflowId: string,
  signal: AbortSignal | undefined,
): Promise<N8nToolHealth['lastRun']> {
  try {
    const filter = { workflowId, pageSize: 1 }
    for await (const { id, startedAt, status, stoppedAt } of client.executions.list(filter, {
      signal,
    }))
      return {
        executionId: id,
        status,
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(stoppedAt === undefined ? {} : { stoppedAt }),
      }
  } catch {
    // A key without that scope, or a server that went away: the rest is worth telling all the same.
    signal?.throwIfAborted()
  }
  return undefined
}
