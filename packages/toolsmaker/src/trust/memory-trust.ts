import { type JsonValue, type KnownOptions, assertOptions } from '@toolcrib/registry'
import { type ApprovalPolicyFields, approvalPolicySchema } from '../approvals/approval-policy.ts'
import { createSigner, generateKeyPair } from './ed25519-key.ts'
import { hashJson } from '../hash-json.ts'
import { hostApproverId } from './host-key.ts'
import { hasRevocationOf, revocationKey } from './revocation-list.ts'
import type { StatementEnvelope } from '../statements/statement-envelope.ts'
import type { Approver, Trust } from './trust.ts'

/** What a trust in memory starts with. */
export interface MemoryTrustOptions {
  readonly approvers?: readonly Approver[]
  /** Fields left out take their defaults. */
  readonly policy?: ApprovalPolicyFields
}

/** A trust in memory, for tests. */
export interface MemoryTrust extends Trust {
  setApprovers(approvers: readonly Approver[]): void
  setPolicy(policy: ApprovalPolicyFields): void
}

const memoryTrustOptionNames: KnownOptions<MemoryTrustOptions> = {
  approvers: true,
  policy: true,
}

/** Makes a trust in memory, with a host key of its own. It ends with the process. */
export function createMemoryTrust(options: MemoryTrustOptions = {}): MemoryTrust {
  assertOptions<MemoryTrustOptions>('createMemoryTrust', options, memoryTrustOptionNames)
  let approvers = new Map((options.approvers ?? []).map((approver) => [approver.id, approver]))
  let policy = approvalPolicySchema.parse(options.policy ?? {})
  const hostSigner = createSigner(hostApproverId, generateKeyPair())
  const revoked = new Set<string>()
  const checkpoints = new Map<string, StatementEnvelope>()
  return {
    approvers: () => approvers,
    policy: () => policy,
    policyHash: () => hashJson(policy as unknown as JsonValue),
    hostSigner: () => hostSigner,
    isRevoked: (revocation) => revoked.has(revocationKey(revocation)),
    hasRevocation: (namespace, name) => hasRevocationOf(revoked, namespace, name),
    recordRevocation: async (revocation) => {
      revoked.add(revocationKey(revocation))
    },
    readCheckpoint: async (namespace) => checkpoints.get(namespace),
    saveCheckpoint: async (namespace, signed) => {
      checkpoints.set(namespace, signed)
    },
    refresh: async () => undefined,
    setApprovers: (list) => {
      approvers = new Map(list.map((approver) => [approver.id, approver]))
    },
    setPolicy: (next) => {
      policy = approvalPolicySchema.parse(next)
    },
  }
}
