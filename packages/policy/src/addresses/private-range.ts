import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isMetadataAddress } from './address-ranges.ts'
import { showQuoted } from '../policies/describe-text.ts'

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
  // What Node takes is strict: no octal, hexadecimal or short forms.
  if (isIP(addressText) === 0)
    return 'an IPv4 address has four decimal parts, an IPv6 address stands without brackets'
  const address = ipaddr.parse(addressText)
  const kind = address.kind()
  // Guards compare IPv4 in its own form, so the mapped form would never be met.
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress())
    return `it means the IPv4 address ${address.toIPv4Address().toString()}; write that`
  const prefix = prefixText === undefined ? bits[kind] : Number(prefixText)
  if (prefix > bits[kind]) return `the prefix is longer than ${bits[kind]} bits`
  if (prefix < widest[kind]) return `it is wider than /${widest[kind]}`
  const bytes = address.toByteArray()
  const network = bytes.map((byte, index) => byte & (0xff00 >> clamp(prefix - index * 8)))
  if (network.some((byte, index) => byte !== bytes[index]))
    return `the range begins at ${ipaddr.fromByteArray(network).toString()}/${prefix}`
  const written = address.toString()
  return { address, prefix, text: prefix === bits[kind] ? written : `${written}/${prefix}` }
}

/** How many bits of a byte are meant. */
function clamp(count: number): number {
  return Math.min(Math.max(count, 0), 8)
}

/**
 * Whether a range allows nothing that another does not. A cloud's metadata service has to be named alone, so a wider range
 * around it does not allow it.
 */
export function isRangeWithin(inner: AddressRange, outer: AddressRange): boolean {
  return (
    inner.address.kind() === outer.address.kind() &&
    inner.prefix >= outer.prefix &&
    inner.address.match(outer.address, outer.prefix) &&
    (inner.prefix === outer.prefix || !namesMetadataService(inner))
  )
}

/** Whether a range is the address alone at which a cloud gives out credentials. */
export function namesMetadataService({ address, prefix }: AddressRange): boolean {
  return prefix === bits[address.kind()] && isMetadataAddress(address)
}
