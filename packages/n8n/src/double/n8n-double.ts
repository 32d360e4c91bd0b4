import type { JsonObject } from '@toolcrib/registry'
import type { N8nDoubleVersion, WorkflowMatch } from './double-state.ts'
import type { PlannedCut, PlannedFailure, StartingStage } from './trouble.ts'
import type { WorkflowBehaviour } from './workflow-behaviour.ts'

/** How a double is made. */
export interface N8nDoubleOptions {
  /** The release it imitates. @default '2.41.1' */
  readonly version?: N8nDoubleVersion
  /** @default a random one */
  readonly apiKey?: string
  /** What the key may do on 2.x, such as `workflow:read`. @default everything */
  readonly scopes?: readonly string[]
  /** Further keys, with what they may do; 1.x lets every key do everything. */
  readonly keys?: readonly { readonly apiKey: string; readonly scopes: readonly string[] }[]
  /** How long after "published" the webhook answers, in milliseconds; 2.x only. @default 20 */
  readonly publishDelayMs?: number
  /** How long after "unpublished" the webhook still answers, in milliseconds; 2.x only. @default 20 */
  readonly unpublishDelayMs?: number
  /**
   * How many deletions fail inside, with status 500, that come while a workflow is being taken down, as some do on the real
   * server; the workflow stays. 2.x only. @default 0
   */
  readonly failedRemovals?: number
  /** Milliseconds that never run backwards, for both delays. @default performance.now */
  readonly now?: () => number
}

/** A request that reached the double, whole: keys and tokens are in it. */
export interface RecordedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A workflow in the double, as it is now. */
export interface WorkflowInDouble {
  readonly id: string
  readonly name: string
  readonly active: boolean
  readonly isArchived: boolean
  readonly versionId: string
  readonly activeVersionId: string | null
  readonly nodes: readonly JsonObject[]
  readonly connections: JsonObject
  readonly settings: JsonObject
  /** Every version that was saved, oldest first. */
  readonly versions: readonly {
    readonly versionId: string
    readonly name: string | null
    readonly nodes: readonly JsonObject[]
  }[]
}

/** What somebody changes in the editor, behind the back of the client. */
export interface EditBehindTheBack {
  readonly name?: string
  readonly nodes?: readonly JsonObject[]
  readonly connections?: JsonObject
  readonly settings?: JsonObject
  readonly staticData?: JsonObject | null
  readonly pinData?: JsonObject | null
  readonly isArchived?: boolean
  /** Whether the change goes live at once. @default true where the workflow is live */
  readonly publish?: boolean
}

/** An execution in the double. */
export interface ExecutionInDouble {
  readonly id: string
  readonly workflowId: string
  readonly status: string
  readonly data: JsonObject
}

/** A stand-in for an n8n server: a real HTTP server on loopback that answers as the release does. */
export interface N8nDouble extends AsyncDisposable {
  readonly version: N8nDoubleVersion
  readonly baseUrl: string
  readonly apiKey: string
  /** Every request so far, oldest first. */
  readonly requests: readonly RecordedRequest[]
  workflows(): readonly WorkflowInDouble[]
  credentials(): readonly { readonly id: string; readonly name: string; readonly type: string }[]
  executions(): readonly ExecutionInDouble[]
  /**
   * Says what workflows do when they are called. The one that was added last wins. Without one, a workflow answers the fixed
   * JSON of a Set node at its end, or else what it was called with.
   *
   * @returns takes it back
   */
  onWebhook(match: WorkflowMatch, behaviour: WorkflowBehaviour): () => void
  /** Edits a workflow as somebody in n8n's editor would. @throws {Error} where there is no such workflow */
  edit(id: string, change: EditBehindTheBack): void
  /** Removes a workflow, live or not. @returns whether it was there */
  remove(id: string): boolean
  /** Publishes, or takes down, as somebody in the editor would. */
  setActive(id: string, active: boolean): void
  /** Kills the server: connections break, runs end as `crashed`, the port refuses. What is stored stays. */
  down(): Promise<void>
  /** The server starts, and is not ready; see {@link StartingStage}. @default 'page' */
  starting(stage?: StartingStage): void
  /** Ends `down`, `starting` and `slow`; planned failures that were not met are dropped. */
  up(): Promise<void>
  /** Every answer comes that much later, in milliseconds. */
  slow(ms: number): void
  /** Answers the next matching requests with a failure; nothing is done for them. */
  failNext(plan: PlannedFailure): void
  /** Breaks the connection of the next matching requests. */
  cutConnection(plan?: PlannedCut): void
  close(): Promise<void>
}
