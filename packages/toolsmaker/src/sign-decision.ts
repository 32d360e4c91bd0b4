import type { ApprovalSigner } from './approval-signer.ts'
import type { DecisionStatement, SignedDecision } from './decision-statement.ts'

/** Signs a statement. */
export async function signDecision<Statement extends DecisionStatement>(
  _statement: Statement,
  _signer: ApprovalSigner,
): Promise<SignedDecision<Statement>> {
  throw new Error('not yet')
}
