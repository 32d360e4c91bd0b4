import type { JsonValue } from '@toolcrib/registry'
import { describeSignatureProblem, describeSubjectProblem, sameLimits } from './decision-check.ts'
import type { SignedDecision, VersionAction, VersionStatement } from './decision-statement.ts'
import { hashJson } from './hash-json.ts'
import { hostApproverId } from './host-key.ts'
import { whyRuleFails } from './policy-judgement.ts'
import { findContentSuspicions } from './suspicious-text.ts'
import type { ToolContent, ToolRunLimits, ToolVisibility } from './tool-spec.ts'
import type { Trust } from './trust.ts'
import type { VersionRecord } from './version-record.ts'

/** Why a version must not be callable, with the code that a call gets. */
export interface Refusal {
  readonly ok: false
  readonly code: 'TOOL_TAMPERED' | 'TOOL_REVOKED' | 'POLICY_VIOLATION'
  readonly reason: string
}

/** What the signatures of a version really grant. */
export interface Grant {
  readonly ok: true
  readonly content: ToolContent
  readonly visibility: ToolVisibility
  readonly limits: ToolRunLimits
  /** Milliseconds since the epoch; `Infinity`: never. */
  readonly expiresAt: number
  /** Every signature on record for it is sound, those that it does not need included. */
  readonly allSound: boolean
}

/** What a version is judged against. */
export interface JudgementBasis {
  readonly trust: Trust
  readonly namespace: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Up to which event of the log nothing needs to be verified again; see {@link VerifiedLog}. @default 0 */
  readonly verifiedUpTo?: number
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
  if (wanted === 'activated' && record.revision <= (basis.verifiedUpTo ?? 0))
    return judgeVerified(record, basis)
  const whole = judgeContent(record, basis)
  if (!whole.ok) return whole
  const approval = await judgeApproval(record, whole.content, basis)
  if (!approval.ok) return approval
  const { content } = whole
  const shared = await judgeVisibility(record, content, basis)
  const allSound = approval.allSound && shared.sound
  const base = { ok: true, content, visibility: shared.visibility, allSound } as const
  if (wanted === 'approved')
    return { ...base, limits: content.limits, expiresAt: approval.expiresAt }
  const activation = await judgeActivation(record, approval.decisions, basis)
  if (!activation.ok) return activation
  const expiresAt = Math.min(approval.expiresAt, activation.expiresAt)
  return { ...base, limits: { ...content.limits, ...record.activation?.limits }, expiresAt }
}

/** Judges a version whose rows were verified before: what is left is what time and people can have changed since. */
async function judgeVerified(
  record: VersionRecord,
  basis: JudgementBasis,
): Promise<Grant | Refusal> {
  const { content, damage } = record
  if (damage !== undefined) return tampered(damage)
  if (content === undefined) return tampered('the log does not hold its content')
  if (isRevoked(record, basis)) return revoked
  const { now } = basis
  const end = record.decisions.some(({ statement }) => statement.approver !== hostApproverId)
    ? judgePeople(record, record.decisions, basis)
    : unexpired(record.decisions, 1, now)
  if (!end.ok) return end
  const activation =
    record.activation?.decision?.statement.expiresAt ?? activatingEnd(record) ?? Infinity
  if (now >= activation) return ranOut
  const { visibility } = await judgeVisibility(record, content, basis)
  return {
    ok: true,
    content,
    visibility,
    allSound: true,
    limits: { ...content.limits, ...record.activation?.limits },
    expiresAt: Math.min(end.expiresAt, activation),
  }
}

function activatingEnd(record: VersionRecord): number | null | undefined {
  if (record.activation?.decision !== undefined) return undefined
  return record.decisions.find(({ statement }) => statement.action === 'approve_and_activate')
    ?.statement.expiresAt
}

