import { z } from 'zod'
import { type KeyPairText, ed25519 } from './ed25519-key.ts'

/** The schema of `host-key.json`. */
export const hostKeySchema: z.ZodType<KeyPairText> = z.strictObject({
  publicKey: z
    .string()
    .refine((text) => ed25519.isPublicKey(text), 'must be an Ed25519 public key'),
  privateKey: z.string().max(1_000),
})

/** The id under which the host signs. No person can have it. */
export const hostApproverId = 'host'
