import { ToolError, type JsonObject } from '@toolcrib/registry'
import { answerFactsOf } from './answering-nodes.ts'
import { bindWorkflow } from './bind-workflow.ts'
import { hashWorkflow } from './canonical-workflow.ts'
import { type N8nErrorCode, n8nError } from './error-catalogue.ts'
import { createSecret, jwtCredentialData, randomBytes, toHexadecimal } from './function-token.ts'
import { readBack } from './live-workflow.ts'
import type { N8nCallOptions, N8nClient } from './n8n-client.ts'
import type {
  DeployOptions,
  DeploymentProgress,
  N8nFunction,
  RemovalOutcome,
  WorkflowBinding,
} from './n8n-function.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import { assertDuration, assertName, optionError } from './option-check.ts'
import { type UndoScope, credentialName, mayHaveHappened, undoScope } from './undo-deployment.ts'
import { waitUntilCallable } from './webhook-readiness.ts'

const defaultReadyTimeoutMs = 20_000
const defaultUndoTimeoutMs = 20_000
/** 160 bits. */
const pathBytes = 20

/** A step of a deployment, as an error names it. */
export type DeploymentStep =
  | 'progress'
  | 'credential'
  | 'create'
  | 'save'
  | 'read-back'
  | 'publish'
  | 'live-check'
  | 'ready'

/** The options of a deployment with their defaults. */
export interface DeploySettings {
  readonly call: N8nCallOptions
  readonly readyTimeoutMs: number
  readonly undoTimeoutMs: number
  readonly random: (bytes: number) => Uint8Array
}

/** @throws {ToolError} N8N_OPTION_INVALID */
export function readDeploySettings(options: DeployOptions): DeploySettings {
  const { readyTimeoutMs = defaultReadyTimeoutMs, undoTimeoutMs = defaultUndoTimeoutMs } = options
  const { timeoutMs, signal, random = randomBytes } = options
  assertDuration('readyTimeoutMs', readyTimeoutMs)
  assertDuration('undoTimeoutMs', undoTimeoutMs)
  if (timeoutMs !== undefined) assertDuration('timeoutMs', timeoutMs)
  if (options.name !== undefined) assertName('name', options.name)
  const call = { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
  return { call, readyTimeoutMs, undoTimeoutMs, random }
}

/** A path of 160 random bits. */
export function createPath(random: (bytes: number) => Uint8Array): string {
  return toHexadecimal(random(pathBytes))
}

/**
 * Puts a workflow onto a server and makes it callable: credential, workflow, read back and compared, published, compared
 * again, and called without a token until it refuses that. When something fails, or the signal aborts, everything is taken
 * back first.
 *
 * `timeoutMs` is for each request; `readyTimeoutMs` for the webhook to answer.
 *
 * @throws {ToolError} N8N_NO_WEBHOOK when the workflow is none that could be called; N8N_OPTION_INVALID; N8N_DEPLOY_FAILED
 * with `step` and `reason` when it was all taken back; N8N_CLEANUP_INCOMPLETE with `left` when it was not.
 */
export async function deployFunction(
  client: N8nClient,
  workflow: N8nWorkflow,
  options: DeployOptions = {},
): Promise<N8nFunction> {
  const settings = readDeploySettings(options)
  const { auth = 'jwt', name = workflow.name } = options
  if (auth !== 'jwt' && auth !== 'none')
    throw optionError({ field: 'auth', rule: '"jwt" or "none"', value: auth })
  const path = createPath(settings.random)
  const binding: WorkflowBinding = { name, path, webhookId: createPath(settings.random) }
  // Finds what is wrong with the workflow before anything is created.
  await hashWorkflow(bindWorkflow(workflow, binding))
  options.signal?.throwIfAborted()
  const secret = auth === 'jwt' ? createSecret(settings.random) : undefined
  const deployment = new Deployment(client, options, {
    binding,
    ...(secret === undefined ? {} : { secret }),
  })
  try {
    return await deployment.run(workflow, settings)
  } catch (error) {
    const outcome = await deployment.undo(settings.undoTimeoutMs)
    throw deployError(client, error, {
      step: deployment.step,
      outcome,
      progress: deployment.progress,
    })
  }
}

/** What is under way, so that it can be taken back from wherever it failed. */
class Deployment {
  step: DeploymentStep = 'progress'
  progress: DeploymentProgress
  #mayHave: UndoScope = { workflow: false, credential: false }
  readonly #client: N8nClient
  readonly #options: DeployOptions

  constructor(client: N8nClient, options: DeployOptions, progress: DeploymentProgress) {
    this.#client = client
    this.#options = options
    this.progress = progress
  }

  async run(workflow: N8nWorkflow, { call, readyTimeoutMs }: DeploySettings): Promise<N8nFunction> {
    const { secret } = this.progress
    if (secret !== undefined) await this.#createCredential(secret, call)
    const { binding } = this.progress
    const bound = bindWorkflow(workflow, binding)
    const hash = await hashWorkflow(bound)
    await this.#report()
    this.step = 'create'
    const created = await this.#begin('workflow', () => this.#client.workflows.create(bound, call))
    const workflowId = created.id
    this.progress = { ...this.progress, workflowId }
    this.step = 'read-back'
    const saved = await readBack(this.#client, { workflowId, expected: bound, call })
    await this.#report()
    const { versionId } = saved
    this.step = 'publish'
    await this.#client.workflows.publish(workflowId, {
      ...call,
      ...publication(this.#options, versionId),
    })
    this.step = 'live-check'
    const live = { workflowId, expected: bound, liveVersionId: versionId, isLive: true, call }
    await readBack(this.#client, live)
    this.step = 'ready'
    await waitUntilCallable(this.#client, { binding, withinMs: readyTimeoutMs, call })
    return {
      workflowId,
      binding,
      ...(secret === undefined ? {} : { secret }),
      ...(versionId === undefined ? {} : { versionId }),
      hash,
      ...answerFactsOf(bound),
    }
  }

  /** With time of its own: the caller's signal may be what ended the deployment. */
  async undo(undoTimeoutMs: number): Promise<RemovalOutcome> {
    return await undoScope(this.#client, this.progress, { undoTimeoutMs, mayHave: this.#mayHave })
  }

  async #createCredential(secret: string, call: N8nCallOptions): Promise<void> {
    const { binding } = this.progress
    await this.#report()
    this.step = 'credential'
    const { id, name } = await this.#begin('credential', () =>
      this.#client.credentials.create(
        { name: credentialName(binding.path), type: 'jwtAuth', data: jwtCredentialData(secret) },
        call,
      ),
    )
    this.progress = {
      ...this.progress,
      credentialId: id,
      binding: { ...binding, credential: { id, name, type: 'jwtAuth' } },
    }
  }

  async #report(): Promise<void> {
    this.step = 'progress'
    await this.#options.onProgress?.(this.progress)
    this.#options.signal?.throwIfAborted()
  }

  async #begin<Value>(what: keyof UndoScope, create: () => Promise<Value>): Promise<Value> {
    try {
      const created = await create()
      this.#mayHave = { ...this.#mayHave, [what]: true }
      return created
    } catch (error) {
      // An answer that was lost, or could not be read, says nothing of what n8n did.
      this.#mayHave = { ...this.#mayHave, [what]: mayHaveHappened(error) }
      throw error
    }
  }
}

