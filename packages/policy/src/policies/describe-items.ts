import type { Callee } from './allowed-items.ts'
import { showPlain } from './describe-text.ts'
import type { OriginPattern } from './origin-pattern.ts'
import { findProtectedStep } from '../files/paths/path-protected.ts'
import { type AddressRange, namesMetadataService } from '../addresses/private-range.ts'

/** `a, b and c`. */
export function joinItems(items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}

/** Folders and files, as words, with a warning beside those that a guard would protect were they not named. */
export function describePaths(paths: readonly string[], access: 'read' | 'write'): string {
  return joinItems(
    paths.map((path) => {
      if (path === '.') return 'the base folder'
      const isSpecial = findProtectedStep(path.split('/'), access) !== undefined
      return isSpecial ? `${showPlain(path)} (${protectedWords[access]})` : showPlain(path)
    }),
  )
}

const protectedWords = {
  read: 'which usually holds secrets',
  write: 'which usually holds secrets or steers programs',
} as const

/** Origins, as words; what is understood is left out, what is unusual is said. */
export function describeOrigins(origins: readonly OriginPattern[]): string {
  const schemes = new Map<string, Set<OriginPattern['scheme']>>()
  for (const origin of origins) {
    const place = JSON.stringify([describeHosts(origin), describePort(origin)])
    schemes.set(place, (schemes.get(place) ?? new Set()).add(origin.scheme))
  }
  return joinItems(
    [...schemes].map(([place, found]) => {
      const [hosts = '', port = ''] = JSON.parse(place) as string[]
      const remarks = [port, describeSchemes(found)].filter((remark) => remark !== '')
      return remarks.length === 0 ? hosts : `${hosts} (${remarks.join(', ')})`
    }),
  )
}

function describeHosts({ hosts }: OriginPattern): string {
  if (hosts.kind === 'every') return 'every public host'
  return hosts.kind === 'below' ? `every name below ${hosts.host}` : hosts.host
}

function describePort({ scheme, port }: OriginPattern): string {
  if (port === null) return 'every port'
  return port === (scheme === 'https' ? 443 : 80) ? '' : `port ${port}`
}

function describeSchemes(schemes: ReadonlySet<OriginPattern['scheme']>): string {
  if (!schemes.has('http')) return ''
  return schemes.has('https') ? 'encrypted or not' : 'not encrypted'
}

/** Addresses, with a warning beside those at which clouds give out credentials. */
export function describeRanges(ranges: readonly AddressRange[]): string {
  return joinItems(
    ranges.map((range) =>
      namesMetadataService(range)
        ? `${range.text} (where a cloud gives out credentials)`
        : range.text,
    ),
  )
}

/** A size, exactly. */
export function describeBytes(bytes: number): string {
  for (const [unit, size] of [
    ['GiB', 1_073_741_824],
    ['MiB', 1_048_576],
    ['KiB', 1_024],
  ] as const)
    if (bytes % size === 0) return `${bytes / size} ${unit}`
  return bytes === 1 ? '1 byte' : `${bytes} bytes`
}

/** Which version of a tool. The hash is given whole: a part of one can be forged. */
export function describeCallee({ name, hash }: Callee): string {
  const version = hash === null ? 'whatever version is active' : `exactly version hash ${hash}`
  return `the tool ${name} (${version})`
}
