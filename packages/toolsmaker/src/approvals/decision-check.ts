import { type JsonValue, canonicalJson } from '@toolcrib/registry'
import { verifyStatement } from '../statements/verify-statement.ts'
import type { ToolRunLimits } from '../tool-spec.ts'
import { hostApproverId } from '../trust/host-key.ts'
import type { TrustedKey } from '../trust/signature-algorithms.ts'
import type { Trust } from '../trust/trust.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import { showValue } from '../review/show-value.ts'
import { decisionType } from './decision-schema.ts'
import type { DecisionStatement, OpenedDecision, VersionAction } from './decision-statement.ts'
import type { JudgementBasis } from './judge-content.ts'

/** What a decision about a version must be about. */
export interface DecisionSubject {
  readonly store: string
  readonly namespace: string
  readonly kind: string
  readonly name: string
  readonly version: number
  readonly contentHash: string
}

/** The key that a decision must be signed with; `undefined` when nobody of that name is trusted now. */
function trustedKey(trust: Trust, approver: string): TrustedKey | undefined {
  return approver === hostApproverId ? trust.hostSigner() : trust.approvers().get(approver)
}

/** Tells what is wrong with form and signature of a decision, or `undefined` when nothing is. */
export async function describeSignatureProblem(
  decision: OpenedDecision,
  trust: Trust,
): Promise<string | undefined> {
  const { approver } = decision.statement
  const key = trustedKey(trust, approver)
  if (key === undefined) return `${showValue(approver)} is not an approver (any more)`
  return verifyStatement(decisionType, decision, key)
}

/** Tells in what a statement is about something else than it should be, or `undefined` when it is not. */
export function describeSubjectProblem(
  statement: DecisionStatement,
  subject: DecisionSubject,
  actions: readonly VersionAction[],
): string | undefined {
  if (!('contentHash' in statement) || !actions.includes(statement.action))
    return `it decides ${showValue(statement.action)}, not "${actions[0]}"`
  for (const field of ['store', 'namespace', 'kind', 'name', 'version', 'contentHash'] as const)
    if (statement[field] !== subject[field])
      return `it is for another ${field}: ${showValue(statement[field])}, not ${subject[field]}`
  return undefined
}

/** Tells whether two sets of limits are the same. */
export function sameLimits(left: ToolRunLimits, right: ToolRunLimits): boolean {
  return canonicalJson(left as JsonValue) === canonicalJson(right as JsonValue)
}

/** Tells what is wrong with a decision about a version, its signature included, or `undefined` when nothing is. */
export async function describeVersionProblem(
  decision: OpenedDecision,
  record: VersionRecord,
  wanted: { readonly actions: readonly VersionAction[]; readonly basis: JudgementBasis },
): Promise<string | undefined> {
  const { contentHash, kind, name, version } = record
  const { namespace, store, trust } = wanted.basis
  const subject = { store, namespace, kind, name, version, contentHash }
  return (
    describeSubjectProblem(decision.statement, subject, wanted.actions) ??
    (await describeSignatureProblem(decision, trust))
  )
}
