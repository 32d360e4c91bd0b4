import { type VersionDecisions, isByHost } from './approval-end.ts'
import { describeVersionProblem, sameLimits } from './decision-check.ts'
import type { OpenedDecision, VersionStatement } from './decision-statement.ts'
import {
  type ApprovalPath,
  type JudgedApproval,
  bestPath,
  judgeApproval,
  judgePeople,
  judgeVerifiedApproval,
} from './judge-approval.ts'
import {
  type JudgementBasis,
  type Refusal,
  isRevoked,
  judgeContent,
  revoked,
  tampered,
} from './judge-content.ts'
import type { ToolContent, ToolRunLimits, ToolVisibility } from '../tool-spec.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** What the signatures of a version really grant. */
export interface Grant {
  readonly ok: true
  readonly content: ToolContent
  readonly visibility: ToolVisibility
  /** Until when others than its owner may see and call it, where it is shared; milliseconds since the epoch, `Infinity`: for ever. */
  readonly sharedUntil: number
  readonly limits: ToolRunLimits
  /** Milliseconds since the epoch; `Infinity`: never. */
  readonly expiresAt: number
  /** Every signature on record for it is sound, those that it does not need included. */
  readonly allSound: boolean
}

/**
 * Judges a version by its content and signatures, against the present trust. Nothing that the log says about state is
 * believed. `activated` judges whether it may be called, `approved` whether it may be activated.
 */
export async function judgeVersion(
  record: VersionRecord,
  basis: JudgementBasis,
  wanted: 'approved' | 'activated' = 'activated',
): Promise<Grant | Refusal> {
  const isVerified = wanted === 'activated' && record.revision <= (basis.verifiedUpTo ?? 0)
  const whole = isVerified ? judgeVerifiedContent(record, basis) : judgeContent(record, basis)
  if (!whole.ok) return whole
  const { content } = whole
  const approval = isVerified
    ? await judgeVerifiedApproval(record, basis)
    : await judgeApproval(record, content, basis)
  if (!approval.ok) return approval
  const path =
    wanted === 'approved'
      ? bestPath(approval)
      : await judgeActivation(record, approval, { basis, isVerified })
  if (!path.ok) return path
  const sharing = await judgeSharing(record, basis)
  const narrowed = wanted === 'approved' ? undefined : record.activation?.limits
  return {
    ok: true,
    content,
    visibility: sharing.path.ok ? 'shared' : content.visibility,
    sharedUntil:
      content.visibility !== 'shared' && sharing.path.ok ? sharing.path.expiresAt : Infinity,
    limits: { ...content.limits, ...narrowed },
    expiresAt: path.expiresAt,
    allSound: approval.allSound && sharing.allSound,
  }
}

/** What is left to judge of a content whose rows were verified before. */
function judgeVerifiedContent(
  record: VersionRecord,
  basis: JudgementBasis,
): { readonly ok: true; readonly content: ToolContent } | Refusal {
  const { content, damage } = record
  if (damage !== undefined) return tampered(damage)
  if (content === undefined) return tampered('the log does not hold its content')
  return isRevoked(record, basis) ? revoked : { ok: true, content }
}

async function judgeActivation(
  record: VersionRecord,
  approval: JudgedApproval,
  { basis, isVerified }: { readonly basis: JudgementBasis; readonly isVerified: boolean },
): Promise<ApprovalPath> {
  const { decision, limits = {} } = record.activation ?? {}
  if (decision === undefined) return tampered('no signed activation is on record')
  const isChecked = isVerified || approval.sound.includes(decision)
  const actions = ['activate', 'approve_and_activate'] as const
  const problem = isChecked
    ? undefined
    : await describeVersionProblem(decision, record, { actions, basis })
  if (problem !== undefined) return tampered(`its activation does not hold: ${problem}`)
  const stop = basis.stops.of(record)
  // The host lifts nothing: what was taken out of use comes back by a person.
  if (stop !== undefined && (isByHost(decision) || decision.statement.lifts !== stop.eventHash))
    return {
      ok: false,
      code: 'TOOL_REVOKED',
      reason: `it was taken out of use by event ${stop.sequence}, and no person's decision lifts that`,
      isStopped: true,
    }
  if (decision.statement.action === 'approve')
    return tampered('its activation does not hold: the decision is for approval only')
  if (!sameLimits(decision.statement.limits, { ...record.content?.limits, ...limits }))
    return tampered('its limits are not those that were signed')
  // The host puts into use only what a rule approves; a person may put into use what either approved.
  const path = isByHost(decision) ? approval.rule : bestPath(approval)
  if (!path.ok) return path
  const end = decision.statement.expiresAt ?? Infinity
  return basis.now >= end
    ? { ok: false, code: 'TOOL_REVOKED', reason: 'its activation has run out' }
    : { ok: true, expiresAt: Math.min(end, path.expiresAt) }
}

/** What the signatures for sharing a version grant. */
export interface JudgedSharing {
  readonly path: ApprovalPath
  readonly sound: VersionDecisions
  /** Every signature on record for it is sound. */
  readonly allSound: boolean
}

/** Judges the decisions that share a version as those that approve one: by signatures, people and the present policy. */
export async function judgeSharing(
  record: VersionRecord,
  basis: JudgementBasis,
): Promise<JudgedSharing> {
  const { shareDecisions = [] } = record
  const wanted = { actions: ['share'], basis } as const
  const sound: OpenedDecision<VersionStatement>[] = []
  for (const decision of shareDecisions)
    // oxlint-disable-next-line no-await-in-loop -- there are few
    if (!isByHost(decision) && !(await describeVersionProblem(decision, record, wanted)))
      sound.push(decision)
  const allSound = sound.length === shareDecisions.length
  return { path: await judgePeople(record, sound, basis), sound, allSound }
}
