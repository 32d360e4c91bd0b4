import ipaddr from 'ipaddr.js'
import { showQuoted } from './describe-text.ts'

/** Addresses that share their first bits. */
export interface AddressRange {
  readonly address: ipaddr.IPv4 | ipaddr.IPv6
  /** How many bits they share. */
  readonly prefix: number
  /** As it is best written: without the prefix where it is one address. */
  readonly text: string
}

/** The widest ranges that a policy may name; 10.0.0.0/8 and fc00::/7 are the widest private ones. */
const widest = { ipv4: 8, ipv6: 7 } as const
const bits = { ipv4: 32, ipv6: 128 } as const

/** Reads `10.1.2.3`, `10.1.0.0/16` or `fd00::/8`; a sentence says what is wrong with the text. */
export function readAddressRange(text: string): AddressRange | string {
  const range = readRange(text)
  return typeof range !== 'string'
    ? range
    : `${showQuoted(text)} is no address or range: ${range}. Write for example "10.1.2.3", "10.1.0.0/16" or "fd00::/8".`
}

function readRange(text: string): AddressRange | string {
  const [, addressText = '', prefixText] =
    /^([0-9A-Fa-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const isFourPart = ipaddr.IPv4.isValidFourPartDecimal(addressText)
  if (!isFourPart && !ipaddr.IPv6.isValid(addressText))
    return 'an IPv4 address has four decimal parts, an IPv6 address stands without brackets'
  const address = ipaddr.parse(addressText)
  const kind = address.kind()
  // Guards compare IPv4 in its own form, so the mapped form would never be met.
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress())
    return `it means the IPv4 address ${address.toIPv4Address().toString()}; write that`
  const prefix = prefixText === undefined ? bits[kind] : Number(prefixText)
  if (prefix > bits[kind]) return `the prefix is longer than ${bits[kind]} bits`
  if (prefix < widest[kind]) return `it is wider than /${widest[kind]}`
  const first = ipaddr.parseCIDR(`${address.toString()}/${prefix}`)
  const network =
    kind === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${first[0].toString()}/${prefix}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${first[0].toString()}/${prefix}`)
  if (network.toString() !== address.toString())
    return `the range begins at ${network.toString()}/${prefix}`
  const written = address.toString()
  return { address, prefix, text: prefix === bits[kind] ? written : `${written}/${prefix}` }
}

/** Whether every address of a range lies in another. */
export function isRangeWithin(inner: AddressRange, outer: AddressRange): boolean {
  return (
    inner.address.kind() === outer.address.kind() &&
    inner.prefix >= outer.prefix &&
    inner.address.match(outer.address, outer.prefix)
  )
}
