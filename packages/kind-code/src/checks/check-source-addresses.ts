import { matchesAnyOrigin, parseOriginPattern } from '@toolcrib/policy'
import { type SourceAddress, quote } from '../source/source-analysis.ts'
import type { SourcePowers, SourceProblem } from '../source/source-problem.ts'

type OriginPatterns = readonly ReturnType<typeof parseOriginPattern>[]

/** Checks the addresses that a source asks, as far as they are known, by the rules of the policy. */
export function checkAddresses(
  addresses: readonly SourceAddress[],
  { allowedDomains }: Pick<SourcePowers, 'allowedDomains'>,
): readonly SourceProblem[] {
  const patterns = allowedDomains.flatMap((domain) => readPattern(domain))
  return addresses.flatMap((address) => {
    const why = describeProblem(address, patterns, allowedDomains)
    if (why === undefined) return []
    const { column, line, text } = address
    const message = `The address ${quote(text)} ${why}`
    return [{ rule: 'http.literal', severity: 'error', message, line, column }]
  })
}

function describeProblem(
  { isWhole, text }: SourceAddress,
  patterns: OriginPatterns,
  allowedDomains: readonly string[],
): string | undefined {
  // The host is known once something stands after it.
  const isHostKnown = isWhole || /^[a-z][a-z0-9+.-]*:[\\/]{2}[^\\/?#]*[\\/?#]/i.test(text)
  if (!isHostKnown) return undefined
  const url = URL.parse(text)
  if (url === null) return 'is not absolute. Write it with "https://" and the host.'
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  if (/[\u0000-\u001F\u007F-\u009F\\]|^\s|\s$/.test(text))
    return 'holds characters that others read differently. Write it with "/" and without spaces around it.'
  if (url.username !== '' || url.password !== '')
    return 'holds a user name or password. Send a secret in a header.'
  const match = matchesAnyOrigin(patterns, url)
  if (match === 'match') return undefined
  return match === 'origin'
    ? `has another scheme or port than those that this tool declares (${listed(allowedDomains)}).`
    : `is at a host that this tool does not declare (${listed(allowedDomains)}).`
}

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, 10).map((text) => quote(text))
  return shown.join(', ') || 'none'
}

/** A pattern that cannot be read allows nothing; another check speaks about it. */
function readPattern(domain: string): OriginPatterns {
  try {
    return [parseOriginPattern(domain)]
  } catch {
    return []
  }
}
