import { z } from 'zod'
import { isPublicKey } from './ed25519-key.ts'
import { hostApproverId } from './host-key.ts'
import type { Approver } from './trust.ts'

/** The schema of an approver's id: what may stand in a file name. */
export const approverIdSchema: z.ZodType<string> = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must be lower-case letters, digits, "_" and "-", at most 64',
  )
  .refine((id) => id !== hostApproverId, `"${hostApproverId}" is the host's own id`)

/** The schema of `approvers.json`. */
export const approversSchema: z.ZodType<readonly Approver[]> = z
  .array(
    z.strictObject({
      id: approverIdSchema,
      name: z.string().min(1).max(200),
      publicKey: z.string().refine(isPublicKey, 'must be a raw Ed25519 public key, base64url'),
    }),
  )
  .max(1_000)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'ids must differ')
