import { showQuoted } from '../../policies/describe-text.ts'
import { httpViolation } from '../http-violation.ts'

/** How many headers a request may have. */
const maxHeaderCount = 100
/** How large the names and values of all its headers may be together, in bytes. */
const maxHeaderBytes = 32_768

/** Framing, routing and identity belong to the guard: what sets them could reach another host or pose as another client. */
const forbiddenNames: ReadonlySet<string> = new Set(
  `host x-host x-original-host x-original-url x-rewrite-url x-envoy-original-path
  content-length transfer-encoding te trailer trailers expect
  connection keep-alive upgrade http2-settings alt-used early-data
  forwarded x-forwarded via x-real-ip x-client-ip x-cluster-client-ip client-ip true-client-ip
  cf-connecting-ip fastly-client-ip fly-client-ip x-originating-ip x-remote-ip x-remote-addr
  remote-addr remote-user x-remote-user x-proxyuser-ip x-appengine-user-ip x-azure-clientip
  x-http-method x-http-method-override x-method-override cookie2 set-cookie set-cookie2
  --proto--`.split(/\s+/),
)
const forbiddenPrefixes = ['proxy-', 'sec-', 'x-forwarded-', 'x-proxy-'] as const

/** What describes a request rather than the one who sends it, and so may follow a redirect to another origin. */
const descriptiveNames =
  /^(?:accept|accept-(?:language|encoding|charset)|content-(?:type|language|encoding|disposition)|user-agent|cache-control|pragma|range|if-(?:match|none-match|modified-since|unmodified-since|range)|prefer|dnt)$/

/** Headers by lower-case name. */
export type HeaderRecord = Readonly<Record<string, string>>

/**
 * Checks the headers that a tool gave.
 *
 * @throws {ToolPolicyViolation} http.header naming the header, never its value
 */
export function checkRequestHeaders(headers: Readonly<Record<string, unknown>>): HeaderRecord {
  const checked = new Map<string, string>()
  let bytes = 0
  for (const [rawName, value] of Object.entries(headers)) {
    const shown = showQuoted(rawName.slice(0, 100))
    const name = rawName.toLowerCase()
    if (!/^[!#$%&'*+.^_`|~\da-z-]{1,256}$/.test(name))
      throw httpViolation('http.header', `send a header with the malformed name ${shown}`)
    if (isForbiddenName(name)) throw httpViolation('http.header', `set the header ${shown}`)
    if (checked.has(name)) throw httpViolation('http.header', `set the header ${shown} twice`)
    const text = readHeaderValue(shown, value)
    bytes += name.length + text.length
    if (checked.size >= maxHeaderCount || bytes > maxHeaderBytes)
      throw httpViolation(
        'http.header',
        `send more than ${maxHeaderCount} headers or more than ${maxHeaderBytes} bytes of them`,
      )
    checked.set(name, text)
  }
  return Object.fromEntries(checked)
}

/**
 * Checks headers again after secrets and cookies stand in them.
 *
 * @throws {ToolPolicyViolation} http.header
 */
export function checkFilledHeaders(headers: HeaderRecord): HeaderRecord {
  let bytes = 0
  for (const [name, value] of Object.entries(headers)) {
    readHeaderValue(showQuoted(name), value)
    bytes += name.length + value.length
  }
  if (bytes > maxHeaderBytes * 2)
    throw httpViolation('http.header', `send more than ${maxHeaderBytes * 2} bytes of headers`)
  return headers
}

/** The headers that may go along to another origin: no credentials, whatever their name, and no secrets. */
export function headersForOtherOrigin(
  headers: HeaderRecord,
  hasPlaceholder: (text: string) => boolean,
): HeaderRecord {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => descriptiveNames.test(name) && !hasPlaceholder(value),
    ),
  )
}

/** The headers of a request that lost its body. */
export function headersWithoutBody(headers: HeaderRecord): HeaderRecord {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('content-')),
  )
}

function isForbiddenName(name: string): boolean {
  // Many servers read `X_Forwarded_For` as `X-Forwarded-For`.
  const usual = name.replaceAll('_', '-')
  return forbiddenNames.has(usual) || forbiddenPrefixes.some((prefix) => usual.startsWith(prefix))
}

function readHeaderValue(shownName: string, value: unknown): string {
  if (typeof value !== 'string')
    throw httpViolation('http.header', `send the header ${shownName} with a value that is no text`)
  const trimmed = value.replace(/^[\t ]+|[\t ]+$/g, '')
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(trimmed))
    throw httpViolation(
      'http.header',
      `send the header ${shownName} with a line break, a control character or one outside Latin-1`,
    )
  return trimmed
}
