import type { Principal, RegistrySnapshot, ToolDefinition, ToolError } from '@toolcrib/registry'
import type { AgentToolsmaker, WaitOptions } from './surfaces/agent-toolsmaker.ts'
import type { ApprovalSigner } from './trust/approval-signer.ts'
import type { BuildOutcome } from './proposals/build-outcome.ts'
import type {
  DecisionStatement,
  SignedDecision,
  VersionAction,
} from './approvals/decision-statement.ts'
import type { AuditVerification, StoredEvent } from './events/event-store.ts'
import type { EventQuery } from './events/list-events.ts'
import type { Actor } from './lifecycle/lifecycle-event.ts'
import type { ToolStop } from './activation/callable-tools.ts'
import type { PolicyBlock } from './activation/policy-block.ts'
import type { ToolReview } from './review/review.ts'
import type { SigningReview } from './review/signing-review.ts'
import type { DeferredBuildRequest } from './proposals/deferred-build-request.ts'
import type { ToolBuildRequest } from './proposals/tool-build-request.ts'
import type { OutsideState } from './tool-kind.ts'
import type { ToolIntent } from './proposals/tool-intent.ts'
import type { ToolSpec } from './tool-spec.ts'
import type { UnrecordedCustomTool } from './projections/unrecorded-custom-tools.ts'
import type { LogHead } from './trust/trust-checkpoint.ts'
import type { VersionSummary } from './review/version-summary.ts'

/** Limits that activation may put in force; they can only narrow what was approved. */
export interface ActivationLimits {
  readonly timeoutMs?: number
  readonly maxInputBytes?: number
  readonly maxOutputBytes?: number
  /** Bounds the output text in characters; put in force as the same number of bytes, which is never more characters. */
  readonly maxOutputChars?: number
}

/** What a decision is wanted for. */
export type DecisionRequest =
  | ({
      readonly action: VersionAction
      readonly name: string
      readonly version: number
      /** The approver who will sign. */
      readonly approver: string
      /** When the grant runs out, in milliseconds since the epoch. @default as the policy says */
      readonly expiresAt?: number | null
      /** Refuses to prepare when the version has another hash than the one that was reviewed. */
      readonly contentHash?: string
      /** Refuses to prepare when the version has another report than the one that was read. */
      readonly reportHash?: string
    } & ActivationLimits)
  | { readonly action: 'resume'; readonly approver: string }
  | { readonly action: 'accept_log'; readonly approver: string }

/** A decision that was signed elsewhere, or a signer that is asked now. */
export type DecisionSource =
  | { readonly decision: SignedDecision; readonly signer?: undefined }
  | {
      readonly signer: ApprovalSigner
      readonly decision?: undefined
      readonly expiresAt?: number | null
      readonly contentHash?: string
    }

/** A stop of all custom tools. */
export interface PauseInForce {
  readonly since: string
  readonly reason: string
  readonly by: Actor
  /** The event that began it, which the decision to end it names, with the hash of its row. */
  readonly sequence: number
  /** Empty where the log is not the one that the host knows. */
  readonly eventHash: string
}

/** An event log that is not the one that the host knows. */
export interface LogProblem {
  /** To go on in a sentence. */
  readonly reason: string
  /** The log that the host knows; `null` where it knows none that it signed. */
  readonly known: LogHead | null
  /** The log that is there. */
  readonly found: LogHead
}

/** Who takes a power away, and why. */
export interface RemovalOptions {
  readonly reason: string
  /** @default the person "operator" */
  readonly by?: Principal
}

/** What putting the stored tools into the registry gave. */
export interface LoadReport {
  readonly registered: number
  readonly refused: readonly {
    readonly name: string
    readonly version: number
    /** `TOOL_HELD`: its kind changed, and with it what the tool does, or nobody could find out. */
    readonly code:
      | 'TOOL_TAMPERED'
      | 'TOOL_REVOKED'
      | 'POLICY_VIOLATION'
      | 'TOOL_EXISTS'
      | 'TOOL_HELD'
    readonly reason: string
  }[]
}

/** Which tools to look at. */
export interface InspectToolsOptions extends WaitOptions {
  /** @default all that are in use */
  readonly name?: string
}

/** How what lives outside of a tool in use was found. */
export type ToolInspection = OutsideState & {
  readonly name: string
  readonly version: number
  readonly kind: string
}

/** What comparing the readable files with the record gave. */
export interface ProjectionReport {
  /** Files that were missing and are written again, relative to the store's folder. */
  readonly written: readonly string[]
  /** Files that somebody changed and that are restored, relative to the store's folder. */
  readonly restored: readonly string[]
  /** Files that could not be read or written, with the reason. */
  readonly failed: readonly { readonly file: string; readonly reason: string }[]
}

