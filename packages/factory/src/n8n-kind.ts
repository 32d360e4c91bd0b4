import type { N8nClient, RemovalOutcome } from '@toolcrib/n8n'
import type { NodeCatalogue, NodePolicy } from '@toolcrib/n8n/workflow'
import type { JsonObject } from '@toolcrib/registry'
import type {
  CompiledTool,
  EvidenceRun,
  KindHookOptions,
  ToolKind,
  ToolProposal,
  ToolSpec,
  ValidationCheck,
} from '@toolcrib/toolsmaker'
import type { N8nDefinition } from './n8n-definition.ts'
import type { N8nDeployments } from './n8n-deployments.ts'

/** What n8n tools are built on. */
export interface N8nKindOptions {
  readonly client: N8nClient
  /** Where is kept what is on the server. */
  readonly deployments: N8nDeployments
  /** What workflows may contain. @default what `validateWorkflow` allows by default */
  readonly policy?: NodePolicy
  /** Which nodes exist. @default the one shipped with `@toolcrib/n8n` */
  readonly catalogue?: NodeCatalogue
  /** Leads the name of each workflow on the server. @default 'toolcrib' */
  readonly namePrefix?: string
  /** How long a workflow may take until it answers after it was published, in milliseconds. @default 20_000 */
  readonly readyTimeoutMs?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

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
  /** What should be gone from the server and may not be. */
  listLeftBehind(): Promise<readonly N8nLeftBehind[]>
}

class WorkflowKind implements N8nKind {
  readonly kind = 'n8n'
  readonly #options: N8nKindOptions

  constructor(options: N8nKindOptions) {
    this.#options = options
  }

  check(_proposal: ToolProposal): readonly ValidationCheck[] {
    return [{ name: 'workflow', pass: false, message: 'not there yet' }]
  }

  gatherEvidence(): readonly EvidenceRun[] {
    return []
  }

  describePowers(): readonly string[] {
    return [`Runs on n8n at ${this.#options.client.baseUrl}.`]
  }

  describeSteps(): readonly string[] {
    return []
  }

  toCustomTool({ definition }: ToolSpec): JsonObject {
    const { template, workflow } = definition as unknown as N8nDefinition
    return {
      ...(template === undefined ? {} : { templateSource: template.slug }),
      workflow: workflow as unknown as JsonObject,
    }
  }

  compile(): CompiledTool {
    return { execute: () => Promise.reject(new Error('not there yet')) }
  }

  async health(toolName: string): Promise<N8nToolHealth> {
    const { baseUrl } = this.#options.client
    return { toolName, baseUrl, isReachable: false, state: 'absent' }
  }

  async removeFromServer(): Promise<RemovalOutcome> {
    return { removed: false, left: [] }
  }

  async listLeftBehind(): Promise<readonly N8nLeftBehind[]> {
    return []
  }
}

/** The kind of tool that runs as a workflow on n8n. */
export function createN8nKind(options: N8nKindOptions): N8nKind {
  return new WorkflowKind(options)
}
