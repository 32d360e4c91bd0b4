import type { ApprovalSigner } from '../trust/approval-signer.ts'
import { decisionBytes } from './decision-bytes.ts'
import type { DecisionStatement, SignedDecision } from './decision-statement.ts'
import { toolsmakerError } from '../error-catalogue.ts'

/**
 * Signs a statement that {@link Toolsmaker.prepareDecision} gave. Show the statement's tool and hash to the approver first.
 *
 * @throws {ToolError} DECISION_INVALID when the statement names another approver than the signer.
 */
export async function signDecision<Statement extends DecisionStatement>(
  statement: Statement,
  signer: ApprovalSigner,
): Promise<SignedDecision<Statement>> {
  if (statement.approver !== signer.approverId)
    throw toolsmakerError(
      'DECISION_INVALID',
      `The statement is for approver "${statement.approver}", the signer is "${signer.approverId}". ` +
        'Prepare a decision for this signer.',
    )
  const signature = await signer.sign(decisionBytes(statement))
  return Object.freeze({ statement, signature: Buffer.from(signature).toString('base64url') })
}
