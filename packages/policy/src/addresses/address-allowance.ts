import { showQuoted } from '../policies/describe-text.ts'
import { describeSpecialAddress, isMetadataAddress, readAddress } from './address-ranges.ts'
import type { AddressRange } from './private-range.ts'

const maxRemembered = 1_000

/** Explains addresses, and remembers what it found: a guard meets the same few addresses again and again. */
export function createAddressJudge(
  named: readonly AddressRange[],
): (address: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (address) => {
    if (known.has(address)) return known.get(address)
    const reason = explainForbiddenAddress(address, named)
    if (known.size >= maxRemembered) known.clear()
    known.set(address, reason)
    return reason
  }
}

/**
 * Why an address may not be reached, such as `10.0.0.1 is a private address`; `undefined` if it may.
 *
 * @param named the special addresses that the policy names; metadata services have to be named one by one
 */
function explainForbiddenAddress(text: string, named: readonly AddressRange[]): string | undefined {
  const address = readAddress(text)
  if (address === undefined) return `${showQuoted(text.slice(0, 100))} is no plain address`
  const what = describeSpecialAddress(address)
  if (what === undefined) return undefined
  const kind = address.kind()
  const mustBeExact = isMetadataAddress(address)
  const isNamed = named.some(
    (range) =>
      range.address.kind() === kind &&
      (!mustBeExact || range.prefix === (kind === 'ipv4' ? 32 : 128)) &&
      address.match(range.address, range.prefix),
  )
  return isNamed ? undefined : `${address.toString()} is ${what}`
}
