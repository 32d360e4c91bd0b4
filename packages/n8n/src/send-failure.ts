import type { ToolError } from '@toolcrib/registry'
import { type N8nErrorCode, n8nError } from './error-catalogue.ts'
import type { N8nHttpRequest } from './transport.ts'

const problems: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host cannot be resolved; check its spelling',
  ENODATA: 'the host has no addresses; check its spelling',
  EAI_AGAIN: 'the host cannot be resolved now: the name server failed',
  ECONNREFUSED: 'nothing listens there; check the port, and whether n8n runs',
  ECONNRESET: 'the connection was broken off',
  EPIPE: 'the connection was broken off',
  ETIMEDOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'the host cannot be reached from here',
  ENETUNREACH: 'the network cannot be reached from here',
  ERR_GOT_REQUEST_ERROR: 'the request failed',
}

/** What a failure of got or Node means. Nothing of the request but its method and address is in it. */
export function explainSendFailure(
  error: unknown,
  { method, url }: N8nHttpRequest,
  sent: boolean,
): ToolError<N8nErrorCode> {
  const tried = `${method} ${url.origin}${url.pathname}`
  const codes = causesOf(error).map(codeOf)
  const code =
    codes.find((one) => one in problems && one !== 'ERR_GOT_REQUEST_ERROR') ?? codes[0] ?? ''
  const cause = plainCopy(error)
  const parse = codes.find(
    (one) =>
      one.startsWith('HPE_') ||
      one.startsWith('Z_') ||
      one === 'ERR_TRAILING_JUNK_AFTER_STREAM_END',
  )
  if (parse !== undefined)
    return n8nError(
      'N8N_RESPONSE_INVALID',
      `${tried}: the answer breaks the rules of HTTP (${parse}). Check that the address is that of n8n.`,
      { cause, data: { sent } },
    )
  const certificate = codes.find((one) => /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^EPROTO/.test(one))
  const reason =
    certificate === undefined
      ? (problems[code] ?? 'the request failed')
      : 'the encrypted connection could not be made; check the certificate, and that the port speaks https'
  const shown = certificate ?? code
  return n8nError('N8N_UNREACHABLE', `${tried}: ${reason}${shown === '' ? '' : ` (${shown})`}.`, {
    cause,
    data: { sent, ...(shown === '' ? {} : { reason: shown }) },
  })
}

/** got keeps the options of a request on its errors, with the key. */
function plainCopy(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error)
  return Object.assign(new Error(message), { code: codeOf(error) })
}

function causesOf(error: unknown): readonly unknown[] {
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

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