/** On whose behalf a tool is proposed. */
export interface ProposalOptions extends WaitOptions {
  readonly principal: Principal
  /** Why a person must decide, whatever the rules say; for proposals that no agent made, such as a file that was found. */
  readonly waitBecause?: string
}

/**
 * The lifecycle of made tools in one namespace, as an operator has it. Hand agents only what {@link Toolsmaker.forAgent}
 * gives.
 */
export interface Toolsmaker {
  readonly namespace: string
  /** The surface for one principal; see {@link AgentToolsmaker}. */
  forAgent(principal: Principal): AgentToolsmaker
  /**
   * Tells why a proposal of that name would be refused now for the quota of who proposes, before work is put into one; `undefined`
   * where it would not.
   */
  checkQuota(principal: Principal, name: string): ToolError<'OWNER_QUOTA_EXCEEDED'> | undefined
  /** Proposes a tool on behalf of a principal; see {@link AgentToolsmaker.buildTool}. */
  buildTool(
    request: ToolBuildRequest | DeferredBuildRequest,
    options: ProposalOptions,
  ): Promise<BuildOutcome>
  /** Proposes a tool on behalf of a principal; see {@link AgentToolsmaker.buildToolFromIntent}. */
  buildToolFromIntent(intent: ToolIntent, options: ProposalOptions): Promise<BuildOutcome>
  /**
   * Gives the statement that an approver signs for what is wanted, as things stand now.
   *
   * @throws {ToolError} VERSION_NOT_FOUND, TRANSITION_REFUSED, APPROVER_UNKNOWN, LIMIT_NOT_NARROWER, DECISION_STALE or REVIEW_CHANGED.
   */
  prepareDecision(request: DecisionRequest): Promise<DecisionStatement>
  /**
   * Records a signed approval; with an `approve_and_activate` decision also puts the version into use.
   *
   * @throws {ToolError} DECISION_INVALID, DECISION_STALE, FOUR_EYES_REQUIRED, APPROVAL_EXPIRED, TRANSITION_REFUSED or VERSION_NOT_FOUND.
   */
  approveTool(name: string, version: number, source: DecisionSource): Promise<VersionSummary>
  /**
   * Checks and tries a version once more, where its review says something else than what is on record, and puts the new report
   * on record. It grants nothing; decisions that are on their way become stale.
   *
   * @throws {ToolError} VERSION_NOT_FOUND, TRANSITION_REFUSED, TOOL_KIND_UNKNOWN, TOOL_TAMPERED or TOOL_REVOKED.
   */
  validateAgain(name: string, version: number, options?: WaitOptions): Promise<VersionSummary>
  /** Refuses a version that waits for a person. The reason goes back to the agent. */
  rejectTool(name: string, version: number, options: RemovalOptions): Promise<VersionSummary>
  /**
   * Puts an approved version into use; the version that was in use is superseded in the same step. One that was tried under
   * another fingerprint of its kind is tried once more before that.
   *
   * @throws {ToolError} as {@link Toolsmaker.approveTool}; also LIMIT_NOT_NARROWER, ACTIVATION_FAILED and TOOL_HELD.
   */
  activateToolVersion(
    name: string,
    version: number,
    options: ActivationLimits & (DecisionSource | { readonly byRule: true }),
  ): Promise<VersionSummary>
  /** Activates another approved version: without `toVersion` the one that {@link Toolsmaker.findRollback} gives. */
  rollbackTool(
    name: string,
    options: { readonly toVersion?: number } & ActivationLimits & DecisionSource,
  ): Promise<VersionSummary>
  /** Takes the active version out of use; it can be activated again. */
  deactivateTool(name: string, options: RemovalOptions): Promise<VersionSummary>
  /** Takes a version out of use for ever. It stops at once, before the record is written. */
  revokeTool(name: string, version: number, options: RemovalOptions): Promise<VersionSummary>
  /**
   * Lets every agent of the namespace see and call a version, once as many approvers have signed that as have to sign an approval;
   * until then it stays with its owner, and `missingShares` says how many more have to.
   */
  shareTool(name: string, version: number, source: DecisionSource): Promise<VersionSummary>
  /**
   * Stops all made tools, at once, before the record is written; then has kinds take down what runs elsewhere by itself. What they
   * could not take down is logged, and tried again by another pause, by {@link Toolsmaker.inspectTools} and at the next start.
   */
  pauseTools(options: RemovalOptions): Promise<void>
  /** Ends the pause, once kinds have put up again what was approved. */
  resumeTools(source: DecisionSource): Promise<void>
  /**
   * Takes the event log for the right one although it is not the one that this host knows, ends the pause that it began with,
   * and loads the tools that are in use. What was stopped before stays stopped.
   *
   * @throws {ToolError} TRANSITION_REFUSED when the log is the one that is known; DECISION_INVALID or DECISION_STALE.
   */
  acceptLog(source: DecisionSource): Promise<LoadReport>
  /** Records which requests and approvals have run out; gives their number. */
  expirePending(): Promise<number>
  /**
   * Records that a tool tried what its policy forbids: `tool_policy_blocked`, with the version where the tool was made
   * here. Texts are cut and freed of hidden characters.
   *
   * @throws {ToolError} REQUEST_INVALID when a field is missing or of the wrong kind.
   */
  recordPolicyBlock(block: PolicyBlock): Promise<void>