const revoked: Refusal = { ok: false, code: 'TOOL_REVOKED', reason: 'the version was revoked' }
const ranOut: Refusal = { ok: false, code: 'TOOL_REVOKED', reason: 'its activation has run out' }

function isRevoked(
  { contentHash, name, status, version }: VersionRecord,
  { namespace, trust }: Pick<JudgementBasis, 'trust' | 'namespace'>,
): boolean {
  return status === 'revoked' || trust.isRevoked({ namespace, name, version, contentHash })
}

/** Whether the content of a record is what its hash says, and is not on the list of the revoked. */
export function judgeContent(
  record: VersionRecord,
  { trust, namespace }: Pick<JudgementBasis, 'trust' | 'namespace'>,
): { readonly ok: true; readonly content: ToolContent } | Refusal {
  const { content, contentHash, damage, kind, name } = record
  if (damage !== undefined) return tampered(damage)
  if (isRevoked(record, { namespace, trust })) return revoked
  if (content === undefined) return tampered('the log does not hold its content')
  let hash: string
  try {
    hash = hashJson(content as unknown as JsonValue)
  } catch {
    return tampered('its content is not JSON')
  }
  if (hash !== contentHash)
    return tampered(
      `its content has hash ${hash.slice(0, 12)}…, recorded is ${contentHash.slice(0, 12)}…`,
    )
  if (content.name !== name || content.kind !== kind)
    return tampered(`its content is that of ${content.kind} ${content.name}`)
  return { ok: true, content }
}

type Decisions = readonly SignedDecision<VersionStatement>[]

interface SoundDecisions {
  readonly ok: true
  readonly decisions: Decisions
  readonly expiresAt: number
}

const approving: readonly VersionAction[] = ['approve', 'approve_and_activate']

async function judgeApproval(
  record: VersionRecord,
  content: ToolContent,
  basis: JudgementBasis,
): Promise<(SoundDecisions & { readonly allSound: boolean }) | Refusal> {
  if (record.decisions.length === 0) return tampered('no signed approval is on record')
  const problems: string[] = []
  const sound: SignedDecision<VersionStatement>[] = []
  const judged = await Promise.all(
    record.decisions.map((decision) => describeProblem(decision, record, { approving, basis })),
  )
  for (const [index, decision] of record.decisions.entries()) {
    const problem = judged[index]
    if (problem === undefined) sound.push(decision)
    else problems.push(problem)
  }
  const allSound = problems.length === 0
  if (sound.length === 0) return tampered(`its approval does not hold: ${problems.join('; ')}`)
  const byHost = sound.filter(({ statement }) => statement.approver === hostApproverId)
  const byPeople = sound.filter(({ statement }) => statement.approver !== hostApproverId)
  if (byPeople.length > 0) return withSoundness(judgePeople(record, byPeople, basis), allSound)
  const broken = whyRuleNoLongerHolds(record, content, { decisions: byHost, basis })
  if (broken !== undefined) return { ok: false, code: 'POLICY_VIOLATION', reason: broken }
  return withSoundness(unexpired(byHost, 1, basis.now), allSound)
}

function withSoundness(
  judged: SoundDecisions | Refusal,
  allSound: boolean,
): (SoundDecisions & { readonly allSound: boolean }) | Refusal {
  return judged.ok ? { ...judged, allSound } : judged
}

function judgePeople(
  record: VersionRecord,
  decisions: Decisions,
  { now, trust }: JudgementBasis,
): SoundDecisions | Refusal {
  const { fourEyes, requiredApprovals } = trust.policy()
  const counted = decisions.filter(
    ({ statement }) => !fourEyes || statement.approver !== record.createdBy.id,
  )
  return unexpired(counted, requiredApprovals, now)
}

