import type { JsonObject, JsonValue } from '@toolcrib/registry'

/** One call of a webhook, as a behaviour sees it. */
export interface WebhookCall {
  readonly body: JsonValue
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly method: string
  readonly path: string
  readonly workflow: { readonly id: string; readonly name: string; readonly versionId: string }
  readonly executionId: string
  /** Aborts when the double is closed. */
  readonly signal: AbortSignal
}

/** How a run of a workflow ends. */
export type WorkflowRun =
  /** The last node's item. */
  | { readonly result: JsonValue }
  /** The last node's items; none at all is what n8n answers with an error, or with nothing where a Respond node was to answer. */
  | { readonly items: readonly JsonObject[] }
  /**
   * A node fails: the caller gets no detail, the execution has it. On 1.x whoever waits for a Respond node is answered with
   * nothing, and status 200.
   */
  | { readonly fails: { readonly node: string; readonly message: string } }
  /** What a Respond to Webhook node sends. */
  | {
      readonly responds: {
        readonly status?: number
        readonly body: string
        readonly contentType?: string
        /** A node after it fails: the caller has its answer already, the execution has it. */
        readonly thenFails?: { readonly node: string; readonly message: string }
      }
    }
  /** The workflow stops to wait: the caller gets what its nodes gave by then, with status 200; the webhook node's own output by default. */
  | { readonly waits: true; readonly result?: JsonValue }
  /** The workflow's own time limit ends it. */
  | { readonly timesOut: true }
  /** n8n is killed: the connection breaks, and the execution is `crashed` afterwards. */
  | { readonly crashes: true }
  /** The connection breaks, and the run succeeds all the same. */
  | { readonly cuts: true; readonly result: JsonValue }

/** What a workflow does when its webhook is called. Throwing is a node that fails with that message. */
export type WorkflowBehaviour = (call: WebhookCall) => WorkflowRun | Promise<WorkflowRun>
