import { type N8nClient, type RemovalOutcome, executeWorkflow } from '@toolcrib/n8n'
import {
  type NodeCatalogue,
  type NodePolicy,
  type ServerCatalogue,
  commonNodeCatalogue,
} from '@toolcrib/n8n/workflow'
import {
  type JsonObject,
  type JsonValue,
  type KnownOptions,
  type ToolAnnotations,
  ToolError,
  assertOptions,
} from '@toolcrib/registry'
import type {
  CompiledTool,
  DeployOptions,
  EvidenceRun,
  ImpliedRisk,
  KindHookOptions,
  OutsideState,
  RetireOptions,
  ToolKind,
  ToolProposal,
  ToolSpec,
  ValidationCheck,
} from '@toolcrib/toolsmaker'
import { describeToolCall } from '@toolcrib/toolsmaker/kind'
import { checkN8nSpec } from './n8n-check.ts'
import type { N8nDeployments } from './deployments/n8n-deployments.ts'
import { n8nFailure, n8nStopped } from './n8n-failure.ts'
import { type N8nToolHealth, describeLeftBehind, readN8nHealth } from './deployments/n8n-health.ts'
import { N8nPublisher } from './deployments/n8n-publisher.ts'
import {
  annotateN8nTool,
  describeN8nChange,
  describeN8nPowers,
  describeN8nSteps,
  n8nRisk,
} from './n8n-review.ts'
import { n8nDefinitionOf } from './read-n8n-definition.ts'

/** What n8n tools are built on. */
export interface N8nKindOptions {
  readonly client: N8nClient
  /** Where is kept what is on the server. */
  readonly deployments: N8nDeployments
  /** What workflows may contain. Other workflows they may never run. @default what `validateWorkflow` allows by default */
  readonly policy?: NodePolicy
  /**
   * Which nodes exist, and what they read; `createServerCatalogue(client)` follows the server, of which it asks what it can.
   *
   * @default what all releases have in common that `@toolcrib/n8n` knows, so that nothing is asked
   */
  readonly catalogue?: NodeCatalogue | ServerCatalogue
  /** Leads the name of each workflow on the server, 1 to 60 characters. @default 'toolcrib' */
  readonly namePrefix?: string
  /** How long a workflow may take until it answers after it was published, 1 to 600,000 ms. @default 20_000 */
  readonly readyTimeoutMs?: number
  /**
   * Of the time that a call has, how much is kept back at its end for finding out from n8n what became of it, 0 to 60,000 ms; never
   * more than a tenth of it.
   *
   * @default 2_000
   */
  readonly lookupTimeoutMs?: number
  /** How soon what was left behind is tried again, 0 to 3,600,000 ms. @default 30_000 */
  readonly clearAgainMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Something on the server that should be gone, or should not be live. */
export interface N8nLeftBehind {
  readonly toolName: string
  readonly baseUrl: string
  readonly workflowId?: string
  readonly reason: string
}

/** The kind of tool whose definition is a workflow of n8n, with what an operator wants to know and do beside it. */
export interface N8nKind extends ToolKind {
  readonly kind: 'n8n'
  /** How a tool is on the server now; never throws for a server that is down. */
  health(toolName: string, options?: Partial<KindHookOptions>): Promise<N8nToolHealth>
  /** Deletes the workflow of a tool and its credential. Take the tool out of use first. */
  removeFromServer(toolName: string, options?: Partial<KindHookOptions>): Promise<RemovalOutcome>
  /** Which nodes exist on the server, and what they read: what workflows are checked against now. */
  nodeCatalogue(options?: Partial<KindHookOptions>): Promise<NodeCatalogue>
  /** What should be gone from the server and may not be. */
  listLeftBehind(): Promise<readonly N8nLeftBehind[]>
}

class WorkflowKind implements N8nKind {
  readonly kind = 'n8n'
  readonly needsPerson =
    'a workflow cannot be tried before it runs for real, so a person has to read what it does'
  readonly #options: N8nKindOptions
  readonly #publisher: N8nPublisher
  readonly #catalogue: NodeCatalogue | ServerCatalogue
  readonly #now: () => number
  readonly #lookupTimeoutMs: number
  readonly #clearAgainMs: number
  /** By tool: the version that was last put into use or looked at, for telling how it is. */
  readonly #specs = new Map<string, ToolSpec>()
  #hasLeftBehind = false
  #clearedAt = Number.NEGATIVE_INFINITY

