import type { ToolRunLimits } from '../tool-spec.ts'

interface StatementFrame {
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
export interface VersionStatement extends StatementFrame {
  readonly action: VersionAction
  readonly kind: string
  readonly name: string
  readonly version: number
  readonly contentHash: string
  /** Limits narrower than those of the spec, put in force by activation. */
  readonly limits?: ToolRunLimits
  /** The rule of the policy under which the host decided. */
  readonly rule?: string
}

/** The decision to end a pause, as it is signed. */
export interface ResumeStatement extends StatementFrame {
  readonly action: 'resume'
}

/** What an approver signs. */
export type DecisionStatement = VersionStatement | ResumeStatement

/** A statement with its Ed25519 signature, base64url. */
export interface SignedDecision<Statement extends DecisionStatement = DecisionStatement> {
  readonly statement: Statement
  readonly signature: string
}
