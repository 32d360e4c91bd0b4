import { toolsmakerError } from '../error-catalogue.ts'
import { type VersionRecord, proposerOf } from '../lifecycle/version-record.ts'
import type { Trust } from '../trust/trust.ts'
import type { OpenedDecision, VersionStatement } from './decision-statement.ts'
import type { JudgementBasis } from './judge-content.ts'

/** Why nobody's signature counts, to go on in a sentence. */
export const unknownProposer =
  'four eyes are required, and who proposed it is not known, since this host never took the proposal'

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

/**
 * Refuses a decision to approve or share a version where the policy wants four eyes and its approver proposed the version, or
 * nobody knows who did. `given` are the decisions before.
 *
 * @throws {ToolError} FOUR_EYES_REQUIRED.
 */
export async function assertFourEyes(
  record: VersionRecord,
  {
    decision,
    given,
  }: {
    readonly decision: OpenedDecision<VersionStatement>
    readonly given: readonly OpenedDecision<VersionStatement>[]
  },
  { isProposalKnown, trust }: JudgementBasis,
): Promise<void> {
  if (!trust.policy().fourEyes) return
  const { name, version } = record
  if (!(await isProposalKnown(record)))
    throw toolsmakerError(
      'FOUR_EYES_REQUIRED',
      `Nobody can approve or share it: who proposed version ${version} of ${name} is not known, since this host never took the proposal. Have it proposed again.`,
    )
  const { approver } = decision.statement
  if (isOwnProposal(approver, record, { decisions: [...given, decision], trust }))
    throw toolsmakerError(
      'FOUR_EYES_REQUIRED',
      `"${approver}" proposed the tool, as ${proposerOf(record)}, and cannot approve or share it. Ask another approver.`,
    )
}
