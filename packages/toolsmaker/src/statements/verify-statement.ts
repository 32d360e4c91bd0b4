import { z } from 'zod'
import { type TrustedKey, signatureAlgorithm } from '../trust/signature-algorithms.ts'
import {
  type OpenedStatement,
  type StatementEnvelope,
  decodeBase64,
  encodePayload,
  statementBytes,
} from './statement-envelope.ts'
import type { StatementType } from './statement-type.ts'

/** A statement as far as it could be read, or what is wrong with it, to go on in a sentence. */
export type StatementReading<Statement> =
  | { readonly opened: OpenedStatement<Statement>; readonly problem?: undefined }
  | { readonly opened?: undefined; readonly problem: string }

/** The form of an envelope, as it comes over a socket or out of a file. */
export const envelopeSchema: z.ZodType<StatementEnvelope> = z.strictObject({
  payloadType: z.string().max(200),
  payload: z.string().max(64_000_000),
  signatures: z.tuple([
    z.strictObject({ keyid: z.string().max(200), sig: z.string().max(20_000) }),
  ]),
})

/**
 * Opens an envelope without looking closely: enough for what is verified before it is believed, such as the rows of a log. The
 * payload's fields may be anything; {@link verifyStatement} finds that.
 */
export function peekStatement<Statement>(
  { payloadType }: StatementType<Statement>,
  envelope: unknown,
): StatementReading<Statement> {
  const { payload, payloadType: found, signatures } = (envelope ?? {}) as Partial<StatementEnvelope>
  if (typeof found !== 'string' || typeof payload !== 'string')
    return {
      problem: 'it was signed in the form of statements before version 2, which no longer counts',
    }
  if (found !== payloadType) return { problem: `it is of another type: ${found.slice(0, 100)}` }
  const { keyid, sig } = (Array.isArray(signatures) && signatures[0]) || {}
  if (typeof keyid !== 'string' || typeof sig !== 'string' || signatures?.length !== 1)
    return { problem: 'it does not bear exactly one signature' }
  try {
    const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Statement
    if (typeof statement === 'object' && statement !== null && !Array.isArray(statement))
      return { opened: { statement, keyId: keyid, signature: sig } }
  } catch {
    // Answered below.
  }
  return { problem: 'its payload is not a statement' }
}

/** Opens an envelope that came from outside, and checks its form in full; the signature is not verified. */
export function readStatement<Statement>(
  type: StatementType<Statement>,
  envelope: unknown,
): StatementReading<Statement> {
  const peeked = peekStatement(type, envelope)
  if (peeked.opened === undefined) return peeked
  const parsed = envelopeSchema.safeParse(envelope)
  if (!parsed.success) return { problem: describeIssue('its envelope', parsed.error) }
  const problem = describeFormProblem(type, peeked.opened.statement)
  if (problem !== undefined) return { problem }
  // What is kept is the statement, so it has to give these very bytes again.
  return encodePayload(peeked.opened.statement) === parsed.data.payload
    ? peeked
    : { problem: 'its payload is not canonical JSON in base64' }
}

/** Tells in what a statement does not have the form of its type, or `undefined` when it has. */
function describeFormProblem<Statement>(
  { schema }: StatementType<Statement>,
  statement: unknown,
): string | undefined {
  const parsed = schema.safeParse(statement)
  return parsed.success ? undefined : describeIssue('its statement', parsed.error)
}

/**
 * Verifies a statement against the key of whoever is said to have signed it: form, key, spelling and signature. Gives what is wrong,
 * to go on in a sentence, or `undefined` when nothing is. Never throws: whatever cannot be checked is not valid.
 */
export async function verifyStatement<Statement>(
  type: StatementType<Statement>,
  { keyId, signature, statement }: OpenedStatement<Statement>,
  key: TrustedKey,
): Promise<string | undefined> {
  const problem = describeFormProblem(type, statement)
  if (problem !== undefined) return problem
  const algorithm = signatureAlgorithm(key.algorithm)
  if (keyId !== algorithm.keyId(key.publicKey)) return 'it is signed with another key'
  const bytes = decodeBase64(signature)
  if (bytes === undefined) return 'its signature is not spelled as signatures are'
  // It has the form of its type, so it is JSON.
  const signed = statementBytes(type.payloadType, statement)
  const check = { bytes: signed, signature: bytes, publicKey: key.publicKey }
  return (await algorithm.verify(check))
    ? undefined
    : 'the signature is not one over this statement'
}

function describeIssue(what: string, { issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join('.') ?? ''
  return `${what} cannot be read: ${path} ${issue?.message ?? ''}`.replaceAll(/\s+/g, ' ').trim()
}
