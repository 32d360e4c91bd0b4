import { toolsmakerError } from '../error-catalogue.ts'
import { type VersionRecord, proposerOf } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { narrowLimits } from '../proposals/narrow-limits.ts'
import { assertReviewHolds } from '../review/compare-report.ts'
import { showValue } from '../review/show-value.ts'
import type { DecisionRequest } from '../toolsmaker.ts'
import { hostApproverId } from '../trust/host-key.ts'
import { assertIntact } from './assert-intact.ts'
import type {
  AcceptLogStatement,
  DecisionStatement,
  VersionAction,
  VersionStatement,
} from './decision-statement.ts'
import { readLogProblem } from '../stops/log-problem.ts'
import { staleDecision } from './refused-decision.ts'

/**
 * Writes the statement that an approver has to sign, as things stand now.
 *
 * @throws {ToolError} APPROVER_UNKNOWN, TRANSITION_REFUSED, VERSION_NOT_FOUND, TOOL_TAMPERED, TOOL_REVOKED, DECISION_STALE,
 * LIMIT_NOT_NARROWER or REVIEW_CHANGED.
 */
export async function prepareStatement(
  engine: LifecycleEngine,
  request: DecisionRequest,
): Promise<DecisionStatement> {
  const { approver } = request
  if (approver !== hostApproverId && !engine.trust.approvers().has(approver))
    throw toolsmakerError(
      'APPROVER_UNKNOWN',
      `${showValue(approver)} is not an approver. Create the approver first.`,
    )
  await engine.begin()
  if (request.action === 'accept_log') return acceptLogStatement(engine, approver)
  if (request.action === 'resume') {
    if (engine.verified.problem !== undefined) throw logNotAccepted(engine)
    const { pause } = engine.state
    if (pause === undefined)
      throw toolsmakerError('TRANSITION_REFUSED', 'The made tools are not paused.')
    const frame = frameOf(engine, approver)
    const lifts = engine.stops.pause?.eventHash ?? ''
    return { ...frame, action: 'resume', expiresAt: null, basis: pause.sequence, lifts }
  }
  const record = engine.find(request.name, request.version)
  assertIntact(engine, record)
  const { contentHash, reportHash } = request
  if (contentHash !== undefined && contentHash !== record.contentHash)
    throw staleDecision(`the version has hash ${record.contentHash}, reviewed was ${contentHash}`)
  if (reportHash !== undefined && reportHash !== record.reportHash)
    throw staleDecision('the version was validated again since it was reviewed')
  const subject = subjectOf(record)
  const limits = { ...record.content?.limits, ...narrowLimits(record, request) }
  await assertReviewHolds(engine, record)
  const { approvalExpiryMs } = engine.trust.policy()
  const approves = request.action === 'approve' || request.action === 'approve_and_activate'
  const byPolicy = approves && approvalExpiryMs !== null ? engine.now() + approvalExpiryMs : null
  return {
    ...frameOf(engine, approver),
    ...subject,
    action: request.action,
    limits,
    lifts: liftedBy(engine, record, request.action),
    expiresAt: request.expiresAt === undefined ? byPolicy : request.expiresAt,
  }
}

/** What the host signs by itself where a rule of the policy decides. */
export function hostStatement(
  engine: LifecycleEngine,
  record: VersionRecord,
  decided: Pick<VersionStatement, 'action' | 'expiresAt'> & { readonly rule: string },
): VersionStatement {
  const limits = { ...record.content?.limits }
  const lifts = liftedBy(engine, record, decided.action)
  return { ...frameOf(engine, hostApproverId), ...subjectOf(record), limits, lifts, ...decided }
}

/** The stop that a decision lifts, where it is one that puts the version into use. */
export function liftedBy(
  engine: LifecycleEngine,
  record: VersionRecord,
  action: VersionAction,
): string | null {
  const activates = action === 'activate' || action === 'approve_and_activate'
  return activates ? (engine.stops.of(record)?.eventHash ?? null) : null
}

async function acceptLogStatement(
  engine: LifecycleEngine,
  approver: string,
): Promise<AcceptLogStatement> {
  const problem = await readLogProblem(engine)
  if (problem === undefined)
    throw toolsmakerError(
      'TRANSITION_REFUSED',
      'The event log is the one that this host knows, so there is nothing to accept.',
    )
  const { found, known } = problem
  const basis = found.sequence
  const frame = frameOf(engine, approver)
  return { ...frame, action: 'accept_log', expiresAt: null, basis, known, found }
}

/** The refusal of what has to wait until a person has accepted the log. */
export function logNotAccepted(engine: LifecycleEngine): Error {
  return toolsmakerError(
    'TRANSITION_REFUSED',
    `The event log is not the one that this host knows (${engine.verified.problem}), and custom tools stay paused until a person accepts it. Find out what happened to it first.`,
  )
}

function frameOf(
  engine: LifecycleEngine,
  approver: string,
): Pick<DecisionStatement, 'store' | 'namespace' | 'policyHash' | 'approver' | 'issuedAt'> {
  return {
    store: engine.identity,
    namespace: engine.namespace,
    policyHash: engine.trust.policyHash(),
    approver,
    issuedAt: engine.now(),
  }
}

function subjectOf(
  record: VersionRecord,
): Pick<
  VersionStatement,
  'kind' | 'name' | 'version' | 'contentHash' | 'reportHash' | 'proposer' | 'basis'
> {
  const { contentHash, kind, name, reportHash, revision: basis, version } = record
  if (reportHash === undefined)
    throw toolsmakerError(
      'REVIEW_CHANGED',
      `Version ${version} of ${name} was validated by an earlier release, whose report nobody can sign. Have it validated again, and review it.`,
    )
  return { kind, name, version, contentHash, reportHash, proposer: proposerOf(record), basis }
}
