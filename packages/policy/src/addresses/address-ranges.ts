import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address of either family; IPv4 inside IPv6 (`::ffff:10.0.0.1`) is read as the IPv4 address that it reaches. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

type Range = readonly [first: IpAddress, prefixLength: number, what: string]

const range = (text: string, what: string): Range => [...ipaddr.parseCIDR(text), what]

const forbiddenIpv4: readonly Range[] = [
  range('0.0.0.0/8', 'an address of this machine'),
  range('10.0.0.0/8', 'a private address'),
  range('100.64.0.0/10', 'a shared address of a provider'),
  range('127.0.0.0/8', 'a loopback address'),
  range('169.254.0.0/16', 'a link-local address'),
  range('172.16.0.0/12', 'a private address'),
  range('192.0.0.0/24', 'a reserved address'),
  range('192.0.2.0/24', 'a documentation address'),
  range('192.88.99.0/24', 'a 6to4 relay address'),
  range('192.168.0.0/16', 'a private address'),
  range('198.18.0.0/15', 'a benchmarking address'),
  range('198.51.100.0/24', 'a documentation address'),
  range('203.0.113.0/24', 'a documentation address'),
  range('224.0.0.0/4', 'a multicast address'),
  range('240.0.0.0/4', 'a reserved or broadcast address'),
]

/** Named for the message; whatever else lies outside 2000::/3 is refused too. */
const forbiddenIpv6: readonly Range[] = [
  range('::1/128', 'a loopback address'),
  range('::/128', 'an address of this machine'),
  range('::/96', 'an IPv4 address in an obsolete form'),
  range('64:ff9b:1::/48', 'a local translation (NAT64) address'),
  range('100::/64', 'a discard address'),
  range('2001::/32', 'a Teredo tunnel address'),
  range('2001::/23', 'a reserved address'),
  range('2001:db8::/32', 'a documentation address'),
  range('2002::/16', 'a 6to4 tunnel address'),
  range('3fff::/20', 'a documentation address'),
  range('fc00::/7', 'a unique local address'),
  range('fe80::/10', 'a link-local address'),
  range('fec0::/10', 'a site-local address'),
  range('ff00::/8', 'a multicast address'),
]
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Where clouds answer with credentials; 168.63.129.16 is Azure's and looks public. */
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
])

/** Reads an address in its usual notation; `undefined` for names, odd notations and addresses with a zone. */
export function readAddress(text: string): IpAddress | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined
  // ipaddr.js takes `::1.2.3.4` for `::ffff:1.2.3.4`; the URL parser writes dotted ends as the groups that they are.
  const isDotted = text.includes(':') && text.includes('.')
  const address = ipaddr.parse(isDotted ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text)
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
    ? address.toIPv4Address()
    : address
}

/** Whether a cloud's metadata service answers at an address. */
export function isMetadataAddress(address: IpAddress): boolean {
  return metadataAddresses.has(address.toString())
}

/** Whether an address never leaves this machine. */
export function isLoopback(address: IpAddress): boolean {
  const text = address.toString()
  if (address instanceof ipaddr.IPv4) return address.octets[0] === 127 || text === '0.0.0.0'
  return text === '::1' || text === '::'
}

/** What an address is if it is not a public one, such as `a private address`. */
export function describeSpecialAddress(address: IpAddress): string | undefined {
  if (isMetadataAddress(address)) return 'the address of a cloud metadata service'
  if (address instanceof ipaddr.IPv4) return findRange(forbiddenIpv4, address)
  if (address.match(translated)) {
    const inner = new ipaddr.IPv4(address.toByteArray().slice(12))
    const what = describeSpecialAddress(inner)
    return what === undefined ? undefined : `a translation (NAT64) of ${inner.toString()}, ${what}`
  }
  return (
    findRange(forbiddenIpv6, address) ??
    (address.match(globalUnicast) ? undefined : 'a reserved address')
  )
}

function findRange(ranges: readonly Range[], address: IpAddress): string | undefined {
  return ranges.find(([first, length]) => address.match(first, length))?.[2]
}
