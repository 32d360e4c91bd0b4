import { answerFactsOf } from './answering-nodes.ts'
import { bindWorkflow } from './bind-workflow.ts'
import { hashWorkflow } from './canonical-workflow.ts'
import {
  type DeploymentStep,
  type DeploySettings,
  createPath,
  deployError,
  publication,
  readDeploySettings,
} from './deploy-function.ts'
import { n8nError } from './error-catalogue.ts'
import { emptied, readBack, savedWorkflow } from './live-workflow.ts'
import type { N8nClient, StoredWorkflow } from './n8n-client.ts'
import type { N8nFunction, UpdateFunctionOptions, WorkflowBinding } from './n8n-function.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import { restoreFunction } from './restore-function.ts'
import { waitUntilCallable } from './webhook-readiness.ts'
import { findDifferences } from './workflow-difference.ts'

/**
 * Replaces what a function runs. It gets a new path, its credential stays: what answers at the new path is the new version
 * for certain, while n8n 2 lets the old version answer at its path for a while after it said "published". When this
 * resolves, calls with the new function run the new version; calls with the old one find nothing at its path.
 *
 * When something fails, what was live before is made live again, unless somebody else changed the workflow in between. On n8n 1.x there are no drafts: the new content is live
 * from the moment it is saved.
 *
 * @throws {ToolError} N8N_NO_WEBHOOK, N8N_OPTION_INVALID; N8N_NOT_FOUND when the workflow is gone; N8N_DEPLOY_FAILED with
 * `step` and `reason` when what was there before is there again; N8N_CLEANUP_INCOMPLETE with `left` when it may not be.
 */
// oxlint-disable-next-line max-params -- the shape of every function here: client, function, content, options
export async function updateFunction(
  client: N8nClient,
  fn: N8nFunction,
  workflow: N8nWorkflow,
  options: UpdateFunctionOptions = {},
): Promise<N8nFunction> {
  const settings = readDeploySettings(options)
  const binding: WorkflowBinding = {
    ...fn.binding,
    name: options.name ?? fn.binding.name,
    path: createPath(settings.random),
  }
  const bound = bindWorkflow(workflow, binding)
  const previous =
    options.previous === undefined ? undefined : bindWorkflow(options.previous, fn.binding)
  return await replaceFunction(
    client,
    { ...fn, binding, hash: await hashWorkflow(bound) },
    {
      fn,
      bound,
      previous,
      settings,
      options,
    },
  )
}

/** What replaces what. */
export interface Replacement {
  /** As it was. */
  readonly fn: N8nFunction
  readonly bound: N8nWorkflow
  readonly previous: N8nWorkflow | undefined
  readonly settings: DeploySettings
  readonly options: UpdateFunctionOptions
  /** An older version with the same nodes and connections, to be published in place of a new one. */
  readonly versionId?: string
}

/** Saves, compares, publishes, compares and waits; `next` is what comes of it. */
export async function replaceFunction(
  client: N8nClient,
  next: N8nFunction,
  replacement: Replacement,
): Promise<N8nFunction> {
  const { bound, fn, settings } = replacement
  const { call } = settings
  const { publish: hasVersions } = await client.capabilities(call)
  const before = await client.workflows.get(fn.workflowId, call)
  let step: DeploymentStep = 'save'
  const at = (reached: DeploymentStep): void => {
    step = reached
  }
  try {
    const versionId = hasVersions
      ? await publishNew(client, replacement, { before, at })
      : await saveLive(client, replacement, { before, at })
    at('live-check')
    const live = { workflowId: fn.workflowId, expected: bound, isLive: true, call }
    await readBack(client, { ...live, liveVersionId: versionId })
    at('ready')
    const { binding } = next
    await waitUntilCallable(client, { binding, withinMs: settings.readyTimeoutMs, call })
    const {
      mayWait: _mayWait,
      givesOnlyJson: _json,
      givesOnlySuccess: _success,
      versionId: _old,
      ...rest
    } = next
    return {
      ...rest,
      ...(versionId === undefined ? {} : { versionId }),
      ...answerFactsOf(bound),
    }
  } catch (error) {
    const outcome = await restoreFunction(client, {
      before,
      content: replacement.previous,
      fn,
      path: next.binding.path,
      hasVersions,
      undoTimeoutMs: settings.undoTimeoutMs,
    })
    if (outcome.isGone === true)
      throw n8nError('N8N_NOT_FOUND', 'The workflow is gone: somebody removed it meanwhile.', {
        cause: error,
      })
    throw deployError(client, error, { step, outcome, progress: next })
  }
}

interface Attempt {
  readonly before: StoredWorkflow
  readonly at: (reached: DeploymentStep) => void
}

/** n8n 2: a draft, which becomes live once it is proven to be what was sent. */
async function publishNew(
  client: N8nClient,
  { fn, bound, settings, options, versionId: older }: Replacement,
  { before, at }: Attempt,
): Promise<string | undefined> {
  const { call } = settings
  let versionId = older
  if (older === undefined || !hasSameRest(before, bound)) {
    const draft = { ...bound, ...emptied(before, bound) }
    await client.workflows.update(fn.workflowId, draft, { ...call, mode: 'draft' })
    at('read-back')
    const saved = await readBack(client, { workflowId: fn.workflowId, expected: bound, call })
    versionId ??= saved.versionId
  }
  at('publish')
  await client.workflows.publish(fn.workflowId, { ...call, ...publication(options, versionId) })
  return versionId
}

/** n8n 1.x: what is saved is live at once where the workflow is active. */
async function saveLive(
  client: N8nClient,
  { fn, bound, settings }: Replacement,
  { before, at }: Attempt,
): Promise<undefined> {
  const { call } = settings
  const { pinData: _refused, ...left } = emptied(before, bound)
  await client.workflows.update(fn.workflowId, { ...bound, ...left }, { ...call, mode: 'live' })
  at('read-back')
  await readBack(client, { workflowId: fn.workflowId, expected: bound, call })
  at('publish')
  if (!before.active) await client.workflows.publish(fn.workflowId, call)
  return undefined
}

/** Whether all that n8n keeps no versions of (name, settings, static and pinned data) is as wanted. */
function hasSameRest(before: StoredWorkflow, bound: N8nWorkflow): boolean {
  const { nodes, connections } = bound
  return findDifferences(bound, { ...savedWorkflow(before), nodes, connections }).length === 0
}
