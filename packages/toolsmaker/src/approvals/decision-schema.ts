import { z } from 'zod'
import { toolsmakerError } from '../error-catalogue.ts'
import { sealStatement, statementId } from '../statements/statement-envelope.ts'
import type { StatementType } from '../statements/statement-type.ts'
import {
  type StatementReading,
  peekStatement,
  readStatement,
} from '../statements/verify-statement.ts'
import type {
  DecisionStatement,
  OpenedDecision,
  SignedDecision,
  VersionStatement,
} from './decision-statement.ts'

const text = z.string().max(1_024)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
const count = z.number().int().nonnegative()
const limit = z.number().positive().exactOptional()

const frame = {
  store: sha256,
  namespace: text,
  policyHash: sha256,
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
  contentHash: sha256,
  reportHash: sha256,
  proposer: text,
  limits: z.strictObject({
    timeoutMs: limit,
    maxInputBytes: limit,
    maxOutputBytes: limit,
    maxConcurrent: limit,
  }),
  lifts: sha256.nullable(),
  rule: text.exactOptional(),
})

const resumeStatement = z.strictObject({ ...frame, action: z.literal('resume'), lifts: sha256 })

const logHead = z.strictObject({ store: sha256, sequence: count, headHash: sha256 })
const acceptLogStatement = z.strictObject({
  ...frame,
  action: z.literal('accept_log'),
  known: logHead.nullable(),
  found: logHead,
})

/** Decisions about versions, about the end of a pause, and about which log is the right one. */
export const decisionType: StatementType<DecisionStatement> = {
  payloadType: 'application/vnd.toolcrib.decision.v2+json',
  schema: z.discriminatedUnion('action', [versionStatement, resumeStatement, acceptLogStatement]),
}

/**
 * Reads a signed decision that came over a socket or from a file; its signature is not verified.
 *
 * @throws {ToolError} DECISION_INVALID when it is not one.
 */
export function readDecision(value: unknown): OpenedDecision {
  const { opened, problem } = readStatement(decisionType, value)
  if (opened !== undefined) return opened
  throw toolsmakerError(
    'DECISION_INVALID',
    `The decision is refused: ${problem}. Prepare and sign it again.`,
  )
}

/** Opens a decision that stands in a log. It may hold anything until it is verified. */
export function peekDecision(decision: SignedDecision): StatementReading<DecisionStatement> {
  return peekStatement(decisionType, decision)
}

/** The same where it should be about a version, which is looked at when it is verified. */
export function peekVersionDecision(decision: SignedDecision): StatementReading<VersionStatement> {
  return peekDecision(decision) as StatementReading<VersionStatement>
}

/** Puts an opened decision back into its envelope. */
export function sealDecision(decision: OpenedDecision): SignedDecision {
  return sealStatement(decisionType.payloadType, decision)
}

/** The id of a signed decision: SHA-256 over what was signed and the signature. */
export function decisionId(decision: OpenedDecision): string {
  return statementId(decisionType.payloadType, decision)
}
