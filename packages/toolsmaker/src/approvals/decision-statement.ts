import type { OpenedStatement, StatementEnvelope } from '../statements/statement-envelope.ts'
import type { ToolRunLimits } from '../tool-spec.ts'
import type { LogHead } from '../trust/trust-checkpoint.ts'

interface DecisionFrame {
  /** Identity of the event log that the decision is for: the hash of its first row. */
  readonly store: string
  readonly namespace: string
  /** SHA-256 of the approval policy that held when the decision was prepared. */
  readonly policyHash: string
  /** Id of the approver, or `host`. */
  readonly approver: string
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  /** When what is granted runs out, in milliseconds since the epoch; `null`: never. */
  readonly expiresAt: number | null
  /**
   * The event after which the decision was prepared: the last one about this version, or the pause. It makes a decision
   * good for once, and void as soon as anything happened to the version.
   */
  readonly basis: number
}

/** What a decision about one version can grant. */
export type VersionAction = 'approve' | 'activate' | 'approve_and_activate' | 'share'

/** A decision about one version of one tool, as it is signed. */
export interface VersionStatement extends DecisionFrame {
  readonly action: VersionAction
  readonly kind: string
  readonly name: string
  readonly version: number
  readonly contentHash: string
  /** SHA-256 of the generated part of the report that was read: checks, permissions, steps, suspicions and evidence. */
  readonly reportHash: string
  /** The principal that proposed the version, such as `agent:alice`. */
  readonly proposer: string
  /** The limits that hold once this version is activated by the decision; those of the version where none were narrowed. */
  readonly limits: ToolRunLimits
  /**
   * Hash of the event that deactivated or quarantined the version, which an activation lifts; `null` where nothing stops it. A
   * decision lifts the one stop that it names.
   */
  readonly lifts: string | null
  /** The rule of the policy under which the host decided. */
  readonly rule?: string
}

/** The decision to end a pause, as it is signed. */
export interface ResumeStatement extends DecisionFrame {
  readonly action: 'resume'
  /** Hash of the event that began the pause. */
  readonly lifts: string
}

/** The decision that an event log other than the one that the host knows is the right one, as it is signed. */
export interface AcceptLogStatement extends DecisionFrame {
  readonly action: 'accept_log'
  /** The log that the host knows; `null` where it knows none that it signed. */
  readonly known: LogHead | null
  /** The log that is there. */
  readonly found: LogHead
}

/** What an approver signs. */
export type DecisionStatement = VersionStatement | ResumeStatement | AcceptLogStatement

/** A signed decision as it is kept and sent: a DSSE envelope. */
export type SignedDecision = StatementEnvelope

/** A decision out of its envelope. Nothing of it is verified by that. */
export type OpenedDecision<Statement extends DecisionStatement = DecisionStatement> =
  OpenedStatement<Statement>
