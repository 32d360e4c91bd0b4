import { toolsmakerError } from '../error-catalogue.ts'
import { signStatement } from '../statements/sign-statement.ts'
import type { ApprovalSigner } from '../trust/approval-signer.ts'
import { decisionType } from './decision-schema.ts'
import type { DecisionStatement, SignedDecision } from './decision-statement.ts'

/**
 * Signs a statement that {@link Toolsmaker.prepareDecision} gave. Compare it with what was asked for, and show it to the
 * approver, first.
 *
 * @throws {ToolError} DECISION_INVALID when the statement names another approver than the signer.
 */
export async function signDecision(
  statement: DecisionStatement,
  signer: ApprovalSigner,
): Promise<SignedDecision> {
  if (statement.approver !== signer.approverId)
    throw toolsmakerError(
      'DECISION_INVALID',
      `The statement is for approver "${statement.approver}", the signer is "${signer.approverId}". ` +
        'Prepare a decision for this signer.',
    )
  return signStatement(decisionType, statement, signer)
}
