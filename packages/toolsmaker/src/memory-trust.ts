import type { ApprovalPolicy } from './approval-policy.ts'
import type { Approver, Trust } from './trust.ts'

/** What a trust in memory starts with. */
export interface MemoryTrustOptions {
  readonly approvers?: readonly Approver[]
  readonly policy?: Partial<ApprovalPolicy>
}

/** A trust in memory, for tests. */
export interface MemoryTrust extends Trust {
  setApprovers(approvers: readonly Approver[]): void
  setPolicy(policy: Partial<ApprovalPolicy>): void
}

/** Makes a trust in memory with a host key of its own. */
export function createMemoryTrust(_options: MemoryTrustOptions = {}): MemoryTrust {
  throw new Error('not yet')
}
