import { createAddressJudge } from './address-allowance.ts'
import { readOriginPattern } from '../policies/origin-pattern.ts'
import { readAddressRange } from './private-range.ts'

/** What `localhost` means everywhere. */
const loopback = ['127.0.0.1', '::1'] as const

/**
 * Why an origin can only lead to where tools must not go: it names a private, local or reserved address, or `localhost`.
 * `undefined` for every other one, also where its name may resolve to such an address: that is seen at each request.
 *
 * @param privateAddresses those that may be reached all the same: `10.1.2.3` or `10.1.0.0/16`
 */
export function explainPrivateOrigin(
  origin: string,
  privateAddresses: readonly string[] = [],
): string | undefined {
  const pattern = readOriginPattern(origin)
  if (typeof pattern === 'string' || pattern.hosts.kind === 'every') return undefined
  const { host, kind } = pattern.hosts
  const ranges = privateAddresses
    .map((text) => readAddressRange(text))
    .filter((range) => typeof range !== 'string')
  const judge = createAddressJudge(ranges)
  if (host === 'localhost' || host.endsWith('.localhost'))
    return loopback.some((address) => judge(address) === undefined)
      ? undefined
      : `${host} is this machine itself`
  const address = host.replace(/^\[|\]$/g, '')
  return kind === 'one' && isAddress(host) ? judge(address) : undefined
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /(?:^|\.)\d+$/.test(host)
}
