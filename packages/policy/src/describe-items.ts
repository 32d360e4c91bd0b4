import type { Callee } from './allowed-items.ts'
import { showPlain } from './describe-text.ts'
import type { OriginPattern } from './origin-pattern.ts'

/** `a, b and c`. */
export function joinItems(items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}

/** Folders and files, as words. */
export function describePaths(paths: readonly string[]): string {
  return joinItems(paths.map((path) => (path === '.' ? 'the base folder' : showPlain(path))))
}

/** Origins, as words; what is understood is left out, what is unusual is said. */
export function describeOrigins(origins: readonly OriginPattern[]): string {
  return joinItems(origins.map(describeOrigin))
}

function describeOrigin({ scheme, hosts, port }: OriginPattern): string {
  const remarks: string[] = []
  if (port === null) remarks.push('every port')
  else if (port !== (scheme === 'https' ? 443 : 80)) remarks.push(`port ${port}`)
  if (scheme === 'http') remarks.push('not encrypted')
  const words = hosts.kind === 'every' ? 'every public host' : hosts.host
  const named = hosts.kind === 'below' ? `every name below ${words}` : words
  return remarks.length === 0 ? named : `${named} (${remarks.join(', ')})`
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
