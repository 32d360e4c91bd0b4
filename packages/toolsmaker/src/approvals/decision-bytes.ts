import { createHash } from 'node:crypto'
import { type JsonValue, canonicalJson } from '@toolcrib/registry'
import type { DecisionStatement, SignedDecision } from './decision-statement.ts'

// A signature over other data of the same key can never be taken for a decision, nor the other way round.
const domain = 'toolcrib/decision/v1\n'

/** The bytes that an approver signs: a fixed prefix, then the statement as canonical JSON. */
export function decisionBytes(statement: DecisionStatement): Uint8Array {
  return Buffer.from(domain + canonicalJson(statement as unknown as JsonValue))
}

/** The id of a signed decision: SHA-256 over what was signed and the signature. */
export function decisionId({ statement, signature }: SignedDecision): string {
  return createHash('sha256').update(decisionBytes(statement)).update(signature).digest('hex')
}
