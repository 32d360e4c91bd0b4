import { canonicalJson } from '@toolcrib/registry'
import { z } from 'zod'
import type { StatementEnvelope } from '../statements/statement-envelope.ts'
import { envelopeSchema } from '../statements/verify-statement.ts'
import { type TrustedKey, signatureAlgorithm } from './signature-algorithms.ts'
import type { TrustCheckpoint } from './trust-checkpoint.ts'

/** A checkpoint as it was kept before statements had envelopes. */
export interface OlderCheckpoint {
  readonly checkpoint: {
    readonly namespace: string
    readonly sequence: number
    readonly headHash: string
    readonly trustHash: string
  }
  /** base64url. */
  readonly signature: string
}

/** A checkpoint as it is found. */
export type KeptCheckpoint = StatementEnvelope | OlderCheckpoint

/** The schema of a checkpoint file, in both forms. */
export const keptCheckpointSchema: z.ZodType<KeptCheckpoint> = z.union([
  envelopeSchema,
  z.strictObject({
    checkpoint: z.strictObject({
      namespace: z.string(),
      sequence: z.number().int().nonnegative(),
      headHash: z.string(),
      trustHash: z.string(),
    }),
    signature: z.string(),
  }),
])

/**
 * What an older checkpoint says of the head of a log, where it bears the signature of the host. It knew no identity and no stops, and
 * what was verified then counts no longer.
 */
export async function openOlderCheckpoint(
  { checkpoint, signature }: OlderCheckpoint,
  { algorithm, publicKey }: TrustedKey,
): Promise<TrustCheckpoint | undefined> {
  const isGood = await signatureAlgorithm(algorithm).verify({
    bytes: Buffer.from(`toolcrib/checkpoint/v1\n${canonicalJson({ ...checkpoint })}`),
    signature: Buffer.from(signature, 'base64url'),
    publicKey,
  })
  const { headHash, namespace, sequence } = checkpoint
  return isGood
    ? { store: '', namespace, sequence, headHash, verified: null, pause: null, stopped: [] }
    : undefined
}
