import { canonicalJson } from '@toolcrib/registry'
import { z } from 'zod'
import type { ApprovalSigner } from './approval-signer.ts'
import { verifySignature } from './ed25519-key.ts'

/**
 * The head of a log whose every grant was verified. It lies with the trust, outside the store. A log that still has this
 * head at this place is, byte for byte, the one that was verified; a log that has not was cut or written anew.
 */
export interface TrustCheckpoint {
  readonly namespace: string
  readonly sequence: number
  /** Hash of the row at `sequence`. */
  readonly headHash: string
  /** SHA-256 over approvers, policy and host key: what it was verified against. */
  readonly trustHash: string
}

/** A checkpoint with the host's signature. */
export interface SignedCheckpoint {
  readonly checkpoint: TrustCheckpoint
  readonly signature: string
}

/** The schema of a checkpoint file. */
export const signedCheckpointSchema: z.ZodType<SignedCheckpoint> = z.strictObject({
  checkpoint: z.strictObject({
    namespace: z.string(),
    sequence: z.number().int().nonnegative(),
    headHash: z.string(),
    trustHash: z.string(),
  }),
  signature: z.string(),
})

function checkpointBytes(checkpoint: TrustCheckpoint): Uint8Array {
  return Buffer.from(`toolcrib/checkpoint/v1\n${canonicalJson({ ...checkpoint })}`)
}

/** Signs a checkpoint with the host's key. */
export async function signCheckpoint(
  checkpoint: TrustCheckpoint,
  signer: ApprovalSigner,
): Promise<SignedCheckpoint> {
  const signature = await signer.sign(checkpointBytes(checkpoint))
  return { checkpoint, signature: Buffer.from(signature).toString('base64url') }
}

/** Tells whether the host signed a checkpoint. */
export function isHostCheckpoint(
  { checkpoint, signature }: SignedCheckpoint,
  publicKey: string,
): Promise<boolean> {
  return verifySignature({ bytes: checkpointBytes(checkpoint), signature, publicKey })
}
