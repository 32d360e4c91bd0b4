import type { JsonObject } from './json-value.ts'
import type { Principal } from './principal.ts'
import type { ToolProgress } from './tool-progress.ts'
import type { ToolResult } from './tool-result.ts'

/** What can be said about one call. */
export interface InvokeOptions {
  /** How long this call may take, in milliseconds; overrides the tool's own limit. */
  readonly timeoutMs?: number
  /** Cancels the call. */
  readonly signal?: AbortSignal
  /** On whose behalf. @default localPrincipal */
  readonly principal?: Principal
  /** W3C trace id, 32 hexadecimal digits. */
  readonly traceId?: string
  /** The call that this one belongs to, in the log. */
  readonly parentCallId?: string
  /** The conversation or session that this call belongs to, in the log and for the tool: the http tool keeps cookies by it. */
  readonly sessionId?: string
  /**
   * What the caller may touch, where it is a made tool; see `callerPolicy` of the tool context. Calls that the tool makes inherit
   * it unless a narrower one is named.
   */
  readonly callerPolicy?: JsonObject
  /** The id that the model gave this call, in the log. */
  readonly toolCallId?: string
  /** Receives what the tool reports on its way. */
  readonly onProgress?: (progress: ToolProgress) => void
}

/** The one way to call a tool. Never throws: every outcome is a {@link ToolResult}. */
export interface Invoker {
  invoke(toolName: string, input: unknown, options?: InvokeOptions): Promise<ToolResult>
}
