import { type PolicyErrorCode, policyError } from '../error-catalogue.ts'
import type { Hop } from './exchange/http-hop.ts'
import { httpViolation, showUrl } from './http-violation.ts'
import { ToolPolicyViolation } from '../policies/policy-violation.ts'
import { ToolError } from '@toolcrib/registry'

/** What is wrong with a certificate, by the code that OpenSSL or Node gives. */
const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  CERT_REVOKED: 'was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not known (self-signed in its chain)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not known',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
}
const addAuthority =
  'If the server is one of yours, give its authority in the option certificateAuthorities.'

const connectionProblems: Readonly<Record<string, readonly [PolicyErrorCode, string]>> = {
  ENOTFOUND: ['HTTP_UNKNOWN_HOST', 'the host cannot be resolved; check its spelling'],
  ENODATA: ['HTTP_UNKNOWN_HOST', 'the host has no addresses; check its spelling'],
  EAI_AGAIN: ['HTTP_UNKNOWN_HOST', 'the host cannot be resolved now: the name server failed'],
  EAI_NODATA: ['HTTP_UNKNOWN_HOST', 'the host has no addresses; check its spelling'],
  EAI_NONAME: ['HTTP_UNKNOWN_HOST', 'the host cannot be resolved; check its spelling'],
  ECONNREFUSED: [
    'HTTP_CONNECTION_REFUSED',
    'nothing listens there; check the port and the service',
  ],
  ECONNRESET: ['HTTP_CONNECTION_FAILED', 'the server broke the connection off'],
  EPIPE: ['HTTP_CONNECTION_FAILED', 'the server broke the connection off'],
  ETIMEDOUT: ['HTTP_CONNECTION_FAILED', 'the connection could not be made in time'],
  EHOSTUNREACH: ['HTTP_CONNECTION_FAILED', 'the host cannot be reached from here'],
  ENETUNREACH: ['HTTP_CONNECTION_FAILED', 'the network cannot be reached from here'],
}

/** An error of a hop as a violation or with a code of the catalogue; what is that already stays as it is. */
export function explainHttpFailure(error: unknown, hop: Hop): Error {
  for (const link of causes(error))
    if (ToolPolicyViolation.isViolation(link) || ToolError.is(link)) return link
  const tried = `url: ${hop.method} ${showUrl(hop.url)}`
  for (const link of causes(error)) {
    const code = readCode(link)
    const certificateProblem = certificateProblems[code]
    if (certificateProblem !== undefined)
      return policyError(
        'HTTP_TLS_FAILED',
        `${tried}: the certificate of the server ${certificateProblem} (${code}). ${addAuthority}`,
        { cause: plainCause(error) },
      )
    const problem = connectionProblems[code]
    // A handshake that is broken off has the code of a connection that is.
    if (isTlsProblem(code, link) || (hop.url.protocol === 'https:' && isHandshakeBreak(link)))
      return policyError(
        'HTTP_TLS_FAILED',
        `${tried}: the encrypted connection could not be made (${code}). Check that the port speaks https.`,
        { cause: plainCause(error) },
      )
    if (problem !== undefined)
      return policyError(problem[0], `${tried}: ${problem[1]} (${code}).`, {
        cause: plainCause(error),
      })
    if (code === 'HPE_HEADER_OVERFLOW')
      return httpViolation('http.size', `${hop.method} ${showUrl(hop.url)}: read too many headers`)
    if (code.startsWith('HPE_'))
      return policyError(
        'HTTP_RESPONSE_INVALID',
        `${tried}: the answer breaks the rules of HTTP (${code}).`,
        { cause: plainCause(error) },
      )
  }
  return policyError(
    'HTTP_CONNECTION_FAILED',
    `${tried}: the request failed (${readCode(error) || 'no code'}).`,
    { cause: plainCause(error) },
  )
}

/** What an error says, without what hangs on it: got keeps the options of a request there, with its secrets filled in. */
function plainCause(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error)
  return Object.assign(new Error(message), { code: readCode(error) })
}

/** Whether trying once more may help: the failures of a network rather than of a request. */
export function isTransientFailure(error: Error): boolean {
  return causes(error).some((link) =>
    [
      'EAI_AGAIN',
      'ECONNREFUSED',
      'ECONNRESET',
      'EPIPE',
      'ETIMEDOUT',
      'ENETUNREACH',
      'EHOSTUNREACH',
    ].includes(readCode(link)),
  )
}

function causes(error: unknown): readonly unknown[] {
  const found: unknown[] = []
  for (
    let link = error;
    typeof link === 'object' && link !== null && !found.includes(link) && found.length < 8;
    link = (link as { cause?: unknown }).cause
  ) {
    found.push(link)
    // What connecting to several addresses gives.
    if (link instanceof AggregateError) found.push(...(link.errors as unknown[]).slice(0, 4))
  }
  return found
}

function readCode(error: unknown): string {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' ? code : ''
}

function isTlsProblem(code: string, error: unknown): boolean {
  return (
    code.startsWith('ERR_SSL_') ||
    code.startsWith('ERR_TLS_') ||
    (code === 'EPROTO' && error instanceof Error)
  )
}

function isHandshakeBreak(error: unknown): boolean {
  return error instanceof Error && /before secure TLS connection/.test(error.message)
}
