import { hash } from 'node:crypto'
import { type JsonValue, canonicalJson } from '@toolcrib/registry'

/** A signature of an envelope. */
export interface EnvelopeSignature {
  /** SHA-256 over the signer's public key in SubjectPublicKeyInfo form, 64 hexadecimal digits. A hint: the key decides. */
  readonly keyid: string
  /** The bytes of the signature, base64. */
  readonly sig: string
}

/**
 * A signed statement as it is kept and sent: an envelope of [DSSE](https://github.com/secure-systems-lab/dsse), which anybody
 * can verify with a public key and tools of their own. It bears exactly one signature.
 */
export interface StatementEnvelope {
  /** Says what the payload is and in which version, such as `application/vnd.toolcrib.decision.v2+json`. */
  readonly payloadType: string
  /** The statement as canonical JSON (RFC 8785) in UTF-8, base64. */
  readonly payload: string
  readonly signatures: readonly [EnvelopeSignature]
}

/** A statement that was taken out of its envelope, with the signature that came with it. Opening an envelope verifies nothing. */
export interface OpenedStatement<Statement> {
  readonly statement: Statement
  readonly keyId: string
  /** base64. */
  readonly signature: string
}

/** The pre-authentication encoding of DSSE version 1: the very bytes that are signed. */
function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = Buffer.from(payloadType)
  const head = `DSSEv1 ${type.length} ${payloadType} ${payload.length} `
  return Buffer.concat([Buffer.from(head), payload])
}

/**
 * The bytes that are signed for a statement.
 *
 * @throws {ToolError} VALUE_NOT_JSON when the statement is not JSON.
 */
export function statementBytes(payloadType: string, statement: unknown): Uint8Array {
  return preAuthenticationEncoding(payloadType, Buffer.from(canonicalJson(statement as JsonValue)))
}

/**
 * A statement as the payload of an envelope: canonical JSON in UTF-8, base64.
 *
 * @throws {ToolError} VALUE_NOT_JSON when the statement is not JSON.
 */
export function encodePayload(statement: unknown): string {
  return Buffer.from(canonicalJson(statement as JsonValue)).toString('base64')
}

/** Puts an opened statement back into an envelope. */
export function sealStatement(
  payloadType: string,
  { keyId, signature, statement }: OpenedStatement<unknown>,
): StatementEnvelope {
  const signatures = [{ keyid: keyId, sig: signature }] as const
  return { payloadType, payload: encodePayload(statement), signatures }
}

/** Reads base64 that is spelled in the one way in which it is written; `undefined` for every other spelling of the same bytes. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/** The id of a signed statement: SHA-256 over the bytes that were signed, and the bytes of the signature. */
export function statementId(
  payloadType: string,
  { statement, signature }: OpenedStatement<unknown>,
): string {
  const bytes = [statementBytes(payloadType, statement), Buffer.from(signature, 'base64')]
  return hash('sha256', Buffer.concat(bytes), 'hex')
}
