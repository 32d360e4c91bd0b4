import { type HostPattern, type OriginPattern, createOriginPattern } from './origin-pattern.ts'

/** Whether every URL that matches one pattern matches another. */
export function isOriginWithin(inner: OriginPattern, outer: OriginPattern): boolean {
  return (
    inner.scheme === outer.scheme &&
    (outer.port === null || inner.port === outer.port) &&
    areHostsWithin(inner.hosts, outer.hosts)
  )
}

/** The pattern of what two patterns both match; `undefined` when there is nothing. */
export function intersectOrigins(
  first: OriginPattern,
  second: OriginPattern,
): OriginPattern | undefined {
  if (first.scheme !== second.scheme) return undefined
  if (first.port !== null && second.port !== null && first.port !== second.port) return undefined
  const hosts = intersectHosts(first.hosts, second.hosts)
  if (hosts === undefined) return undefined
  return createOriginPattern({ scheme: first.scheme, hosts, port: first.port ?? second.port })
}

function intersectHosts(first: HostPattern, second: HostPattern): HostPattern | undefined {
  if (areHostsWithin(first, second)) return first
  return areHostsWithin(second, first) ? second : undefined
}

function areHostsWithin(inner: HostPattern, outer: HostPattern): boolean {
  if (outer.kind === 'every') return true
  if (inner.kind === 'every') return false
  if (outer.kind === 'one') return inner.kind === 'one' && inner.host === outer.host
  // An address has no names below it, and no name below ends in one.
  const isBelow = inner.host.endsWith(`.${outer.host}`)
  return isBelow || (inner.kind === 'below' && inner.host === outer.host)
}
