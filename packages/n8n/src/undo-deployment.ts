import { ToolError } from '@toolcrib/registry'
import { sleep } from './deadline.ts'
import { n8nError } from './error-catalogue.ts'
import type { N8nClient } from './n8n-client.ts'
import type { DeploymentProgress, RemovalOutcome, UndoDeploymentOptions } from './n8n-function.ts'
import type { N8nNode } from './n8n-workflow.ts'
import { withTimeLimit } from './time-limit.ts'

const defaultUndoTimeoutMs = 20_000
const lateFindPausesMs = [200, 800] as const

/** As much of a path as names it without giving it away. */
const shownPathLength = 16

/** The name of a webhook's credential: found again by it, even where its id was lost. */
export function credentialName(path: string): string {
  return `toolcrib ${path.slice(0, shownPathLength)}`
}

/**
 * Removes what an interrupted deployment left, from the last progress it reported. What has no id yet is found by the
 * path of the webhook, which nothing else on the server has. Can be repeated.
 *
 * n8n 1.x cannot list credentials: one whose id was not known yet stays, and `left` names it.
 */
export async function undoDeployment(
  client: N8nClient,
  progress: DeploymentProgress,
  options: UndoDeploymentOptions = {},
): Promise<RemovalOutcome> {
  return await undoScope(client, progress, {
    ...options,
    mayHave: { workflow: true, credential: progress.secret !== undefined },
  })
}

/** What may be on the server, even where its id is not known. */
export interface UndoScope {
  readonly workflow: boolean
  readonly credential: boolean
}

/** {@link undoDeployment} for one that knows what it has begun. */
export async function undoScope(
  client: N8nClient,
  progress: DeploymentProgress,
  options: UndoDeploymentOptions & { readonly mayHave: UndoScope },
): Promise<RemovalOutcome> {
  const { undoTimeoutMs = defaultUndoTimeoutMs, mayHave, ...call } = options
  const { binding } = progress
  const left: string[] = []
  const reasons: string[] = []
  const attempt = async (what: string, remove: () => Promise<void>): Promise<void> => {
    try {
      await remove()
    } catch (error) {
      if (call.signal?.aborted === true && error === call.signal.reason) throw error
      left.push(what)
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  const end = performance.now() + undoTimeoutMs
  const limited = async (
    work: (options: { signal: AbortSignal }) => Promise<void>,
  ): Promise<void> =>
    await withTimeLimit(work, {
      timeoutMs: Math.max(1, end - performance.now()),
      signal: call.signal,
      late: () => n8nError('N8N_TIMEOUT', `It was not removed within ${undoTimeoutMs} ms.`),
    })
  const namedWorkflow =
    progress.workflowId === undefined
      ? `workflow "${binding.name}" whose webhook path begins with ${binding.path.slice(0, shownPathLength)}, if it was created`
      : `workflow ${progress.workflowId}`
  if (mayHave.workflow)
    await attempt(namedWorkflow, () =>
      limited(async ({ signal }) => {
        const request = { ...call, signal }
        const ids =
          progress.workflowId === undefined
            ? await findLate(() => findWorkflows(client, progress, request), signal)
            : [progress.workflowId]
        for (const id of ids) await client.workflows.remove(id, request)
      }),
    )
  // After the workflow: a webhook that lost its credential would answer with errors.
  if (mayHave.credential)
    await attempt(describeCredential(progress), () =>
      limited(async ({ signal }) => {
        const request = { ...call, signal }
        const ids =
          progress.credentialId === undefined
            ? await findLate(() => findCredentials(client, binding.path, request), signal)
            : [progress.credentialId]
        for (const id of ids) await client.credentials.remove(id, request)
      }),
    )
  return {
    removed: left.length === 0,
    left,
    ...(reasons[0] === undefined ? {} : { reason: client.redact(reasons[0]) }),
  }
}

function describeCredential({ credentialId, binding }: DeploymentProgress): string {
  return credentialId === undefined
    ? `credential "${credentialName(binding.path)}", if it was created`
    : `credential ${credentialId}`
}

/** A request that was given up may be carried out a moment later, so that nothing now is not yet nothing. */
async function findLate(
  find: () => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let ids = await find()
  for (const pauseMs of lateFindPausesMs) {
    if (ids.length > 0) break
    await sleep(pauseMs, signal)
    ids = await find()
  }
  return ids
}

async function findWorkflows(
  client: N8nClient,
  { binding }: DeploymentProgress,
  options: { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id, nodes } of client.workflows.list({ name: binding.name }, options))
    // Those of others may have nodes without parameters.
    if (nodes.some((node: Partial<N8nNode>) => node.parameters?.['path'] === binding.path))
      ids.push(id)
  return ids
}

async function findCredentials(
  client: N8nClient,
  path: string,
  options: { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id, name, type } of client.credentials.list(options))
    if (type === 'jwtAuth' && name === credentialName(path)) ids.push(id)
  return ids
}

/**
 * Whether a request that failed may have been carried out all the same: it was sent, and n8n did not say no to it.
 */
export function mayHaveHappened(error: unknown): boolean {
  if (!ToolError.is(error)) return true
  const { sent, status } = error.data
  return sent !== false && !(typeof status === 'number' && status >= 400 && status < 500)
}
