import { showQuoted } from './describe-text.ts'
import { describeSpecialAddress, isMetadataAddress, readAddress } from './address-ranges.ts'
import type { AddressRange } from './private-range.ts'

/**
 * Why an address may not be reached, such as `10.0.0.1 is a private address`; `undefined` if it may.
 *
 * @param named the special addresses that the policy names; metadata services have to be named one by one
 */
export function explainForbiddenAddress(
  text: string,
  named: readonly AddressRange[],
): string | undefined {
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
