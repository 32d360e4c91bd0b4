import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { N8nTransport } from './transport.ts'
import type { N8nCredentialReference, N8nWorkflow } from './n8n-workflow.ts'

/** What every call of a client takes. */
export interface N8nCallOptions {
  readonly signal?: AbortSignal | undefined
  /** In milliseconds, for the call with its retries. @default that of the client */
  readonly timeoutMs?: number
}

/** How often and how long reads are repeated. Writes are repeated only where n8n cannot have taken them. */
export interface N8nRetryOptions {
  /** Tries after the first, 0 to 10. @default 2 */
  readonly retries?: number
  /** The first pause, in milliseconds; each later one is twice as long, up to 5 s. @default 200 */
  readonly pauseMs?: number
}

/** How a client reaches n8n. */
export interface N8nClientOptions {
  /** Such as `http://127.0.0.1:5678`; a path below which n8n lives is kept. */
  readonly baseUrl: string
  /** A key of the public API; its value, or a function that reads it at each call. */
  readonly apiKey: string | (() => string | Promise<string>)
  /** Where webhooks are called. @default `baseUrl` */
  readonly webhookBaseUrl?: string
  /** Below it webhooks live, as the server's N8N_ENDPOINT_WEBHOOK says. @default 'webhook' */
  readonly webhookEndpoint?: string
  /** For a call with its retries, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number
  readonly retry?: N8nRetryOptions
  /** @default 16_777_216, what n8n takes by default */
  readonly maxRequestBytes?: number
  /** @default 16_777_216 */
  readonly maxResponseBytes?: number
  /** @default got, with keep-alive */
  readonly transport?: N8nTransport
  /** Waits, so that tests need not. @default setTimeout */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Milliseconds that never run backwards. @default performance.now */
  readonly now?: () => number
}

/** A workflow as the server has it. */
export interface StoredWorkflow extends N8nWorkflow {
  readonly id: string
  /** Whether a version of it is live. */
  readonly active: boolean
  readonly isArchived: boolean
  /** The version that was saved last; absent on n8n 1.x. */
  readonly versionId?: string
  /** The version that is live; absent where none is, and on n8n 1.x. */
  readonly activeVersionId?: string
  /** What is live, where the server says so; it can differ from what was saved last. */
  readonly activeVersion?: {
    readonly versionId: string
    readonly nodes: N8nWorkflow['nodes']
    readonly connections: N8nWorkflow['connections']
  }
  readonly createdAt: string
  readonly updatedAt: string
  readonly tags: readonly { readonly id: string; readonly name: string }[]
}

/** One entry of a workflow's history. */
export interface WorkflowVersion {
  readonly versionId: string
  readonly name?: string
  readonly description?: string
  readonly createdAt: string
  readonly nodes?: N8nWorkflow['nodes']
  readonly connections?: N8nWorkflow['connections']
}

/** What a server can do, found by asking it. */
export interface N8nCapabilities {
  /** 1 or 2. */
  readonly major: 1 | 2
  /** Versions of workflows can be saved as drafts and published one by one. */
  readonly publish: boolean
  readonly history: boolean
  /** Credentials can be listed. */
  readonly listCredentials: boolean
  /** Scopes of the key, where the server says so. */
  readonly scopes?: readonly string[]
}

export interface ListWorkflowsFilter {
  readonly active?: boolean
  /** A part of the name. */
  readonly name?: string
  readonly tags?: readonly string[]
  readonly projectId?: string
  /** Per page, 1 to 250. @default 100 */
  readonly pageSize?: number
}

export type ExecutionStatus =
  | 'new'
  | 'running'
  | 'waiting'
  | 'success'
  | 'error'
  | 'crashed'
  | 'canceled'
  | 'unknown'

/** One run of a workflow. */
export interface N8nExecution {
  readonly id: string
  readonly workflowId: string
  readonly workflowVersionId?: string
  readonly status: ExecutionStatus
  /** Such as `webhook` or `trigger`. */
  readonly mode: string
  readonly startedAt?: string
  readonly stoppedAt?: string
  readonly customData?: JsonObject
  /** Where it was asked for with its data. */
  readonly data?: JsonObject
}

export interface ListExecutionsFilter {
  readonly workflowId?: string
  readonly status?: ExecutionStatus
  readonly includeData?: boolean
  /** Per page, 1 to 250. @default 100 */
  readonly pageSize?: number
}

/** What is saved of a workflow, and whether it goes live. */
export interface UpdateWorkflowOptions extends N8nCallOptions {
  /** `draft` saves a version that does not go live (n8n 2); `live` publishes it where the workflow is live. @default 'draft' */
  readonly mode?: 'draft' | 'live'
}

export interface PublishOptions extends N8nCallOptions {
  /** @default the version saved last */
  readonly versionId?: string
  /** For n8n's history, such as "v2 approved by Grace". */
  readonly name?: string
  readonly description?: string
}

