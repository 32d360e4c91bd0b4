import { BlockList } from 'node:net'
import {
  type OriginPattern,
  matchesAnyOrigin,
  parseOriginPattern,
} from '../src/policies/origin-pattern.ts'
import type { FilePolicy, HttpPolicy, ToolPolicy } from '../src/policies/tool-policy.ts'
import type { Attempt } from './arbitrary-policy.ts'

/** What a policy means, said a second time and differently, for tests to compare with. */
export function allowsAttempt(policy: ToolPolicy, attempt: Attempt): boolean {
  switch (attempt.kind) {
    case 'read':
      return allowsFile(policy.fs_read, attempt, ['.env'])
    case 'write':
      return allowsFile(policy.fs_write, attempt, ['.env', '.vimrc'])
    case 'http':
      return allowsRequest(policy.http, attempt)
    case 'secret':
      return policy.secrets?.names.includes(attempt.name) ?? false
    case 'call':
      return (
        policy.tools?.callees.some(
          ({ name, hash }) => name === attempt.name && (hash ?? attempt.hash) === attempt.hash,
        ) ?? false
      )
    default:
      return attempt satisfies never
  }
}

function allowsFile(
  policy: FilePolicy | undefined,
  { path, bytes }: Extract<Attempt, { kind: 'read' | 'write' }>,
  protectedNames: readonly string[],
): boolean {
  if (policy === undefined || bytes > (policy.maxBytes ?? 1_048_576)) return false
  return policy.paths.some((allowed) => {
    const root = allowed.startsWith('/') ? '/' : ''
    const steps = [root, ...allowed.split('/').filter((step) => step !== '' && step !== '.')]
    const isBelow = steps.every((step, index) => step === path[index])
    return isBelow && !path.slice(steps.length).some((step) => protectedNames.includes(step))
  })
}

function allowsRequest(
  policy: HttpPolicy | undefined,
  attempt: Extract<Attempt, { kind: 'http' }>,
): boolean {
  if (policy === undefined) return false
  const patterns = policy.origins.map(parseOnce)
  return (
    matchesAnyOrigin(patterns, new URL(attempt.url)) === 'match' &&
    (policy.methods === undefined || policy.methods.some((method) => method === attempt.method)) &&
    attempt.bytes <= (policy.maxRequestBytes ?? 1_048_576) &&
    attempt.bytes <= (policy.maxResponseBytes ?? 10_485_760) &&
    attempt.redirects <= (policy.maxRedirects ?? 10) &&
    (attempt.address === undefined || allowsAddress(policy.privateAddresses ?? [], attempt.address))
  )
}

const parsed = new Map<string, OriginPattern>()

function parseOnce(origin: string): OriginPattern {
  const pattern = parsed.get(origin) ?? parseOriginPattern(origin)
  parsed.set(origin, pattern)
  return pattern
}

function allowsAddress(ranges: readonly string[], address: string): boolean {
  // The metadata service of clouds has to be named alone.
  if (address === '169.254.169.254') return ranges.includes(address)
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    const family = network.includes(':') ? 'ipv6' : 'ipv4'
    list.addSubnet(network, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
