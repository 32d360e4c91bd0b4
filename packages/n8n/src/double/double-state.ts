import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { WorkflowBehaviour } from './workflow-behaviour.ts'

/** A release of n8n that the double imitates. */
export type N8nDoubleVersion = '2.41.1' | '1.123.81'

/** A node as it was sent; nothing is known of it for sure. */
export type DoubleNode = { readonly [key: string]: JsonValue } & {
  readonly parameters?: JsonObject
}

/** What a version of a workflow keeps: settings and names are not part of it. */
export interface DoubleWorkflowVersion {
  readonly versionId: string
  readonly nodes: readonly DoubleNode[]
  readonly connections: JsonObject
  name: string | null
  description: string | null
  readonly createdAt: string
  updatedAt: string
  readonly publishHistory: JsonObject[]
}

/** A workflow in the double. */
export interface DoubleWorkflow {
  readonly id: string
  name: string
  description: string | null
  active: boolean
  activeVersionId: string | null
  readonly createdAt: string
  updatedAt: string
  isArchived: boolean
  versionId: string
  versionCounter: number
  triggerCount: number
  nodes: readonly DoubleNode[]
  connections: JsonObject
  settings: JsonObject
  staticData: JsonValue
  pinData: JsonValue
  tagIds: readonly string[]
  readonly versions: DoubleWorkflowVersion[]
  /** Which version answers from when on; the future is what is still being published or taken down. */
  readonly timeline: { readonly at: number; readonly versionId: string | null }[]
}

/** A credential in the double, with its values: they never leave it. */
export interface DoubleCredential {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly data: JsonObject
  readonly createdAt: string
  readonly updatedAt: string
}

/** A tag in the double. */
export interface DoubleTag {
  readonly id: string
  name: string
  readonly createdAt: string
  updatedAt: string
}

/** One run. */
export interface DoubleExecution {
  readonly id: string
  readonly workflowId: string
  readonly workflowVersionId: string
  status: 'running' | 'success' | 'error' | 'waiting' | 'canceled' | 'crashed'
  readonly mode: string
  retryOf: string | null
  retrySuccessId: string | null
  readonly createdAt: string
  readonly startedAt: string
  stoppedAt: string | null
  waitTill: string | null
  /** With `resultData`, as `includeData=true` shows it. */
  data: JsonObject
  /** The workflow as it ran. */
  readonly workflowData: JsonObject
  customData: JsonObject
}

/** Everything that a double holds. */
export interface DoubleState {
  readonly version: N8nDoubleVersion
  readonly major: 1 | 2
  /** What each API key may do. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  readonly publishDelayMs: number
  readonly unpublishDelayMs: number
  /** How many deletions are still to fail inside. */
  failedRemovals: number
  readonly ownerId: string
  readonly projectId: string
  readonly startedAt: string
  readonly workflows: Map<string, DoubleWorkflow>
  readonly credentials: Map<string, DoubleCredential>
  readonly tags: Map<string, DoubleTag>
  readonly executions: Map<string, DoubleExecution>
  readonly behaviours: { readonly match: WorkflowMatch; readonly run: WorkflowBehaviour }[]
  nextExecutionId: number
  nextPublishEvent: number
  /** Milliseconds that never run backwards. */
  readonly now: () => number
  readonly timestamp: () => string
}

/** Which workflow a behaviour is for: its name on the server, the path of its webhook, or a test of both. */
export type WorkflowMatch =
  | string
  | ((workflow: { readonly id: string; readonly name: string; readonly path: string }) => boolean)

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An id as n8n makes them: 16 letters and digits. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
}
