import { isIPv4 } from 'node:net'
import { httpViolation, showUrlText } from './http-violation.ts'

/** The longest URL, in characters. */
const maxUrlLength = 16_384

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\\]|^\s|\s$/

/**
 * Reads the URL of a request. What another parser might read differently is refused rather than repaired: the host that
 * was checked must be the host that everybody sees in the text.
 *
 * @throws {ToolPolicyViolation} http.url, http.userinfo, or http.origin for schemes other than http and https
 */
export function readRequestUrl(text: unknown): URL {
  if (typeof text !== 'string')
    throw httpViolation('http.url', `request a URL that is no text but ${typeof text}`)
  return readUrl(text, () => `request ${showUrlText(text)}`)
}

/**
 * Reads the Location of a redirect, which may be relative.
 *
 * @throws {ToolPolicyViolation} as {@link readRequestUrl}
 */
export function readRedirectUrl(location: string, base: URL): URL {
  const tried = (): string => `follow a redirect to ${showUrlText(location)}`
  assertPlainText(location, tried)
  if (/^[a-z][a-z\d+.-]*:/i.test(location)) return readUrl(location, tried)
  if (location.startsWith('//')) return readUrl(base.protocol + location, tried)
  const url = URL.parse(location, base.href)
  if (url === null || url.origin !== base.origin || url.href.length > maxUrlLength)
    throw httpViolation('http.url', tried())
  url.hash = ''
  return url
}

function assertPlainText(text: string, tried: () => string): void {
  if (text.length > maxUrlLength)
    throw httpViolation('http.url', `${tried()}, which has ${text.length} characters`)
  if (unsafe.test(text) || !text.isWellFormed()) throw httpViolation('http.url', tried())
}

function readUrl(text: string, tried: () => string): URL {
  assertPlainText(text, tried)
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) throw httpViolation('http.url', `${tried()}, which is not absolute`)
  if (scheme !== 'http' && scheme !== 'https')
    throw httpViolation('http.origin', `${tried()} with the scheme "${scheme.slice(0, 20)}"`)
  const authority = /^[a-z]+:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (authority === undefined) throw httpViolation('http.url', `${tried()}, which names no host`)
  if (authority.includes('@')) throw httpViolation('http.userinfo', tried())
  const [, rawHost, port] = /^(\[[^\]]*\]|[^:[\]]*)(?::([1-9]\d{0,4}))?$/.exec(authority) ?? []
  const url = URL.parse(text)
  if (rawHost === undefined || url === null) throw httpViolation('http.url', tried())
  const host = url.hostname.replace(/\.$/, '')
  if (!isHostSound(host) || !meansTheSame(rawHost, host))
    throw httpViolation('http.url', `${tried()}, whose host is malformed`)
  const usualPort = scheme === 'https' ? '443' : '80'
  if (port !== undefined && port !== (url.port || usualPort))
    throw httpViolation('http.url', tried())
  // Setters parse the whole URL again.
  if (url.hostname !== host) url.hostname = host
  if (url.hash !== '') url.hash = ''
  return url
}

function isHostSound(host: string): boolean {
  if (host.startsWith('[')) return true
  return host.length <= 253 && host.split('.').every((label) => /^[a-z\d_-]{1,63}$/.test(label))
}

/** Letters outside ASCII and odd notations of IPv4 are rewritten by the URL parser; nothing else may be. */
function meansTheSame(rawHost: string, host: string): boolean {
  if (rawHost.includes('%')) return false
  // oxlint-disable-next-line no-control-regex -- the range is ASCII
  if (/[^\u0000-\u007f]/.test(rawHost)) return true
  return host.startsWith('[') || isIPv4(host) || rawHost.toLowerCase().replace(/\.$/, '') === host
}
