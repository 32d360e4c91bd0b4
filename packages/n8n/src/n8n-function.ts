import type { JsonValue } from '@toolcrib/registry'
import type { N8nCallOptions } from './n8n-client.ts'
import type { N8nErrorCode } from './error-catalogue.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'

/**
 * What a workflow gets when it is put onto a server: everything in it that is not the author's. {@link bindWorkflow} puts it
 * in; the same workflow and binding always give the same bytes.
 */
export interface WorkflowBinding {
  /** The name on the server. */
  readonly name: string
  /** Not to be guessed, of letters, digits and "-". */
  readonly path: string
  readonly webhookId: string
  /** The credential that the webhook asks callers for. */
  readonly credential?: { readonly id: string; readonly name: string; readonly type: 'jwtAuth' }
}

/**
 * A workflow on a server that can be called like a function. Plain data: keep it, for it is the only record of the secret
 * and of what was created. Treat it as a secret.
 */
export interface N8nFunction {
  readonly workflowId: string
  readonly binding: WorkflowBinding
  /** What callers sign their tokens with; absent for a webhook without authentication. */
  readonly secret?: string
  /** The live version; absent on n8n 1.x. */
  readonly versionId?: string
  /** SHA-256 of the canonical form of the bound workflow, in hexadecimal digits. */
  readonly hash: string
  /** A run may stop to wait, when n8n answers before the workflow has run; so that each answer is looked up. */
  readonly mayWait?: true
  /** The workflow answers with JSON and a status of success only, so that words of n8n are n8n's own. */
  readonly givesOnlyJson?: true
  /** The workflow answers with a status of success only, so that words of n8n with any other status are n8n's own. */
  readonly givesOnlySuccess?: true
}

/** What is known of a deployment that is under way; hand it to `undoDeployment` after a crash. */
export interface DeploymentProgress {
  readonly binding: WorkflowBinding
  readonly secret?: string
  readonly credentialId?: string
  readonly workflowId?: string
}

export interface DeployOptions extends N8nCallOptions {
  /** @default 'jwt': callers show a token that is good for a minute */
  readonly auth?: 'jwt' | 'none'
  /** The name on the server. @default that of the workflow */
  readonly name?: string
  /** For n8n's history. */
  readonly versionName?: string
  readonly description?: string
  /** How long the webhook may take to answer, in milliseconds. @default 20_000 */
  readonly readyTimeoutMs?: number
  /** Called before each step that leaves something on the server, so that nothing is lost in a crash. */
  readonly onProgress?: (progress: DeploymentProgress) => void | Promise<void>
  /** Time for taking back what was created, in milliseconds; an abort does not shorten it. @default 20_000 */
  readonly undoTimeoutMs?: number
  /** Random bytes, for tests. @default crypto.getRandomValues */
  readonly random?: (bytes: number) => Uint8Array
}

export interface UpdateFunctionOptions extends Omit<DeployOptions, 'auth' | 'onProgress'> {
  /** What to go back to on failure, as its author wrote it. @default what the server has when the update starts */
  readonly previous?: N8nWorkflow
}

export interface RollbackFunctionOptions extends UpdateFunctionOptions {
  /** The version of n8n's history to publish. */
  readonly versionId: string
  /** What that version is expected to be, as its author wrote it. */
  readonly workflow: N8nWorkflow
}

export interface RetireFunctionOptions extends N8nCallOptions {
  /** `unpublish` keeps the workflow, with its history and its credential, but not live. @default 'delete' */
  readonly mode?: 'unpublish' | 'delete'
  /** How long the webhook may take to fall silent, in milliseconds. @default 20_000 */
  readonly goneTimeoutMs?: number
}

export interface UndoDeploymentOptions extends N8nCallOptions {
  /** For everything together, in milliseconds. @default 20_000 */
  readonly undoTimeoutMs?: number
}

export interface ExecuteOptions extends N8nCallOptions {
  /** Comes back in executions, so that a call can be found again. @default a new UUID */
  readonly callId?: string
  /** Sent as the header `idempotency-key`: the same in both runs, where n8n runs a call twice. @default the call id */
  readonly idempotencyKey?: string
  /** How long a failed or lost call is looked up, in milliseconds. @default 3_000 */
  readonly lookupTimeoutMs?: number
  /**
   * How long a call is tried again that n8n cannot have run (connection refused, n8n still starting), in milliseconds.
   * The try that is taken then falls into the start of n8n, when n8n itself may run a call twice.
   *
   * @default 0
   */
  readonly retryUnsentMs?: number
}

/** What a call of a workflow gave. */
export type WorkflowOutcome =
  | {
      readonly ok: true
      readonly result: JsonValue
      readonly executionId?: string
      readonly ms: number
    }
  | {
      readonly ok: false
      readonly error: {
        readonly code: N8nErrorCode
        /** For people and models; without keys, tokens and addresses that are secret. */
        readonly message: string
        /** The node that failed. */
        readonly node?: string
        /** What the workflow itself answered with its error envelope. */
        readonly details?: JsonValue
      }
      readonly executionId?: string
      readonly ms: number
      /** It may still run, or run later. */
      readonly mayStillBeRunning?: true
    }

/** Whether what is on the server is what was deployed. */
export type FunctionState =
  | { readonly state: 'intact' }
  /** Somebody changed, unpublished, archived or deleted it; `reason` says what. */
  | { readonly state: 'changed'; readonly reason: string; readonly fields: readonly string[] }
  /** n8n could not be asked. */
  | { readonly state: 'unknown'; readonly reason: string }

/** What is left on the server after something was to be removed. */
export interface RemovalOutcome {
  readonly removed: boolean
  /** Such as `workflow Ab12 (still live)`; empty when nothing is left. */
  readonly left: readonly string[]
  readonly reason?: string
}