  /** The identity of the event log, which decisions name: the hash of its first row. */
  readonly store: string
  /**
   * Why the event log cannot be the one that this host knows, as long as no person has accepted it; made tools are paused
   * until then.
   */
  readonly logProblem: string | undefined
  /** What a person has to accept for the pause to end that such a log begins with; `undefined` where there is nothing. */
  readLogProblem(): Promise<LogProblem | undefined>
  /** Whether all made tools are stopped, and why. */
  readonly paused: PauseInForce | undefined
  /** All versions of one tool, oldest first; without a name of all tools. */
  listVersions(name?: string): readonly VersionSummary[]
  /** What waits for a person, oldest first. */
  listPending(): readonly VersionSummary[]
  /** Active version by name. */
  activeVersions(): Readonly<Record<string, number>>
  /**
   * The version that {@link Toolsmaker.rollbackTool} would put into use now: `toVersion`, else the one that was in use before the
   * present one, else the newest older one that can be activated. For whoever has a decision about it signed elsewhere.
   *
   * @throws {ToolError} VERSION_NOT_FOUND when there is none.
   */
  findRollback(name: string, options?: { readonly toVersion?: number }): VersionSummary
  getSpec(name: string, version: number): ToolSpec | undefined
  /**
   * The spec of a version whose content is what its hash says, and whose approval is good at this moment: signatures, policy,
   * end, revocation. Whether it is in use does not matter. `visibility` is the one that signatures grant. May be called
   * from a kind's hooks.
   */
  readApproved(name: string, version: number): Promise<ToolSpec | undefined>
  readReview(name: string, version: number): Promise<ToolReview | undefined>
  /** The review with all that it was made from, for whoever signs elsewhere; see {@link describeReviewProblem}. */
  readSigningReview(name: string, version: number): Promise<SigningReview | undefined>
  /** Every event about one tool, oldest first. */
  history(name: string): Promise<readonly StoredEvent[]>
  /** The latest events of the record, of all tools or some, oldest first. */
  listEvents(query?: EventQuery): Promise<readonly StoredEvent[]>
  verifyAudit(): Promise<AuditVerification>
  /** Calls `listener` after each event is durable until the returned function is called. A listener that throws is logged. */
  onEvent(listener: (event: StoredEvent) => void): () => void
  /**
   * Calls `listener` at the moment when somebody pauses all made tools, deactivates a tool or revokes a version, before that is
   * on record, until the returned function is called. For the invoker, to end what runs of them. What runs of older versions
   * of a deactivated tool is stopped too. A replacement and an approval that runs out are no stops: what runs then comes to its end.
   */
  onStop(listener: (stop: ToolStop) => void): () => void
  /** The registry's tools now; with a principal those it may see. */
  snapshotTools(principal?: Principal): RegistrySnapshot

  /**
   * Verifies every active version against the present trust and puts it into the registry; takes out what no longer
   * holds. Versions whose kind has another fingerprint than when they were tried are tried once more on their examples, for
   * at most twice the time that a kind has for an answer: those that behave differently are held. So are those that somebody changed
   * outside, as `tool_tampered`; looking takes at most as long again. Call it at start, after the built-in tools, and whenever approvers or policy changed.
   */
  loadActiveTools(options?: WaitOptions): Promise<LoadReport>
  /**
   * Looks at what lives outside of the tools in use, for tools whose kind has such a thing. What somebody changed is taken out
   * of use, as `tool_tampered`, until a person activates it again. For a timer of the host; calls look by themselves.
   * While all made tools are paused there is nothing to look at; what could not be taken down is tried again.
   *
   * @throws {ToolError} VERSION_NOT_FOUND when there is no made tool of that name.
   */
  inspectTools(options?: InspectToolsOptions): Promise<readonly ToolInspection[]>
  /**
   * Tells why a tool must not run now, or `undefined` when it may. A map look-up, for the invoker to ask at each call.
   * Tools that were not made are none of its business.
   */
  checkCallable(tool: ToolDefinition, principal: Principal): ToolError | undefined
  /** Compares the readable files with the record and restores them. Runs by itself after opening; this waits for it. */
  checkProjections(): Promise<ProjectionReport>
  /** Files in `custom-tools` that no record matches, broken ones with the reason. They are never touched. */
  readUnrecordedCustomTools(): Promise<readonly UnrecordedCustomTool[]>
  /** Waits for what runs, then closes the store. Registered tools are taken out of the registry. */
  close(): Promise<void>
}
