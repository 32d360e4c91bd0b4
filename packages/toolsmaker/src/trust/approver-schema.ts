import { z } from 'zod'
import { hostApproverId } from './host-key.ts'
import { signatureAlgorithm, signatureAlgorithmNames } from './signature-algorithms.ts'
import type { Approver } from './trust.ts'

/** The schema of an approver's id: what may stand in a file name. */
export const approverIdSchema: z.ZodType<string> = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must be lower-case letters, digits, "_" and "-", at most 64',
  )
  .refine((id) => id !== hostApproverId, `"${hostApproverId}" is the host's own id`)

/** The schema of the principals that are an approver's own. */
export const principalsSchema: z.ZodType<readonly string[]> = z
  .array(
    z
      .string()
      .max(208)
      .regex(
        /^(?:agent|person|service):./u,
        'must be a kind and an id, such as "person:alice" or "agent:alice-bot"',
      ),
  )
  .max(100)

/** The schema of `approvers.json`. */
export const approversSchema: z.ZodType<readonly Approver[]> = z
  .array(
    z.strictObject({
      id: approverIdSchema,
      name: z.string().min(1).max(200),
      principals: principalsSchema.default([]),
      algorithm: z.enum(signatureAlgorithmNames).default('ed25519'),
      publicKey: z.string().max(10_000),
    }),
  )
  .max(1_000)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'ids must differ')
  .refine(
    (list) =>
      list.every(({ algorithm, publicKey }) =>
        signatureAlgorithm(algorithm).isPublicKey(publicKey),
      ),
    'each publicKey must be a key of its algorithm; of ed25519 the raw 32 bytes, base64url',
  )
  .refine(
    (list) => new Set(list.map(({ publicKey }) => publicKey)).size === list.length,
    'one key cannot be that of two approvers',
  )
