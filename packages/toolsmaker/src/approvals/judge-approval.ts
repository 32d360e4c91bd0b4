import { type VersionDecisions, countedPeople, endOfApproval, isByHost } from './approval-end.ts'
import { describeVersionProblem } from './decision-check.ts'
import { type JudgementBasis, type Refusal, tampered } from './judge-content.ts'
import { unknownProposer } from './four-eyes.ts'
import { whyRuleFails } from './policy-judgement.ts'
import { findContentSuspicions } from '../validation/suspicious-text.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** One way in which a version is approved: until when, or why not. */
export type ApprovalPath = { readonly ok: true; readonly expiresAt: number } | Refusal

/** Both ways in which a version can be approved. */
export interface JudgedApproval {
  readonly ok: true
  readonly people: ApprovalPath
  readonly rule: ApprovalPath
  readonly sound: VersionDecisions
  /** Every decision on record is sound, those that are not needed included. */
  readonly allSound: boolean
}

/** Judges the approvals of a version by their signatures and the present policy. */
export async function judgeApproval(
  record: VersionRecord,
  content: ToolContent,
  basis: JudgementBasis,
): Promise<JudgedApproval | Refusal> {
  if (record.decisions.length === 0) return withoutApproval(record)
  const problems = await Promise.all(
    record.decisions.map((decision) =>
      describeVersionProblem(decision, record, {
        actions: ['approve', 'approve_and_activate'],
        basis,
      }),
    ),
  )
  const sound = record.decisions.filter((_decision, index) => problems[index] === undefined)
  if (sound.length === 0)
    return tampered(`its approval does not hold: ${problems.filter(Boolean).join('; ')}`)
  return {
    ok: true,
    people: await judgePeople(record, sound, basis),
    rule: judgeRule(record, sound, { content, basis }),
    sound,
    allSound: sound.length === problems.length,
  }
}

function withoutApproval({ voided }: VersionRecord): Refusal {
  if (voided === undefined) return tampered('no signed approval is on record')
  const reason = `its approval does not hold: ${voided}. Review it and approve it again`
  return { ok: false, code: 'POLICY_VIOLATION', reason }
}

/** Judges approvals whose signatures, content and rule were verified before. */
export async function judgeVerifiedApproval(
  record: VersionRecord,
  basis: JudgementBasis,
): Promise<JudgedApproval> {
  const { decisions } = record
  return {
    ok: true,
    people: await judgePeople(record, decisions, basis),
    rule: judgeEnd(decisions.filter(isByHost), 1, basis.now),
    sound: decisions,
    allSound: true,
  }
}

/** The better one of both ways; why neither holds, when none does. */
export function bestPath({ people, rule, sound }: JudgedApproval): ApprovalPath {
  if (people.ok && rule.ok) return people.expiresAt >= rule.expiresAt ? people : rule
  if (people.ok) return people
  return rule.ok || sound.every(isByHost) ? rule : people
}

/** Whether enough people stand by a version, or by sharing it, under the present policy. Their signatures were verified before. */
export async function judgePeople(
  record: VersionRecord,
  decisions: VersionDecisions,
  { isProposalKnown, now, trust }: JudgementBasis,
): Promise<ApprovalPath> {
  const { fourEyes, requiredApprovals } = trust.policy()
  const counted = countedPeople(record, decisions, trust)
  if (fourEyes && counted.length > 0 && !(await isProposalKnown(record)))
    return { ok: false, code: 'POLICY_VIOLATION', reason: unknownProposer }
  return judgeEnd(counted, requiredApprovals, now)
}

function judgeRule(
  record: VersionRecord,
  decisions: VersionDecisions,
  { content, basis }: { readonly content: ToolContent; readonly basis: JudgementBasis },
): ApprovalPath {
  const byHost = decisions.filter(isByHost)
  const [first] = byHost
  if (first === undefined) return judgeEnd(byHost, 1, basis.now)
  const reason = whyRuleNoLongerHolds(record, content, { id: first.statement.rule, basis })
  return reason === undefined
    ? judgeEnd(byHost, 1, basis.now)
    : { ok: false, code: 'POLICY_VIOLATION', reason }
}

function judgeEnd(decisions: VersionDecisions, required: number, now: number): ApprovalPath {
  const expiresAt = endOfApproval(decisions, required)
  if (expiresAt === undefined)
    return {
      ok: false,
      code: 'POLICY_VIOLATION',
      reason: `${required} approvers are needed, ${new Set(decisions.map(({ statement }) => statement.approver)).size} count`,
    }
  return now >= expiresAt
    ? { ok: false, code: 'TOOL_REVOKED', reason: 'its approval has run out' }
    : { ok: true, expiresAt }
}

function whyRuleNoLongerHolds(
  record: VersionRecord,
  content: ToolContent,
  { id, basis }: { readonly id: string | undefined; readonly basis: JudgementBasis },
): string | undefined {
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
