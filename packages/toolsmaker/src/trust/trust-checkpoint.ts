import { z } from 'zod'
import { signStatement } from '../statements/sign-statement.ts'
import type { StatementEnvelope } from '../statements/statement-envelope.ts'
import type { StatementType } from '../statements/statement-type.ts'
import { readStatement, verifyStatement } from '../statements/verify-statement.ts'
import type { ApprovalSigner } from './approval-signer.ts'
import type { TrustedKey } from './signature-algorithms.ts'

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

/** Checkpoints, which the host signs. */
const checkpointType: StatementType<TrustCheckpoint> = {
  payloadType: 'application/vnd.toolcrib.checkpoint.v2+json',
  schema: z.strictObject({
    namespace: z.string(),
    sequence: z.number().int().nonnegative(),
    headHash: z.string(),
    trustHash: z.string(),
  }),
}

/** Signs a checkpoint with the host's key. */
export function signCheckpoint(
  checkpoint: TrustCheckpoint,
  signer: ApprovalSigner,
): Promise<StatementEnvelope> {
  return signStatement(checkpointType, checkpoint, signer)
}

/** The checkpoint in an envelope; `undefined` unless it bears the signature of the host. */
export async function openCheckpoint(
  envelope: StatementEnvelope,
  hostKey: TrustedKey,
): Promise<TrustCheckpoint | undefined> {
  const { opened } = readStatement(checkpointType, envelope)
  if (opened === undefined) return undefined
  const problem = await verifyStatement(checkpointType, opened, hostKey)
  return problem === undefined ? opened.statement : undefined
}
