import {
  type ItemOrder,
  calleeOrder,
  intersectItems,
  isCovered,
  nameOrder,
  originOrder,
  rangeOrder,
  readPathOrder,
  writePathOrder,
} from './allowed-items.ts'
import {
  type EffectiveFilePolicy,
  type EffectiveHttpPolicy,
  readEffectivePolicy,
} from './effective-policy.ts'
import { policyError } from '../error-catalogue.ts'
import {
  type FilePolicy,
  type HttpPolicy,
  type ToolPolicy,
  defaultLimits,
  httpMethods,
  maxListItems,
} from './tool-policy.ts'

/**
 * What two policies both allow: what lies in paths, origins, addresses and names of both, with the smaller limits.
 * Relative paths have nothing in common with absolute ones, since only a guard knows their base folder. What equals a
 * default is left out, lists are in order, so policies that allow the same come out the same.
 *
 * @throws {ToolError} POLICY_INVALID when either cannot be read.
 */
export function narrowPolicies(first: ToolPolicy, second: ToolPolicy): ToolPolicy {
  const left = readEffectivePolicy(first)
  const right = readEffectivePolicy(second)
  const names = intersectItems([left.secrets, right.secrets], nameOrder)
  const callees = intersectItems([left.callees, right.callees], calleeOrder)
  return withoutAbsent({
    fs_read: narrowFiles([left.fs_read, right.fs_read], readPathOrder),
    fs_write: narrowFiles([left.fs_write, right.fs_write], writePathOrder),
    http: narrowHttp(left.http, right.http),
    secrets: names.length === 0 ? undefined : { names },
    tools: callees.length === 0 ? undefined : { callees },
  })
}

/**
 * Whether everything that one policy allows is allowed by another.
 *
 * @throws {ToolError} POLICY_INVALID when either cannot be read.
 */
export function isPolicyWithin(inner: ToolPolicy, outer: ToolPolicy): boolean {
  const left = readEffectivePolicy(inner)
  const right = readEffectivePolicy(outer)
  return (
    areFilesWithin([left.fs_read, right.fs_read], readPathOrder) &&
    areFilesWithin([left.fs_write, right.fs_write], writePathOrder) &&
    isHttpWithin(left.http, right.http) &&
    left.secrets.every((name) => isCovered(name, right.secrets, nameOrder)) &&
    left.callees.every((callee) => isCovered(callee, right.callees, calleeOrder))
  )
}

type FilePair = readonly [EffectiveFilePolicy | undefined, EffectiveFilePolicy | undefined]

function narrowFiles([first, second]: FilePair, order: ItemOrder<string>): FilePolicy | undefined {
  if (first === undefined || second === undefined) return undefined
  const paths = intersectItems([first.paths, second.paths], order)
  if (paths.length === 0) return undefined
  const maxBytes = Math.min(first.maxBytes, second.maxBytes)
  return withoutAbsent({ paths, maxBytes: unlessDefault(maxBytes, defaultLimits.fileBytes) })
}

function narrowHttp(
  first: EffectiveHttpPolicy | undefined,
  second: EffectiveHttpPolicy | undefined,
): HttpPolicy | undefined {
  if (first === undefined || second === undefined) return undefined
  const origins = intersectItems([first.origins, second.origins], originOrder)
  // Ports of one and hosts of the other can multiply. Leaving some out would not be wrong, but nobody would know which.
  if (origins.length > maxListItems)
    throw policyError(
      'POLICY_INVALID',
      `http.origins: the two policies have ${origins.length} origins in common, and a policy may have ${maxListItems}. Name fewer hosts or fewer ports in one of them.`,
      { data: { field: 'http.origins', count: origins.length } },
    )
  const methods = first.methods.filter((method) => second.methods.includes(method))
  if (origins.length === 0 || methods.length === 0) return undefined
  const ranges = intersectItems([first.privateAddresses, second.privateAddresses], rangeOrder)
  const smaller = (limit: 'maxRequestBytes' | 'maxResponseBytes' | 'maxRedirects'): number =>
    Math.min(first[limit], second[limit])
  return withoutAbsent({
    origins: origins.map(({ text }) => text),
    methods: methods.length === httpMethods.length ? undefined : methods,
    privateAddresses: ranges.length === 0 ? undefined : ranges.map(({ text }) => text),
    maxRequestBytes: unlessDefault(smaller('maxRequestBytes'), defaultLimits.requestBytes),
    maxResponseBytes: unlessDefault(smaller('maxResponseBytes'), defaultLimits.responseBytes),
    maxRedirects: unlessDefault(smaller('maxRedirects'), defaultLimits.redirects),
  })
}

function areFilesWithin([inner, outer]: FilePair, order: ItemOrder<string>): boolean {
  if (inner === undefined) return true
  if (outer === undefined || inner.maxBytes > outer.maxBytes) return false
  return inner.paths.every((path) => isCovered(path, outer.paths, order))
}

function isHttpWithin(
  inner: EffectiveHttpPolicy | undefined,
  outer: EffectiveHttpPolicy | undefined,
): boolean {
  if (inner === undefined) return true
  return (
    outer !== undefined &&
    inner.maxRequestBytes <= outer.maxRequestBytes &&
    inner.maxResponseBytes <= outer.maxResponseBytes &&
    inner.maxRedirects <= outer.maxRedirects &&
    inner.methods.every((method) => outer.methods.includes(method)) &&
    inner.origins.every((origin) => isCovered(origin, outer.origins, originOrder)) &&
    inner.privateAddresses.every((range) => isCovered(range, outer.privateAddresses, rangeOrder))
  )
}

function unlessDefault(limit: number, usual: number): number | undefined {
  return limit === usual ? undefined : limit
}

/** Leaves out what is `undefined`, so that the policy can be hashed and compared as JSON. */
function withoutAbsent<Value extends object>(value: Value): Value {
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => entry !== undefined),
  ) as Value
}
