import type { ApprovalSigner } from '../trust/approval-signer.ts'
import { signatureAlgorithm } from '../trust/signature-algorithms.ts'
import { type StatementEnvelope, sealStatement, statementBytes } from './statement-envelope.ts'
import type { StatementType } from './statement-type.ts'

/** Signs a statement and puts it into an envelope. Whether the signer may make such a statement is for whoever verifies it. */
export async function signStatement<Statement>(
  { payloadType }: StatementType<Statement>,
  statement: Statement,
  signer: ApprovalSigner,
): Promise<StatementEnvelope> {
  const { algorithm, publicKey } = signer
  const signature = await signer.sign(statementBytes(payloadType, statement))
  return sealStatement(payloadType, {
    statement,
    keyId: signatureAlgorithm(algorithm).keyId(publicKey),
    signature: Buffer.from(signature).toString('base64'),
  })
}
