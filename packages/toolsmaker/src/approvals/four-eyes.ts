import { type VersionRecord, proposerOf } from '../lifecycle/version-record.ts'
import type { Trust } from '../trust/trust.ts'
import type { OpenedDecision, VersionStatement } from './decision-statement.ts'

/**
 * Whether an approver proposed a version: as one of the principals that are the approver's own, or under the approver's own id. Who
 * proposed it is taken from the content, which is hashed, and from what was signed about it, never from the log alone.
 */
export function isOwnProposal(
  approver: string,
  record: VersionRecord,
  {
    decisions,
    trust,
  }: {
    readonly decisions: readonly OpenedDecision<VersionStatement>[]
    readonly trust: Pick<Trust, 'approvers'>
  },
): boolean {
  const own = new Set(trust.approvers().get(approver)?.principals)
  const proposers = [proposerOf(record), ...decisions.map(({ statement }) => statement.proposer)]
  return proposers.some(
    (proposer) => own.has(proposer) || proposer.slice(proposer.indexOf(':') + 1) === approver,
  )
}
