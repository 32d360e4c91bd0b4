import { ToolError } from '@toolcrib/registry'
import { describeSignatureProblem, describeSubjectProblem } from './decision-check.ts'
import type {
  DecisionStatement,
  SignedDecision,
  VersionAction,
  VersionStatement,
} from './decision-statement.ts'
import { parseSignedDecision } from './decision-schema.ts'
import { type ToolsmakerErrorCode, toolsmakerError } from '../error-catalogue.ts'
import { hostApproverId } from '../trust/host-key.ts'
import { judgeContent } from './judge-content.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { narrowLimits } from '../proposals/narrow-limits.ts'
import { signDecision } from './sign-decision.ts'
import type { DecisionRequest, DecisionSource } from '../toolsmaker.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import { showValue } from '../review/show-value.ts'

const clockSkewMs = 5 * 60 * 1_000

/** Writes the statement that an approver has to sign, as things stand now. */
export function prepareStatement(
  engine: LifecycleEngine,
  request: DecisionRequest,
): DecisionStatement {
  const { approver } = request
  if (approver !== hostApproverId && !engine.trust.approvers().has(approver))
    throw toolsmakerError(
      'APPROVER_UNKNOWN',
      `${showValue(approver)} is not an approver. Create the approver first.`,
    )
  const frame = {
    namespace: engine.namespace,
    policyHash: engine.trust.policyHash(),
    approver,
    issuedAt: engine.now(),
  }
  if (request.action === 'resume') {
    const { pause } = engine.state
    if (pause === undefined)
      throw toolsmakerError('TRANSITION_REFUSED', 'The made tools are not paused.')
    return { ...frame, action: 'resume', expiresAt: null, basis: pause.sequence }
  }
  const record = engine.find(request.name, request.version)
  assertIntact(engine, record)
  if (request.contentHash !== undefined && request.contentHash !== record.contentHash)
    throw stale(`the version has hash ${record.contentHash}, reviewed was ${request.contentHash}`)
  const limits = narrowLimits(record, request)
  const { approvalExpiryMs } = engine.trust.policy()
  const approves = request.action === 'approve' || request.action === 'approve_and_activate'
  const byPolicy = approves && approvalExpiryMs !== null ? engine.now() + approvalExpiryMs : null
  return {
    ...frame,
    action: request.action,
    kind: record.kind,
    name: record.name,
    version: record.version,
    contentHash: record.contentHash,
    expiresAt: request.expiresAt === undefined ? byPolicy : request.expiresAt,
    basis: record.revision,
    ...(limits === undefined ? {} : { limits }),
  }
}

/**
 * Refuses a version whose content is not what its hash says, or that was revoked.
 *
 * @throws {ToolError} TOOL_TAMPERED or TOOL_REVOKED.
 */
export function assertIntact(engine: LifecycleEngine, record: VersionRecord): void {
  const judged = judgeContent(record, engine)
  if (judged.ok) return
  throw new ToolError(
    judged.code,
    `Version ${record.version} of ${record.name} cannot be decided on: ${judged.reason}.`,
  )
}

/** Which decision about a version is wanted. */
export interface WantedDecision {
  readonly record: VersionRecord
  /** The action that is prepared when a signer is given; the others are accepted too. */
  readonly actions: readonly [VersionAction, ...VersionAction[]]
  readonly limits?: Pick<
    Extract<DecisionRequest, { name: string }>,
    'timeoutMs' | 'maxInputBytes' | 'maxOutputBytes' | 'maxOutputChars'
  >
}

/**
 * Takes a decision about a version that was signed elsewhere, or has it signed now, and checks all of it.
 *
 * @throws {ToolError} DECISION_INVALID, DECISION_STALE, APPROVAL_EXPIRED, TOOL_TAMPERED or TOOL_REVOKED.
 */
export async function takeDecision(
  engine: LifecycleEngine,
  source: DecisionSource,
  { record, actions, limits = {} }: WantedDecision,
): Promise<SignedDecision<VersionStatement>> {
  const decision = parseSignedDecision(
    source.decision ?? (await signNow(engine, source, { record, actions, limits })),
  )
  const { contentHash, kind, name, version } = record
  assertIntact(engine, record)
  const { statement } = decision
  const subject = { namespace: engine.namespace, kind, name, version, contentHash }
  const problem = describeSubjectProblem(statement, subject, actions)
  if (problem !== undefined) throw refused('DECISION_INVALID', problem)
  await assertCurrent(engine, decision, record.revision)
  // `describeSubjectProblem` has made sure that it is about a version.
  const checked = decision as SignedDecision<VersionStatement>
  const signed = narrowLimits(record, checked.statement.limits ?? {})
  const asked = narrowLimits(record, limits)
  if (asked !== undefined && JSON.stringify(asked) !== JSON.stringify(signed))
    throw refused('DECISION_INVALID', 'it was signed for other limits')
  return checked
}

async function signNow(
  engine: LifecycleEngine,
  source: Extract<DecisionSource, { decision?: undefined }>,
  { record, actions, limits }: WantedDecision,
): Promise<SignedDecision> {
  const { contentHash, expiresAt, signer } = source
  if (typeof signer?.sign !== 'function')
    throw refused('DECISION_INVALID', 'there is neither a decision nor a signer')
  const statement = prepareStatement(engine, {
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
  decision: SignedDecision,
  basis: number,
): Promise<void> {
  const { statement } = decision
  const now = engine.now()
  if (statement.approver === hostApproverId)
    throw refused('DECISION_INVALID', 'nobody can decide in the name of the host')
  if ('rule' in statement && statement.rule !== undefined)
    throw refused('DECISION_INVALID', 'only the host decides by rule')
  const problem = await describeSignatureProblem(decision, engine.trust)
  if (problem !== undefined) throw refused('DECISION_INVALID', problem)
  if (statement.basis !== basis)
    throw stale(`it was prepared after event ${statement.basis}, now it is event ${basis}`)
  if (statement.policyHash !== engine.trust.policyHash()) throw stale('the policy was changed')
  if (statement.issuedAt > now + clockSkewMs) throw stale('it was issued in the future')
  if (statement.issuedAt < now - engine.decisionMaxAgeMs) throw stale('it is too old')
  if (statement.expiresAt !== null && statement.expiresAt <= now)
    throw refused('APPROVAL_EXPIRED', 'what it grants has run out already')
}

function refused(code: ToolsmakerErrorCode, problem: string): ToolError<ToolsmakerErrorCode> {
  return toolsmakerError(code, `The decision is refused: ${problem}. Prepare and sign a new one.`)
}

function stale(problem: string): ToolError<ToolsmakerErrorCode> {
  return toolsmakerError(
    'DECISION_STALE',
    `The decision is for another moment: ${problem}. Review, prepare and sign again.`,
  )
}
