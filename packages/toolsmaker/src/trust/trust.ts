import type { KeptCheckpoint } from './older-checkpoint.ts'
import type { ApprovalPolicy } from '../approvals/approval-policy.ts'
import type { ApprovalSigner } from './approval-signer.ts'
import type { StatementEnvelope } from '../statements/statement-envelope.ts'
import type { SignatureAlgorithmName } from './signature-algorithms.ts'

/** Somebody whose signature counts. */
export interface Approver {
  readonly id: string
  readonly name: string
  /** What the key is for. @default 'ed25519' */
  readonly algorithm?: SignatureAlgorithmName
  /** Who proposes for this person: principals such as `person:alice` or `agent:alice-bot`, whose tools four eyes keeps from her. */
  readonly principals?: readonly string[]
  /** As the algorithm writes it; of Ed25519 the raw 32 bytes, base64url. No two approvers have the same. */
  readonly publicKey: string
}

/** A version that must never be callable again, whatever the store says. */
export interface Revocation {
  readonly namespace: string
  readonly name: string
  readonly version: number
  readonly contentHash: string
}

/** What the toolsmaker believes without proof. It lives where no tool can write, never in the store. */
export interface Trust {
  /** The folder it is in, where it is in one. */
  readonly directory?: string
  /** The present approvers by id. */
  approvers(): ReadonlyMap<string, Approver>
  policy(): ApprovalPolicy
  /** SHA-256 of the present policy. */
  policyHash(): string
  /** Signs what a rule of the policy approved; its `approverId` is `host`. */
  hostSigner(): ApprovalSigner
  isRevoked(revocation: Revocation): boolean
  /** Whether any version of a tool was revoked. */
  hasRevocation(namespace: string, name: string): boolean
  /** Resolves when the revocation is durable. */
  recordRevocation(revocation: Revocation): Promise<void>
  /** What the trust remembers of a namespace's log, if anything. */
  readCheckpoint(namespace: string): Promise<KeptCheckpoint | undefined>
  /** Keeps a signed checkpoint; resolves when it is durable. */
  saveCheckpoint(namespace: string, checkpoint: StatementEnvelope): Promise<void>
  /** Reads again what may have changed. */
  refresh(): Promise<void>
}