  constructor(options: N8nKindOptions) {
    const { client, deployments, namePrefix = 'toolcrib', now = Date.now } = options
    const { clearAgainMs = 30_000, lookupTimeoutMs = 2_000, readyTimeoutMs = 20_000 } = options
    if (namePrefix.length < 1 || namePrefix.length > 60)
      throw new RangeError(`namePrefix must have 1 to 60 characters, got ${namePrefix.length}.`)
    assertWithin('readyTimeoutMs', readyTimeoutMs, [1, 600_000])
    assertWithin('lookupTimeoutMs', lookupTimeoutMs, [0, 60_000])
    assertWithin('clearAgainMs', clearAgainMs, [0, 3_600_000])
    this.#options = options
    this.#catalogue = options.catalogue ?? commonNodeCatalogue()
    this.#now = now
    this.#lookupTimeoutMs = lookupTimeoutMs
    this.#clearAgainMs = clearAgainMs
    this.#publisher = new N8nPublisher({ client, deployments, namePrefix, readyTimeoutMs })
  }

  async check(
    { spec }: ToolProposal,
    { signal }: Partial<KindHookOptions> = {},
  ): Promise<readonly ValidationCheck[]> {
    const catalogue = await this.nodeCatalogue(signal === undefined ? {} : { signal })
    const { client, policy } = this.#options
    const own = [client.baseUrl, client.webhooks.address('x').origin]
    return checkN8nSpec(spec, { policy, catalogue, own })
  }

