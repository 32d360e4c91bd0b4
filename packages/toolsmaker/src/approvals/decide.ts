import { type VersionRecord, proposerOf } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { assertReviewHolds } from '../review/compare-report.ts'
import { narrowLimits } from '../proposals/narrow-limits.ts'
import type { ActivationLimits, DecisionSource } from '../toolsmaker.ts'
import { hostApproverId } from '../trust/host-key.ts'
import { assertIntact } from './assert-intact.ts'
import { describeSignatureProblem, describeSubjectProblem, sameLimits } from './decision-check.ts'
import { readDecision } from './decision-schema.ts'
import type {
  OpenedDecision,
  SignedDecision,
  VersionAction,
  VersionStatement,
} from './decision-statement.ts'
import { liftedBy, prepareStatement } from './prepare-statement.ts'
import { refusedDecision, staleDecision } from './refused-decision.ts'
import { signDecision } from './sign-decision.ts'

const clockSkewMs = 5 * 60 * 1_000

/** Which decision about a version is wanted. */
export interface WantedDecision {
  readonly record: VersionRecord
  /** The action that is prepared when a signer is given; the others are accepted too. */
  readonly actions: readonly [VersionAction, ...VersionAction[]]
  readonly limits?: ActivationLimits
}

/**
 * Takes a decision about a version that was signed elsewhere, or has it signed now, and checks all of it.
 *
 * @throws {ToolError} DECISION_INVALID, DECISION_STALE, APPROVAL_EXPIRED, REVIEW_CHANGED, TOOL_TAMPERED or TOOL_REVOKED.
 */
export async function takeDecision(
  engine: LifecycleEngine,
  source: DecisionSource,
  { record, actions, limits = {} }: WantedDecision,
): Promise<OpenedDecision<VersionStatement>> {
  const decision = readDecision(
    source.decision ?? (await signNow(engine, source, { record, actions, limits })),
  )
  const { contentHash, kind, name, version } = record
  assertIntact(engine, record)
  const { statement } = decision
  const { identity: store, namespace } = engine
  const subject = { store, namespace, kind, name, version, contentHash }
  const problem = describeSubjectProblem(statement, subject, actions)
  if (problem !== undefined) throw refusedDecision('DECISION_INVALID', problem)
  await assertCurrent(engine, decision, record.revision)
  // `describeSubjectProblem` has made sure that it is about a version.
  const checked = decision as OpenedDecision<VersionStatement>
  assertReviewed(engine, checked.statement, record)
  assertLimits(checked.statement, record, limits)
  // Of what was prepared just now it is known.
  if (source.decision !== undefined) await assertReviewHolds(engine, record)
  return checked
}

/** What was read is what is on record: report, proposer, what is lifted. */
function assertReviewed(
  engine: LifecycleEngine,
  { action, lifts, proposer, reportHash }: VersionStatement,
  record: VersionRecord,
): void {
  if (reportHash !== record.reportHash)
    throw staleDecision('it was made for another report than the one on record')
  if (lifts !== liftedBy(engine, record, action))
    throw staleDecision('it lifts another stop of the version than the one in force')
  if (proposer !== proposerOf(record))
    throw refusedDecision('DECISION_INVALID', 'it names another proposer')
}

function assertLimits(
  statement: VersionStatement,
  record: VersionRecord,
  limits: ActivationLimits,
): void {
  const own = record.content?.limits ?? {}
  narrowLimits(record, statement.limits)
  if (!sameLimits({ ...own, ...statement.limits }, statement.limits))
    throw refusedDecision('DECISION_INVALID', 'it leaves out limits of the version')
  const asked = narrowLimits(record, limits)
  if (asked !== undefined && !sameLimits({ ...own, ...asked }, statement.limits))
    throw refusedDecision('DECISION_INVALID', 'it was signed for other limits')
}

async function signNow(
  engine: LifecycleEngine,
  source: Extract<DecisionSource, { decision?: undefined }>,
  { record, actions, limits }: WantedDecision,
): Promise<SignedDecision> {
  const { contentHash, expiresAt, signer } = source
  if (typeof signer?.sign !== 'function')
    throw refusedDecision('DECISION_INVALID', 'there is neither a decision nor a signer')
  const statement = await prepareStatement(engine, {
    action: actions[0],
    name: record.name,
    version: record.version,
    approver: signer.approverId,
    ...limits,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(contentHash === undefined ? {} : { contentHash }),
  })
  return signDecision(statement, signer)
}

/**
 * Checks everything of a decision that does not depend on what it is about.
 *
 * @throws {ToolError} DECISION_INVALID, DECISION_STALE or APPROVAL_EXPIRED.
 */
export async function assertCurrent(
  engine: LifecycleEngine,
  decision: OpenedDecision,
  basis: number,
): Promise<void> {
  const { statement } = decision
  const now = engine.now()
  if (statement.approver === hostApproverId)
    throw refusedDecision('DECISION_INVALID', 'nobody can decide in the name of the host')
  if ('rule' in statement && statement.rule !== undefined)
    throw refusedDecision('DECISION_INVALID', 'only the host decides by rule')
  const problem = await describeSignatureProblem(decision, engine.trust)
  if (problem !== undefined) throw refusedDecision('DECISION_INVALID', problem)
  if (statement.basis !== basis)
    throw staleDecision(`it was prepared after event ${statement.basis}, now it is event ${basis}`)
  if (statement.policyHash !== engine.trust.policyHash())
    throw staleDecision('the policy was changed')
  if (statement.issuedAt > now + clockSkewMs) throw staleDecision('it was issued in the future')
  if (statement.issuedAt < now - engine.decisionMaxAgeMs) throw staleDecision('it is too old')
  if (statement.expiresAt !== null && statement.expiresAt <= now)
    throw refusedDecision('APPROVAL_EXPIRED', 'what it grants has run out already')
}
