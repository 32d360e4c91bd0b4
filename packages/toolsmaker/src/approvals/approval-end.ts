import type { Trust } from '../trust/trust.ts'
import type { OpenedDecision, VersionStatement } from './decision-statement.ts'
import { isOwnProposal } from './four-eyes.ts'
import { hostApproverId } from '../trust/host-key.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** What approvals are counted by. */
type JudgingTrust = Pick<Trust, 'approvers' | 'policy'>

/** Decisions about one version. */
export type VersionDecisions = readonly OpenedDecision<VersionStatement>[]

/** Tells whether the host made a decision, by a rule. */
export function isByHost({ statement }: OpenedDecision): boolean {
  return statement.approver === hostApproverId
}

/** Until when enough different approvers stand by a version; `undefined` when there are not enough. `Infinity`: for ever. */
export function endOfApproval(decisions: VersionDecisions, required: number): number | undefined {
  return endsOfApproval(decisions)[required - 1]
}

/** Until when each of the different approvers of some decisions stands by it, the longest first. */
function endsOfApproval(decisions: VersionDecisions): readonly number[] {
  const seen = new Set<string>()
  const ends: number[] = []
  const endOf = ({ statement }: VersionDecisions[number]): number => statement.expiresAt ?? Infinity
  for (const decision of decisions.toSorted((left, right) => endOf(right) - endOf(left))) {
    const { approver } = decision.statement
    // Neither an approver with two keys is two, nor two approvers with one key.
    if (!seen.has(`id ${approver}`) && !seen.has(`key ${decision.keyId}`))
      ends.push(endOf(decision))
    seen.add(`id ${approver}`).add(`key ${decision.keyId}`)
  }
  return ends
}

/** Those of some decisions that count under a policy, where people must decide. */
export function countedPeople(
  record: VersionRecord,
  decisions: VersionDecisions,
  trust: JudgingTrust,
): VersionDecisions {
  const people = decisions.filter((decision) => !isByHost(decision))
  return trust.policy().fourEyes
    ? people.filter(
        ({ statement }) => !isOwnProposal(statement.approver, record, { decisions, trust }),
      )
    : people
}

/**
 * Until when a version holds as the log has it, in milliseconds since the epoch; `undefined`: for ever, or never approved.
 * What the host put into use by a rule holds as long as the rule's approval, whoever approved it besides.
 */
export function recordedEnd(record: VersionRecord, trust: JudgingTrust): number | undefined {
  const { activation, approval, decisions, status } = record
  if (approval === undefined) return undefined
  const byRule = endOfApproval(decisions.filter(isByHost), 1)
  const { requiredApprovals } = trust.policy()
  const byPeople = endOfApproval(countedPeople(record, decisions, trust), requiredApprovals)
  const activating = status === 'activated' ? activation?.decision : undefined
  const approved =
    activating !== undefined && isByHost(activating)
      ? byRule
      : Math.max(byRule ?? -Infinity, byPeople ?? -Infinity)
  const end = Math.min(approved ?? Infinity, activating?.statement.expiresAt ?? Infinity)
  return Number.isFinite(end) ? end : undefined
}

/**
 * How many more approvers have to sign that a version is shared, as the log has it; `undefined` where nobody has, and 0 where it is
 * shared.
 */
export function missingShares(
  record: VersionRecord,
  { now, trust }: { readonly now: number; readonly trust: JudgingTrust },
): number | undefined {
  const { shareDecisions } = record
  if (shareDecisions === undefined) return undefined
  const ends = endsOfApproval(countedPeople(record, shareDecisions, trust))
  return Math.max(0, trust.policy().requiredApprovals - ends.filter((end) => now < end).length)
}