/** Whether enough different approvers still stand by a version; it holds until one too many of them runs out. */
function unexpired(decisions: Decisions, required: number, now: number): SoundDecisions | Refusal {
  const ends = new Map<string, number>()
  for (const { statement } of decisions) {
    const end = statement.expiresAt ?? Infinity
    ends.set(statement.approver, Math.max(end, ends.get(statement.approver) ?? 0))
  }
  const latest = [...ends.values()].toSorted((left, right) => right - left)
  const expiresAt = latest[required - 1]
  if (expiresAt === undefined)
    return {
      ok: false,
      code: 'POLICY_VIOLATION',
      reason: `the policy wants ${required} approvers, ${ends.size} count`,
    }
  if (now >= expiresAt)
    return { ok: false, code: 'TOOL_REVOKED', reason: 'its approval has run out' }
  return { ok: true, decisions, expiresAt }
}

function whyRuleNoLongerHolds(
  record: VersionRecord,
  content: ToolContent,
  { decisions, basis }: { readonly decisions: Decisions; readonly basis: JudgementBasis },
): string | undefined {
  const id = decisions[0]?.statement.rule
  const rule = basis.trust.policy().rules.find((entry) => entry.id === id)
  if (rule === undefined) return `the rule ${id ?? '(none)'} that approved it is not in the policy`
  const reasons = whyRuleFails(rule, content, {
    newTool: record.approval?.firstOfTool ?? false,
    suspicions: findContentSuspicions(content),
  })
  return reasons.length === 0
    ? undefined
    : `the rule ${rule.id} that approved it no longer covers it: ${reasons.join('; ')}`
}

async function judgeActivation(
  record: VersionRecord,
  approvals: Decisions,
  basis: JudgementBasis,
): Promise<{ readonly ok: true; readonly expiresAt: number } | Refusal> {
  const { activation } = record
  if (activation === undefined) return tampered('no activation is on record')
  const { limits } = activation
  const decision =
    activation.decision ??
    approvals.find(({ statement }) => statement.action === 'approve_and_activate')
  if (decision === undefined) return tampered('no signed activation is on record')
  // The approvals were checked already; a host may activate only what it approved itself.
  if (activation.decision !== undefined) {
    const problem = await describeProblem(decision, record, { approving: ['activate'], basis })
    if (problem !== undefined) return tampered(`its activation does not hold: ${problem}`)
    const byHost = decision.statement.approver === hostApproverId
    if (byHost && approvals.some(({ statement }) => statement.approver !== hostApproverId))
      return tampered('the host activated what a person approved')
  }
  if (!sameLimits(decision.statement.limits, limits))
    return tampered('its limits are not those that were signed')
  const expiresAt = decision.statement.expiresAt ?? Infinity
  return basis.now >= expiresAt ? ranOut : { ok: true, expiresAt }
}

async function judgeVisibility(
  record: VersionRecord,
  content: ToolContent,
  basis: JudgementBasis,
): Promise<{ readonly visibility: ToolVisibility; readonly sound: boolean }> {
  const { shareDecision } = record
  if (shareDecision === undefined) return { visibility: content.visibility, sound: true }
  const { approver, expiresAt } = shareDecision.statement
  const problem = await describeProblem(shareDecision, record, { approving: ['share'], basis })
  const sound = problem === undefined && approver !== hostApproverId
  const isOver = expiresAt !== null && basis.now >= expiresAt
  return { visibility: sound && !isOver ? 'shared' : content.visibility, sound }
}

async function describeProblem(
  decision: SignedDecision<VersionStatement>,
  record: VersionRecord,
  wanted: { readonly approving: readonly VersionAction[]; readonly basis: JudgementBasis },
): Promise<string | undefined> {
  const { contentHash, kind, name, version } = record
  const subject = { namespace: wanted.basis.namespace, kind, name, version, contentHash }
  return (
    describeSubjectProblem(decision.statement, subject, wanted.approving) ??
    (await describeSignatureProblem(decision, wanted.basis.trust))
  )
}

function tampered(reason: string): Refusal {
  return { ok: false, code: 'TOOL_TAMPERED', reason }
}
