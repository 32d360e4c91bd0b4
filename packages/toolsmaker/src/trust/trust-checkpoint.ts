import { z } from 'zod'
import { signStatement } from '../statements/sign-statement.ts'
import type { StatementEnvelope } from '../statements/statement-envelope.ts'
import type { StatementType } from '../statements/statement-type.ts'
import { readStatement, verifyStatement } from '../statements/verify-statement.ts'
import type { Stop, StoppedVersion } from '../stops/stop-list.ts'
import type { ApprovalSigner } from './approval-signer.ts'
import { type KeptCheckpoint, openOlderCheckpoint } from './older-checkpoint.ts'
import type { TrustedKey } from './signature-algorithms.ts'

/** The head of a log: where it ended, and the hash of its last row. */
export interface LogHead {
  /** Identity of the log: the hash of its first row. */
  readonly store: string
  readonly sequence: number
  readonly headHash: string
}

/**
 * What the trust remembers of a log, outside the store. A log that still has this head at this place is, byte for byte, the
 * one that was there; a log that has not was cut, written anew or exchanged. What is stopped stays so, whatever the log says.
 */
export interface TrustCheckpoint extends LogHead {
  readonly namespace: string
  /** Up to which event every grant was verified, and the SHA-256 over approvers, policy and host key that it was verified against. */
  readonly verified: { readonly sequence: number; readonly trustHash: string } | null
  /** The pause in force. */
  readonly pause: Stop | null
  /** Versions that are deactivated or quarantined. */
  readonly stopped: readonly StoppedVersion[]
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
const count = z.number().int().nonnegative()
const stop = { sequence: count, eventHash: sha256 }

/** Checkpoints, which the host signs. */
const checkpointType: StatementType<TrustCheckpoint> = {
  payloadType: 'application/vnd.toolcrib.checkpoint.v2+json',
  schema: z.strictObject({
    store: sha256,
    namespace: z.string(),
    sequence: count,
    headHash: sha256,
    verified: z.strictObject({ sequence: count, trustHash: sha256 }).nullable(),
    pause: z.strictObject(stop).nullable(),
    stopped: z.array(
      z.strictObject({ ...stop, name: z.string(), version: count, contentHash: sha256 }),
    ),
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
  kept: KeptCheckpoint,
  hostKey: TrustedKey,
): Promise<TrustCheckpoint | undefined> {
  if ('checkpoint' in kept) return openOlderCheckpoint(kept, hostKey)
  const envelope = kept
  const { opened } = readStatement(checkpointType, envelope)
  if (opened === undefined) return undefined
  const problem = await verifyStatement(checkpointType, opened, hostKey)
  return problem === undefined ? opened.statement : undefined
}