/** Workflows on the server. Every method throws the errors of the client; see the README. */
export interface N8nWorkflows {
  /** Sends an allow-list of fields; `active`, ids and the like are left out. */
  create(workflow: N8nWorkflow, options?: N8nCallOptions): Promise<StoredWorkflow>
  get(id: string, options?: N8nCallOptions): Promise<StoredWorkflow>
  /** Page by page, with the filters repeated on each. */
  list(filter?: ListWorkflowsFilter, options?: N8nCallOptions): AsyncIterable<StoredWorkflow>
  /**
   * Makes it exactly `workflow`: settings and pinned data that are left out are taken back, which n8n itself does not do.
   * Static data is n8n's own memory; it stays unless it is given, and `null` clears it.
   *
   * @throws {ToolError} N8N_UNSUPPORTED for a draft on n8n 1.x
   */
  update(
    id: string,
    workflow: N8nWorkflow,
    options?: UpdateWorkflowOptions,
  ): Promise<StoredWorkflow>
  /** Unpublishes it where it is live, waits until that is done, and deletes it. @returns whether it was there */
  remove(id: string, options?: N8nCallOptions): Promise<boolean>
  publish(id: string, options?: PublishOptions): Promise<StoredWorkflow>
  unpublish(id: string, options?: N8nCallOptions): Promise<StoredWorkflow>
  /** {@link N8nWorkflows.publish} or {@link N8nWorkflows.unpublish}, under their older names. */
  setActive(id: string, active: boolean, options?: N8nCallOptions): Promise<StoredWorkflow>
  /** Newest first. @throws {ToolError} N8N_UNSUPPORTED on n8n 1.x */
  history(id: string, options?: N8nCallOptions): Promise<readonly WorkflowVersion[]>
  /** One version with its nodes. @throws {ToolError} N8N_UNSUPPORTED on n8n 1.x */
  version(id: string, versionId: string, options?: N8nCallOptions): Promise<WorkflowVersion>
  /** Publishes an older version. @throws {ToolError} N8N_UNSUPPORTED on n8n 1.x */
  rollback(id: string, versionId: string, options?: PublishOptions): Promise<StoredWorkflow>
}

export interface N8nExecutions {
  /** Newest first. Runs that are under way are listed only when asked for by status. */
  list(filter?: ListExecutionsFilter, options?: N8nCallOptions): AsyncIterable<N8nExecution>
  get(
    id: string,
    options?: N8nCallOptions & { readonly includeData?: boolean },
  ): Promise<N8nExecution>
  /** Until it has ended, or waits for something outside. */
  waitFor(
    id: string,
    options?: N8nCallOptions & { readonly pollMs?: number; readonly includeData?: boolean },
  ): Promise<N8nExecution>
  /** @returns whether it was running */
  stop(id: string, options?: N8nCallOptions): Promise<boolean>
}

/** Credentials on the server. Values go in and never come out. */
export interface N8nCredentials {
  create(
    credential: { readonly name: string; readonly type: string; readonly data: JsonObject },
    options?: N8nCallOptions,
  ): Promise<N8nCredentialReference>
  /** @returns whether it was there */
  remove(id: string, options?: N8nCallOptions): Promise<boolean>
  /** @throws {ToolError} N8N_UNSUPPORTED on n8n 1.x */
  list(options?: N8nCallOptions): AsyncIterable<N8nCredentialReference & { readonly type: string }>
  schema(type: string, options?: N8nCallOptions): Promise<JsonObject>
}

export interface N8nTags {
  list(options?: N8nCallOptions): AsyncIterable<{ readonly id: string; readonly name: string }>
  /** Creates those that are missing, and puts exactly these on a workflow. */
  setOn(workflowId: string, names: readonly string[], options?: N8nCallOptions): Promise<void>
  /** From everywhere. @returns whether it was there */
  remove(id: string, options?: N8nCallOptions): Promise<boolean>
}

/** What a webhook answered, of any status. */
export interface WebhookAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Absent where the answer is no JSON. */
  readonly json?: JsonValue
  readonly ms: number
}

export interface N8nWebhooks {
  /** `/webhook/<path>`, whole. */
  address(path: string): URL
  /** Sends JSON once, never again, and follows no redirect. */
  trigger(
    path: string,
    body: JsonValue,
    options?: N8nCallOptions & {
      readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      readonly headers?: Readonly<Record<string, string>>
    },
  ): Promise<WebhookAnswer>
  /** Whether something is registered at a path, found without running it. */
  isRegistered(
    path: string,
    options?: N8nCallOptions & { readonly method?: string },
  ): Promise<boolean>
}

/** A client of one n8n server. Holds no state but its connections and what it learnt of the server. */
export interface N8nClient {
  readonly baseUrl: string
  /** Whether the server is ready to work; never throws for a server that is down. */
  ping(options?: N8nCallOptions): Promise<{
    readonly ready: boolean
    readonly ms: number
    /** Why it is not ready. */
    readonly reason?: string
  }>
  /** Asked once, then remembered. */
  capabilities(options?: N8nCallOptions): Promise<N8nCapabilities>
  readonly workflows: N8nWorkflows
  readonly executions: N8nExecutions
  readonly credentials: N8nCredentials
  readonly tags: N8nTags
  readonly webhooks: N8nWebhooks
  /** Replaces keys and tokens that this client knows in a text. */
  redact(text: string): string
}
