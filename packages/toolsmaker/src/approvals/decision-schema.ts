import { z } from 'zod'
import type { SignedDecision } from './decision-statement.ts'
import { toolsmakerError } from '../error-catalogue.ts'

const text = z.string().max(1_024)
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
const count = z.number().int().nonnegative()

const frame = {
  namespace: text,
  policyHash: hash,
  approver: text,
  issuedAt: count,
  expiresAt: count.nullable(),
  basis: count,
}

const versionStatement = z.strictObject({
  ...frame,
  action: z.enum(['approve', 'activate', 'approve_and_activate', 'share']),
  kind: text,
  name: text,
  version: count.min(1),
  contentHash: hash,
  limits: z
    .strictObject({
      timeoutMs: z.number().positive().optional(),
      maxInputBytes: z.number().positive().optional(),
      maxOutputBytes: z.number().positive().optional(),
      maxConcurrent: z.number().positive().optional(),
    })
    .optional(),
  rule: text.optional(),
})

const resumeStatement = z.strictObject({ ...frame, action: z.literal('resume') })

const signedDecision = z.strictObject({
  statement: z.discriminatedUnion('action', [versionStatement, resumeStatement]),
  signature: z.string().max(200),
})

/**
 * Reads a signed decision that came over a socket or from a file.
 *
 * @throws {ToolError} DECISION_INVALID when it is not one.
 */
export function parseSignedDecision(value: unknown): SignedDecision {
  const parsed = signedDecision.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw toolsmakerError(
      'DECISION_INVALID',
      `The decision cannot be read: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}. Prepare and sign it again.`,
    )
  }
  // A copy without `undefined` members, so that exactly what was signed is hashed again.
  return JSON.parse(JSON.stringify(parsed.data)) as SignedDecision
}
