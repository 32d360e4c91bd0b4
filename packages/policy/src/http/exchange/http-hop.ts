import type { LookupAddress } from 'node:dns'
import { readAddress } from '../../addresses/address-ranges.ts'
import type { DeniedServices, ServiceTarget } from '../../addresses/denied-services.ts'
import { policyError } from '../../error-catalogue.ts'
import { showUrl, httpViolation } from '../http-violation.ts'
import { type OriginPattern, matchesAnyOrigin } from '../../policies/origin-pattern.ts'

/** What every hop of a guard is judged by. */
export interface HopRules {
  readonly origins: readonly OriginPattern[]
  /** Why an address may not be reached. */
  readonly explainAddress: (address: string) => string | undefined
  readonly denied: DeniedServices
  readonly lookup: (hostname: string) => Promise<readonly LookupAddress[]>
}

/** When things happened, in milliseconds of a clock that never runs backwards. */
interface HopTimes {
  readonly start: number
  dns?: number
  connect?: number
  tls?: number
  firstByte?: number
}

/** One request to one place: the URL as asked, or one that a redirect led to. */
export interface Hop {
  readonly url: URL
  readonly method: string
  /** Without the brackets of IPv6. */
  readonly hostname: string
  readonly port: number
  readonly signal: AbortSignal
  readonly times: HopTimes
  /** The addresses of the host, each checked; asked for once. */
  resolve(): Promise<readonly LookupAddress[]>
  /** @throws {ToolPolicyViolation} http.host or http.address when a socket leads to a place that is not allowed */
  verifyAddress(address: string | undefined): void
}

const maxAddresses = 32

/**
 * Judges a hop by all that is known before its name is resolved.
 *
 * @throws {ToolPolicyViolation} http.host, http.domain, http.origin or http.address
 */
export function openHop(
  url: URL,
  method: string,
  { rules, signal }: { readonly rules: HopRules; readonly signal: AbortSignal },
): Hop {
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const target: ServiceTarget = { hostname: url.hostname, port, path: url.pathname }
  const tried = (): string => `${method} ${showUrl(url)}`

  const verifyAddress = (address: string | undefined): void => {
    if (address === undefined)
      throw httpViolation('http.address', `${tried()} over a connection whose other end is unknown`)
    if (rules.denied.hasAddress(address, target))
      throw httpViolation('http.host', `${tried()}, which leads to ${address}`)
    const reason = rules.explainAddress(address)
    if (reason !== undefined) throw httpViolation('http.address', `${tried()}: ${reason}`)
  }

  if (rules.denied.hasName(target)) throw httpViolation('http.host', tried())
  const found = matchesAnyOrigin(rules.origins, url)
  if (found !== 'match') throw httpViolation(`http.${found}`, tried())
  const literal = readAddress(hostname)
  if (literal !== undefined) verifyAddress(hostname)

  return {
    url,
    method,
    hostname,
    port,
    signal,
    times: { start: performance.now() },
    verifyAddress,
    async resolve() {
      if (literal !== undefined)
        return [{ address: hostname, family: literal.kind() === 'ipv4' ? 4 : 6 }]
      const answers = await rules.lookup(hostname)
      if (answers.length === 0)
        throw policyError(
          'HTTP_UNKNOWN_HOST',
          `url: the host "${hostname}" has no addresses. Check its spelling.`,
        )
      if (answers.length > maxAddresses)
        throw httpViolation(
          'http.address',
          `${tried()}, whose name has ${answers.length} addresses`,
        )
      // One forbidden address among public ones is what an attack looks like, so none is used.
      for (const { address } of answers) verifyAddress(address)
      return answers
    },
  }
}