/** What of the options goes with a version into n8n's history. */
export function publication(
  { versionName, description }: Pick<DeployOptions, 'versionName' | 'description'>,
  versionId: string | undefined,
): { readonly versionId?: string; readonly name?: string; readonly description?: string } {
  return {
    ...(versionId === undefined ? {} : { versionId }),
    ...(versionName === undefined ? {} : { name: versionName }),
    ...(description === undefined ? {} : { description }),
  }
}

/** How far a deployment or an update came, and what is left of it. */
interface DeployFailure {
  readonly step: DeploymentStep
  readonly outcome: RemovalOutcome
  readonly progress: Pick<DeploymentProgress, 'binding' | 'secret'>
}

/** Says why a deployment failed, in n8n's words where they are known, without secret and path. */
export function deployError(
  client: N8nClient,
  error: unknown,
  { step, outcome, progress }: DeployFailure,
): ToolError<N8nErrorCode> {
  const { secret, binding } = progress
  const clean = (text: string): string => {
    const open = client.redact(text).replaceAll(binding.path, '[path]')
    return secret === undefined ? open : open.replaceAll(secret, '[redacted]')
  }
  const reason = clean(error instanceof Error ? error.message : String(error))
  const cause = ToolError.is(error)
    ? new ToolError(error.code, reason, {
        data: JSON.parse(clean(JSON.stringify(error.data))) as JsonObject,
      })
    : error
  const code = ToolError.is(error) ? error.code : undefined
  const fields = ToolError.is(error) ? error.data['fields'] : undefined
  const data: JsonObject = {
    step,
    reason,
    ...(code === undefined ? {} : { code }),
    ...(fields === undefined ? {} : { fields }),
  }
  const failure = `The workflow could not be made callable (step: ${step}). ${reason}`
  return outcome.removed
    ? n8nError('N8N_DEPLOY_FAILED', failure, { cause, data })
    : n8nError(
        'N8N_CLEANUP_INCOMPLETE',
        `${failure} Left on the server: ${outcome.left.join('; ')}. See to it by hand.`,
        {
          cause,
          data: {
            ...data,
            left: [...outcome.left],
            ...(outcome.reason === undefined ? {} : { cleanupReason: outcome.reason }),
          },
        },
      )
}
