import { ToolError } from '@toolcrib/registry'
import { n8nError } from './error-catalogue.ts'
import { emptied, liveWorkflow, savedWorkflow } from './live-workflow.ts'
import type { N8nCallOptions, N8nClient, StoredWorkflow } from './n8n-client.ts'
import type { N8nFunction, RemovalOutcome } from './n8n-function.ts'
import type { N8nNode, N8nWorkflow } from './n8n-workflow.ts'
import { withTimeLimit } from './time-limit.ts'
import { waitUntilCallable, waitUntilSilent } from './webhook-readiness.ts'
import { findDifferences } from './workflow-difference.ts'

/** How long the version that is given up may take to be in place, in milliseconds. */
const maxSettleMs = 2_000

/** What to go back to. */
interface Restoration {
  /** What the server had. */
  readonly before: StoredWorkflow
  /** In place of that, on n8n 1.x. */
  readonly content: N8nWorkflow | undefined
  readonly fn: N8nFunction
  /** Where the version that is given up answers, if it ever came that far; nobody else's has it. */
  readonly path: string
  readonly hasVersions: boolean
  readonly undoTimeoutMs: number
}

/**
 * Makes live again what was live, with time of its own: the caller's signal may be what ended the update. What somebody else saved or
 * published in between stays: their call said that it is live.
 */
export async function restoreFunction(
  client: N8nClient,
  restoration: Restoration,
): Promise<RemovalOutcome & { readonly isGone?: true }> {
  const { fn, undoTimeoutMs, hasVersions, before } = restoration
  try {
    await withTimeLimit(
      async (call) => {
        await (hasVersions
          ? restoreVersion(client, restoration, call)
          : restoreContent(client, restoration, call))
        if (!before.active) return
        await waitUntilCallable(client, { binding: fn.binding, withinMs: undoTimeoutMs, call })
      },
      {
        timeoutMs: undoTimeoutMs,
        late: () => n8nError('N8N_TIMEOUT', `It took longer than ${undoTimeoutMs} ms.`),
      },
    )
    return { removed: true, left: [] }
  } catch (error) {
    if (
      ToolError.is(error, 'N8N_NOT_FOUND') &&
      (await isGone(client, fn.workflowId, undoTimeoutMs))
    )
      return { removed: true, left: [], isGone: true }
    const message = client.redact(error instanceof Error ? error.message : String(error))
    const reason = message.replaceAll(fn.binding.path, '[path]')
    const isOthers = ToolError.is(error, 'N8N_CHANGED') && error.data['isOthers'] === true
    const left = [
      `workflow ${fn.workflowId}, which ${isOthers ? 'somebody else changed meanwhile' : 'may not run what it ran before'}`,
    ]
    return { removed: false, left, reason }
  }
}

/** A version that is not found any more is something else. */
async function isGone(client: N8nClient, id: string, timeoutMs: number): Promise<boolean> {
  try {
    await client.workflows.get(id, { timeoutMs })
    return false
  } catch (error) {
    return ToolError.is(error, 'N8N_NOT_FOUND')
  }
}

async function restoreVersion(
  client: N8nClient,
  { before, path, undoTimeoutMs }: Restoration,
  call: N8nCallOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { id, active, activeVersionId } = before
  const now = await client.workflows.get(id, call)
  if (now.activeVersionId !== activeVersionId && !hasPath(liveWorkflow(now), path))
    throw changedByOthers()
  // First what runs, then what n8n keeps no versions of.
  if (active && activeVersionId !== undefined && now.activeVersionId !== activeVersionId) {
    const binding = { path }
    // The old webhook answers until the newer version is in place, and would be taken for the one to come.
    const withinMs = Math.min(maxSettleMs, undoTimeoutMs / 4)
    await waitUntilCallable(client, { binding, withinMs, call }).catch(() =>
      call.signal.throwIfAborted(),
    )
    await client.workflows.publish(id, { ...call, versionId: activeVersionId })
    await waitUntilSilent(client, { binding, withinMs: undoTimeoutMs, call })
  } else if (!active && now.active) await client.workflows.unpublish(id, call)
  const wanted = savedWorkflow(before)
  if (findDifferences(wanted, savedWorkflow(now)).length > 0) {
    if (!hasPath(now, path)) throw changedByOthers()
    await client.workflows.update(
      id,
      { ...wanted, ...emptied(now, wanted) },
      { ...call, mode: 'draft' },
    )
  }
  await assertRestored(client, { id, wanted: liveWorkflow(before), active }, call)
}

async function restoreContent(
  client: N8nClient,
  { before, content, path }: Restoration,
  call: N8nCallOptions,
): Promise<void> {
  const { id, active } = before
  const now = await client.workflows.get(id, call)
  const wanted = content ?? savedWorkflow(before)
  if (findDifferences(wanted, savedWorkflow(now)).length > 0) {
    const isUntouched = findDifferences(savedWorkflow(before), savedWorkflow(now)).length === 0
    if (!isUntouched && !hasPath(now, path)) throw changedByOthers()
    const { pinData: _refused, ...sent } = { ...wanted, ...emptied(now, wanted) }
    await client.workflows.update(id, sent, { ...call, mode: 'live' })
  }
  const { active: isActive } = await client.workflows.get(id, call)
  if (active !== isActive) await client.workflows.setActive(id, active, call)
  await assertRestored(client, { id, wanted, active }, call)
}

function hasPath({ nodes }: Pick<N8nWorkflow, 'nodes'>, path: string): boolean {
  return nodes.some((node: Partial<N8nNode>) => node.parameters?.['path'] === path)
}

function changedByOthers(): Error {
  return n8nError('N8N_CHANGED', 'Somebody else changed the workflow in the meantime.', {
    data: { isOthers: true },
  })
}

async function assertRestored(
  client: N8nClient,
  {
    id,
    wanted,
    active,
  }: { readonly id: string; readonly wanted: N8nWorkflow; readonly active: boolean },
  call: N8nCallOptions,
): Promise<void> {
  const now = await client.workflows.get(id, call)
  const fields = findDifferences(wanted, liveWorkflow(now))
  if (now.active !== active) fields.push('active')
  if (fields.length > 0)
    throw n8nError('N8N_CHANGED', `It differs from what was there: ${fields.join(', ')}.`, {
      data: { fields },
    })
}
