import type { InvokeOptions } from './invoker.ts'
import type { JsonObject } from './json-value.ts'
import type { Logger } from './logger.ts'
import type { Principal } from './principal.ts'
import type { ToolProgress } from './tool-progress.ts'
import type { ToolResult } from './tool-result.ts'

/** What a tool is given beside its input and signal. */
export interface ToolContext {
  /** UUIDv7 of this call; the key of its log rows. */
  readonly callId: string
  readonly toolName: string
  readonly namespace: string
  readonly principal: Principal
  /** W3C trace id, 32 hexadecimal digits, where the caller has one. */
  readonly traceId?: string
  readonly parentCallId?: string
  /** The conversation or session that the call belongs to, where its caller named one; calls that tools make inherit it. */
  readonly sessionId?: string
  /**
   * What the made tools that led to this call may touch together, in the form of a policy of `@toolcrib/policy`. A tool that
   * touches anything must stay within it, and passes on no more. Absent where no made tool called.
   */
  readonly callerPolicy?: JsonObject
  /** The tools through which this call came, outermost first; there where `callerPolicy` is, to say whom it binds. */
  readonly callerNames?: readonly string[]
  /** When the call times out, in milliseconds since the epoch. */
  readonly deadline: number
  readonly logger: Logger
  /** May be taken out of the context and passed on. */
  readonly reportProgress: (progress: ToolProgress) => void
  /**
   * Tells the host of a policy violation that the call will not end with, because the code that the tool runs caught it.
   * Only errors with the code POLICY_VIOLATION count. The same error counts once, also when it is thrown later; after the
   * first 100 of a call only the one that it ends with does. May be taken out of the context and passed on. Never throws.
   */
  readonly reportViolation: (error: unknown) => void
  /**
   * Calls another tool on behalf of this call: it shares this call's slot, remaining time, principal and signal. May be
   * taken out of the context and passed on.
   */
  readonly invoke: (
    toolName: string,
    input: unknown,
    options?: Pick<InvokeOptions, 'timeoutMs' | 'signal' | 'callerPolicy'>,
  ) => Promise<ToolResult>
}
