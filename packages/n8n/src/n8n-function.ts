import type { JsonValue } from '@toolcrib/registry'
import type { N8nCallOptions } from './n8n-client.ts'
import type { N8nErrorCode } from './error-catalogue.ts'

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
  /** Random bytes, for tests. @default crypto.getRandomValues */
  readonly random?: (bytes: number) => Uint8Array
}

export interface ExecuteOptions extends N8nCallOptions {
  /** Comes back in executions, so that a call can be found again. @default a new UUID */
  readonly callId?: string
  /** Sent as the header `idempotency-key`. @default the call id */
  readonly idempotencyKey?: string
  /** How long a failed or lost call is looked up, in milliseconds. @default 3_000 */
  readonly lookupTimeoutMs?: number
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
