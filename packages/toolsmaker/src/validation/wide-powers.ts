import { type OriginPattern, parseOriginPattern } from '@toolcrib/policy'
import type { PolicyContent } from './tool-policy-of.ts'

/**
 * What a tool asks for that a person should look at, whatever the capability is used for: hosts without bound, traffic that
 * can be read on its way, addresses and names that are not what they seem, and folders beyond the usual ones. No rule
 * approves it: a rule names capabilities, and whoever wrote it did not see this.
 */
export function findWidePowers(
  content: Pick<PolicyContent, 'capabilities' | 'allowedDomains' | 'allowedPaths'>,
): readonly string[] {
  const { allowedDomains, allowedPaths, capabilities } = content
  const found = new Set<string>()
  if (capabilities.includes('http'))
    for (const domain of allowedDomains)
      for (const remark of remarksOnDomain(domain)) found.add(remark)
  if (capabilities.includes('fs_read') || capabilities.includes('fs_write'))
    for (const path of allowedPaths) {
      const remark = remarkOnPath(path)
      if (remark !== undefined) found.add(`${remark} (${JSON.stringify(path)})`)
    }
  return [...found]
}

function remarksOnDomain(domain: string): readonly string[] {
  let origin: OriginPattern
  try {
    origin = parseOriginPattern(domain)
  } catch {
    // Said by the checks; no guard lets it pass.
    return []
  }
  const { hosts, port, scheme, text } = origin
  const remarks: string[] = []
  if (hosts.kind === 'every') remarks.push('it may send to every host')
  else {
    if (isAddress(hosts.host)) remarks.push(`it names an address (${text})`)
    else if (!hosts.host.includes('.') || /\.(?:localhost|local|internal)$/.test(hosts.host))
      remarks.push(`it names a host of the own network (${text})`)
    if (/(?:^|\.)xn--/.test(hosts.host))
      remarks.push(
        `a host has letters that may look like others (${text}, written ${JSON.stringify(domain)})`,
      )
  }
  if (scheme === 'http') remarks.push(`it sends without encryption (${text})`)
  if (port === null) remarks.push(`it may use every port (${text})`)
  return remarks
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /(?:^|\.)\d+$/.test(host)
}

function remarkOnPath(path: string): string | undefined {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'it names a folder of the whole disk'
  if (steps.length === 0) return 'it names the base folder with everything in it'
  return steps.some((step) => step.startsWith('.')) ? 'it names something hidden' : undefined
}
