import type { OpenedStatement, StatementEnvelope } from '../statements/statement-envelope.ts'
import type { ToolRunLimits } from '../tool-spec.ts'

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
  /** The rule of the policy under which the host decided. */
  readonly rule?: string
}

/** The decision to end a pause, as it is signed. */
export interface ResumeStatement extends DecisionFrame {
  readonly action: 'resume'
}

/** What an approver signs. */
export type DecisionStatement = VersionStatement | ResumeStatement

/** A signed decision as it is kept and sent: a DSSE envelope. */
export type SignedDecision = StatementEnvelope

/** A decision out of its envelope. Nothing of it is verified by that. */
export type OpenedDecision<Statement extends DecisionStatement = DecisionStatement> =
  OpenedStatement<Statement>
