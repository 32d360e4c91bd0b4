import type { Principal, RegistrySnapshot } from '@toolcrib/registry'
import type { BuildOutcome } from '../proposals/build-outcome.ts'
import type { ToolReview } from '../review/review.ts'
import type { DeferredBuildRequest } from '../proposals/deferred-build-request.ts'
import type { ToolBuildRequest } from '../proposals/tool-build-request.ts'
import type { ToolIntent } from '../proposals/tool-intent.ts'
import type { ToolSpec } from '../tool-spec.ts'
import type { VersionSummary } from '../review/version-summary.ts'

/** Cancels the wait for an operation, not an operation that is already being recorded. */
export interface WaitOptions {
  readonly signal?: AbortSignal
}

/**
 * What an agent may do with made tools: propose, read, withdraw, stop its own. Nothing on it, or reachable from it, can
 * approve, activate, roll back, share, resume or change the policy.
 */
export interface AgentToolsmaker {
  readonly principal: Principal
  /**
   * Proposes a tool. Where writing the request is work, hand over how it is written: then quotas and turns come first.
   *
   * @throws {ToolError} REQUEST_INVALID, TOOL_NAME_NOT_MEANINGFUL, TOOL_NAME_TAKEN, TOOL_NOT_OWNED, OWNER_QUOTA_EXCEEDED or
   * TOOL_KIND_UNKNOWN when it cannot even be put on record; a proposal that fails its checks is on record as `rejected`.
   */
  buildTool(
    request: ToolBuildRequest | DeferredBuildRequest,
    options?: WaitOptions,
  ): Promise<BuildOutcome>
  /**
   * Proposes a tool in the short form.
   *
   * @throws {ToolError} INTENT_INVALID when a field is wrong; else as {@link AgentToolsmaker.buildTool}.
   */
  buildToolFromIntent(intent: ToolIntent, options?: WaitOptions): Promise<BuildOutcome>
  /** The active version of every tool it owns or that is shared with it, else the newest that it owns; by name. */
  list(): readonly VersionSummary[]
  /** A version that it owns or that is shared with it. @default the active one, else the newest */
  get(name: string, version?: number): (VersionSummary & { readonly spec: ToolSpec }) | undefined
  /** The review of a version it owns, with a rejection's reasons. */
  readReview(name: string, version: number): Promise<ToolReview | undefined>
  /** Takes back a proposal of its own that waits for a person. */
  withdraw(name: string, version: number, reason?: string): Promise<VersionSummary>
  /** Takes the active version of a tool of its own out of use. */
  deactivate(name: string, reason?: string): Promise<VersionSummary>
  /** The tools that it may call now, built-in ones included. */
  snapshotTools(): RegistrySnapshot
}
