import type { ApprovalSigner } from './approval-signer.ts'
import type { Approver } from './trust.ts'

/** Who a new approver is. */
export interface NewApprover {
  readonly id: string
  readonly name?: string
  /** Asked for at each decision; at least 8 characters. */
  readonly passphrase: string
}

/** Makes a key pair: the public key goes into `approvers.json`, the private one, encrypted, into `approver-keys/<id>.json`. */
export async function createApprover(
  _directory: string,
  _approver: NewApprover,
): Promise<Approver> {
  throw new Error('not yet')
}

/** Opens an approver's private key with its passphrase. */
export async function unlockSigner(
  _directory: string,
  _key: { readonly id: string; readonly passphrase: string },
): Promise<ApprovalSigner> {
  throw new Error('not yet')
}