  async nodeCatalogue({ signal }: Partial<KindHookOptions> = {}): Promise<NodeCatalogue> {
    if ('nodes' in this.#catalogue) return this.#catalogue
    return await this.#catalogue.read(signal === undefined ? {} : { signal })
  }

  gatherEvidence(): readonly EvidenceRun[] {
    return []
  }

  describePowers(proposal: ToolProposal): readonly string[] {
    return describeN8nPowers(proposal, this.#options.client.baseUrl)
  }

  describeSteps(proposal: ToolProposal): readonly string[] {
    return describeN8nSteps(proposal)
  }

  describeChange(proposal: ToolProposal): readonly string[] {
    return describeN8nChange(proposal)
  }

  renderSource(spec: ToolSpec): { extension: string; text: string } {
    const { workflow } = n8nDefinitionOf(spec)
    return { extension: 'json', text: `${JSON.stringify(workflow, null, 2)}\n` }
  }

  async toCustomTool(spec: ToolSpec): Promise<JsonObject> {
    const { template, workflow } = n8nDefinitionOf(spec)
    const known = await this.#options.deployments.read(spec.name).catch(() => undefined)
    const workflowId = known?.function?.workflowId
    return {
      ...(workflowId === undefined ? {} : { n8nWorkflowId: workflowId }),
      ...(template === undefined ? {} : { templateSource: template.slug }),
      workflow: workflow as unknown as JsonObject,
    }
  }

  impliedRisk(definition: JsonValue): ImpliedRisk | undefined {
    try {
      return n8nRisk(definition)
    } catch {
      return { risk: 'high', why: 'what its workflow reaches cannot be told' }
    }
  }

  annotate(spec: ToolSpec): ToolAnnotations {
    return annotateN8nTool(spec)
  }

  compile(spec: ToolSpec): CompiledTool {
    return {
      describeCall: (input) => describeToolCall(spec.name, input),
      execute: (input, signal, { callId, deadline }) =>
        this.#call(spec, input as JsonObject, { callId, deadline, signal }),
    }
  }

  async deploy(spec: ToolSpec, { previous, signal }: DeployOptions): Promise<void> {
    await this.#publisher.putLive(spec, { previous, signal })
    this.#specs.set(spec.name, spec)
  }

  async retire(spec: ToolSpec, { replacement, signal }: RetireOptions): Promise<void> {
    if (replacement !== undefined) {
      await this.#publisher.restore(replacement, { signal })
      return
    }
    await this.#noteLeftBehind(this.#publisher.takeDown(spec.name, { signal }))
  }

  async settle(inUse: readonly ToolSpec[], { signal }: KindHookOptions): Promise<void> {
    for (const spec of inUse) this.#specs.set(spec.name, spec)
    await this.#noteLeftBehind(this.#publisher.settle(inUse, { signal }))
  }

  async inspect(spec: ToolSpec, { signal }: KindHookOptions): Promise<OutsideState> {
    const state = await this.#publisher.inspect(spec, { signal })
    // The server answers, so what could not be taken down may be taken down now; no call waits for that.
    if (state.state !== 'unknown') this.#clearLeftBehind()
    if (state.state === 'intact') this.#specs.set(spec.name, spec)
    return state
  }

  async health(
    toolName: string,
    { signal }: Partial<KindHookOptions> = {},
  ): Promise<N8nToolHealth> {
    const { client, deployments } = this.#options
    const deployment = await deployments.read(toolName)
    const subject = { toolName, deployment, spec: this.#specs.get(toolName) }
    return readN8nHealth(client, subject, signal)
  }

  async removeFromServer(
    toolName: string,
    { signal }: Partial<KindHookOptions> = {},
  ): Promise<RemovalOutcome> {
    const outcome = await this.#noteLeftBehind(this.#publisher.remove(toolName, { signal }))
    if (outcome.left.length > 0) this.#hasLeftBehind = true
    return outcome
  }

  async listLeftBehind(): Promise<readonly N8nLeftBehind[]> {
    const { deployments } = this.#options
    const known = await deployments.list()
    const broken = (await deployments.listBroken?.()) ?? []
    return [
      ...known.flatMap((deployment) => {
        const { baseUrl, function: fn, progress, toolName } = deployment
        const reason = describeLeftBehind(deployment, this.#publisher.isBusy(toolName))
        const workflowId = fn?.workflowId ?? progress?.workflowId
        return reason === undefined
          ? []
          : [{ toolName, baseUrl, reason, ...(workflowId === undefined ? {} : { workflowId }) }]
      }),
      ...broken.map(({ place, reason }) => ({
        toolName: place,
        baseUrl: this.#options.client.baseUrl,
        reason,
      })),
    ]
  }

  async #call(
    spec: ToolSpec,
    input: JsonObject,
    {
      callId,
      deadline,
      signal,
    }: { readonly callId: string; readonly deadline: number; readonly signal: AbortSignal },
  ): Promise<unknown> {
    signal.throwIfAborted()
    const known = await this.#publisher.read(spec.name)
    // Looked at a moment ago; it may have been replaced since.
    if (known?.function === undefined || known.contentHash !== spec.contentHash)
      throw new ToolError(
        'TOOL_UNVERIFIED',
        `version ${spec.version} is not on n8n any more. Nothing was started; call it again.`,
      )
    const leftMs = Math.max(1, deadline - this.#now())
    const lookupTimeoutMs = Math.floor(Math.min(this.#lookupTimeoutMs, leftMs / 10))
    try {
      const outcome = await executeWorkflow(this.#options.client, known.function, input, {
        callId,
        signal,
        lookupTimeoutMs,
        timeoutMs: Math.max(1, Math.floor(leftMs - lookupTimeoutMs)),
      })
      if (outcome.ok) return outcome.result
      throw n8nFailure(outcome)
    } catch (error) {
      throw signal.aborted ? n8nStopped(signal.reason) : error
    }
  }

  /** What one tool left stays to be cleared, however well it goes with the others. */
  async #noteLeftBehind<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work
    } catch (error) {
      this.#hasLeftBehind = true
      throw error
    }
  }

  #clearLeftBehind(): void {
    const now = this.#now()
    const isSoon = now >= this.#clearedAt && now - this.#clearedAt < this.#clearAgainMs
    if (!this.#hasLeftBehind || isSoon) return
    this.#clearedAt = now
    this.#hasLeftBehind = false
    const clear = async (): Promise<void> => {
      const failures = await this.#noteLeftBehind(this.#publisher.clearLeftBehind())
      if (failures > 0) this.#hasLeftBehind = true
    }
    // It stays on record, and is tried again.
    clear().catch(() => undefined)
  }
}

function assertWithin(
  name: string,
  value: number,
  [least, most]: readonly [least: number, most: number],
): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}, got ${value}.`)
}

const n8nKindOptionNames: KnownOptions<N8nKindOptions> = {
  client: true,
  deployments: true,
  policy: { allow: true, deny: true, allowCode: true, allowSubWorkflows: true, hosts: true },
  catalogue: true,
  namePrefix: true,
  readyTimeoutMs: true,
  lookupTimeoutMs: true,
  clearAgainMs: true,
  now: true,
}

/**
 * The kind of tool that runs as a workflow on n8n. Nothing of a tool reaches n8n before a person approved it; from then on what is
 * live there is compared with what was signed.
 *
 * A failed run throws {@link ToolError} TOOL_FAILED with `n8nCode` and, where they are known, `node`, `executionId`, `details` and
 * `mayStillBeRunning` in its data.
 *
 * @throws {RangeError} when an option is out of range.
 */
export function createN8nKind(options: N8nKindOptions): N8nKind {
  assertOptions<N8nKindOptions>('createN8nKind', options, n8nKindOptionNames)
  return new WorkflowKind(options)
}
