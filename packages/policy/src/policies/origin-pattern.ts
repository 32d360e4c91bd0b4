import { hasDisguise, showQuoted } from './describe-text.ts'
import { policyError } from '../error-catalogue.ts'

/** The hosts of an {@link OriginPattern}: one, all below a name (not itself), or every one. */
export type HostPattern =
  | { readonly kind: 'one'; readonly host: string }
  | { readonly kind: 'below'; readonly host: string }
  | { readonly kind: 'every' }

/** What `[scheme://]host[:port]` says. */
export interface OriginPattern {
  readonly scheme: 'https' | 'http'
  readonly hosts: HostPattern
  /** `null` for every port. */
  readonly port: number | null
  /** The pattern as it is best written: without what is understood. */
  readonly text: string
}

const maxPatternLength = 300
const usualPorts = { https: 443, http: 80 } as const

/**
 * Reads `[scheme://]host[:port]`: https and its usual port unless said otherwise; `*.example.com` for all names below;
 * `*` for every host; port `*` for every port. Names are compared as browsers read them.
 *
 * @param field what the message calls the place of the pattern
 * @throws {ToolError} POLICY_INVALID naming the field, the value and what is wrong with it
 */
export function parseOriginPattern(text: string, field = 'http.origins'): OriginPattern {
  const pattern = readOriginPattern(text)
  if (typeof pattern !== 'string') return pattern
  throw policyError('POLICY_INVALID', `${field}: ${pattern}`, {
    data: { field, value: text.slice(0, maxPatternLength) },
  })
}

/** The pattern, or a sentence that says what is wrong with the text. */
export function readOriginPattern(text: string): OriginPattern | string {
  const parts = readParts(text)
  if (typeof parts !== 'string') return createOriginPattern(parts)
  const shown = showQuoted(text.length > maxPatternLength ? `${text.slice(0, 100)}…` : text)
  return `${shown} is no origin: ${parts}. Write for example "api.example.com", "*.example.com" or "http://localhost:8080".`
}

function readParts(text: string): Omit<OriginPattern, 'text'> | string {
  if (text === '') return 'it is empty'
  if (text.length > maxPatternLength) return `it is longer than ${maxPatternLength} characters`
  if (/\s/.test(text) || hasDisguise(text)) return 'it holds spaces or invisible characters'
  const [, schemeText, afterScheme = ''] = /^(?:([^/?#@[\]]*):\/\/)?(.*)$/s.exec(text) ?? []
  const scheme = (schemeText ?? 'https').toLowerCase()
  if (scheme !== 'https' && scheme !== 'http') return 'the scheme must be https or http'
  if (afterScheme.includes('@')) return 'it holds a user name or password'
  if (/[/\\?#]/.test(afterScheme))
    return 'it holds a path or query; an origin ends after host and port'
  const parts = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/s.exec(afterScheme)
  // Several colons outside brackets are an IPv6 address that lacks them.
  if (parts === null || parts[2]?.includes(':'))
    return 'host and port cannot be told apart; IPv6 addresses stand in brackets'
  const port = readPort(parts[2], usualPorts[scheme])
  if (port === undefined) return 'the port must be a number from 1 to 65535 or *'
  const hosts = readHosts(parts[1] ?? '')
  return typeof hosts === 'string' ? hosts : { scheme, hosts, port }
}

/** Gives a pattern its text. */
export function createOriginPattern(parts: Omit<OriginPattern, 'text'>): OriginPattern {
  const { scheme, hosts, port } = parts
  const shownScheme = scheme === 'https' ? '' : 'http://'
  const shownPort = port === usualPorts[scheme] ? '' : `:${port ?? '*'}`
  return { scheme, hosts, port, text: shownScheme + showHosts(hosts) + shownPort }
}

/** How a pattern writes its hosts. */
function showHosts(hosts: HostPattern): string {
  if (hosts.kind === 'every') return '*'
  return hosts.kind === 'below' ? `*.${hosts.host}` : hosts.host
}

/**
 * Compares a URL with a pattern: `origin` where the host is the pattern's but scheme or port are not, `domain` where the
 * host is another.
 */
export function matchesOrigin(pattern: OriginPattern, url: URL): 'match' | 'origin' | 'domain' {
  if (!matchesHost(pattern.hosts, url.hostname)) return 'domain'
  if (url.protocol !== `${pattern.scheme}:`) return 'origin'
  const port = url.port === '' ? usualPorts[pattern.scheme] : Number(url.port)
  return pattern.port === null || pattern.port === port ? 'match' : 'origin'
}

/** The best that any of the patterns says of a URL. */
export function matchesAnyOrigin(
  patterns: readonly OriginPattern[],
  url: URL,
): 'match' | 'origin' | 'domain' {
  let best: 'origin' | 'domain' = 'domain'
  for (const pattern of patterns) {
    const found = matchesOrigin(pattern, url)
    if (found === 'match') return found
    if (found === 'origin') best = found
  }
  return best
}

/** Whether a host, written as a URL has it, is one of the pattern's. A host that is no well-formed name or address is never one. */
function matchesHost(hosts: HostPattern, hostname: string): boolean {
  const host = normaliseHost(hostname)
  if (host === undefined) return false
  if (hosts.kind === 'every') return true
  if (hosts.kind === 'one') return host.name === hosts.host
  // No address ends so: the last label of a pattern's name is never a number.
  return host.name.endsWith(`.${hosts.host}`)
}

/** Reads the host of a pattern; a text says what is wrong with it. */
function readHosts(text: string): HostPattern | string {
  if (text === '*') return { kind: 'every' }
  const isBelow = text.startsWith('*.')
  const name = isBelow ? text.slice(2) : text
  if (name.includes('*') || name.normalize('NFKC').includes('*'))
    return 'a * may only stand alone or at the start, as in *.example.com'
  // A browser would read %2e as a dot; nobody who reviews a policy would.
  const host = /[%/\\?#@]/.test(name) ? undefined : normaliseHost(name)
  if (host === undefined) return 'the host is no well-formed name or address'
  if (!isBelow) {
    if (host.isAddress && !name.startsWith('[') && host.name !== name)
      return `the address is written in an unusual way; it means ${host.name}`
    return { kind: 'one', host: host.name }
  }
  if (host.isAddress) return 'a * cannot stand before an address'
  if (!host.name.includes('.'))
    return `*.${host.name} would allow a whole top-level domain; name at least two labels after the *`
  return { kind: 'below', host: host.name }
}

function readPort(text: string | undefined, usual: number): number | null | undefined {
  if (text === undefined) return usual
  if (text === '*') return null
  const port = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

/** The host as a URL would have it, without the dot at its end; `undefined` for what is no name and no address. */
function normaliseHost(
  text: string,
): { readonly name: string; readonly isAddress: boolean } | undefined {
  const url = URL.parse(`https://${text}`)
  if (url === null || url.hostname === '') return undefined
  const name = url.hostname.replace(/\.$/, '')
  if (name.startsWith('[')) return { name, isAddress: true }
  const isName =
    name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
  // A last label of digits alone is only left by a URL parser where it has read an IPv4 address.
  return isName ? { name, isAddress: /(?:^|\.)\d+$/.test(name) } : undefined
}
