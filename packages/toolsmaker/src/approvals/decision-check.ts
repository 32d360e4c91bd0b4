import { type JsonValue, canonicalJson } from '@toolcrib/registry'
import { decisionBytes } from './decision-bytes.ts'
import type {
  DecisionStatement,
  SignedDecision,
  VersionAction,
  VersionStatement,
} from './decision-statement.ts'
import { verifySignature } from '../trust/ed25519-key.ts'
import { hostApproverId } from '../trust/host-key.ts'
import type { JudgementBasis } from './judge-content.ts'
import type { Trust } from '../trust/trust.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import { showValue } from '../review/show-value.ts'

/** What a decision about a version must be about. */
export interface DecisionSubject {
  readonly namespace: string
  readonly kind: string
  readonly name: string
  readonly version: number
  readonly contentHash: string
}

/** The key that a decision must be signed with; `undefined` when nobody of that name is trusted now. */
function trustedKey(trust: Trust, approver: string): string | undefined {
  return approver === hostApproverId
    ? trust.hostSigner().publicKey
    : trust.approvers().get(approver)?.publicKey
}

/** Tells what is wrong with the signature of a decision, or `undefined` when nothing is. */
export async function describeSignatureProblem(
  decision: SignedDecision,
  trust: Trust,
): Promise<string | undefined> {
  const { statement, signature } = decision
  const publicKey = trustedKey(trust, statement.approver)
  if (publicKey === undefined)
    return `${showValue(statement.approver)} is not an approver (any more)`
  let bytes: Uint8Array
  try {
    bytes = decisionBytes(statement)
  } catch {
    return 'its statement is not JSON'
  }
  return (await verifySignature({ bytes, signature, publicKey }))
    ? undefined
    : `the signature is not that of "${statement.approver}" over this statement`
}

/** Tells in what a statement is about something else than it should be, or `undefined` when it is not. */
export function describeSubjectProblem(
  statement: DecisionStatement,
  subject: DecisionSubject,
  actions: readonly VersionAction[],
): string | undefined {
  if (statement.action === 'resume' || !actions.includes(statement.action))
    return `it decides "${statement.action}", not "${actions[0]}"`
  for (const field of ['namespace', 'kind', 'name', 'version', 'contentHash'] as const)
    if (statement[field] !== subject[field])
      return `it is for another ${field}: ${showValue(statement[field])}, not ${subject[field]}`
  return undefined
}

/** Tells whether two sets of limits are the same. */
export function sameLimits(
  left: VersionStatement['limits'],
  right: VersionStatement['limits'],
): boolean {
  return canonicalJson((left ?? {}) as JsonValue) === canonicalJson((right ?? {}) as JsonValue)
}

/** Tells what is wrong with a decision about a version, its signature included, or `undefined` when nothing is. */
export async function describeVersionProblem(
  decision: SignedDecision,
  record: VersionRecord,
  wanted: { readonly actions: readonly VersionAction[]; readonly basis: JudgementBasis },
): Promise<string | undefined> {
  const { contentHash, kind, name, version } = record
  const subject = { namespace: wanted.basis.namespace, kind, name, version, contentHash }
  return (
    describeSubjectProblem(decision.statement, subject, wanted.actions) ??
    (await describeSignatureProblem(decision, wanted.basis.trust))
  )
}
