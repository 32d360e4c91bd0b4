import {
  type Callee,
  type ItemOrder,
  calleeOrder,
  nameOrder,
  originOrder,
  rangeOrder,
  readPathOrder,
  reduceItems,
  writePathOrder,
} from './allowed-items.ts'
import { type OriginPattern, parseOriginPattern } from './origin-pattern.ts'
import { normalisePath } from './policy-path.ts'
import { type AddressRange, readAddressRange } from '../addresses/private-range.ts'
import { readToolPolicy } from './read-tool-policy.ts'
import {
  type FilePolicy,
  type HttpMethod,
  type HttpPolicy,
  type ToolPolicy,
  defaultLimits,
  httpMethods,
} from './tool-policy.ts'

/** A {@link FilePolicy} with what it leaves unsaid. */
export interface EffectiveFilePolicy {
  readonly paths: readonly string[]
  readonly maxBytes: number
}

/** An {@link HttpPolicy} with what it leaves unsaid. */
export interface EffectiveHttpPolicy {
  readonly origins: readonly OriginPattern[]
  readonly methods: readonly HttpMethod[]
  readonly privateAddresses: readonly AddressRange[]
  readonly maxRequestBytes: number
  readonly maxResponseBytes: number
  readonly maxRedirects: number
}

/** A {@link ToolPolicy}, read, with what it leaves unsaid, and without items that others make needless. */
export interface EffectivePolicy {
  readonly fs_read: EffectiveFilePolicy | undefined
  readonly fs_write: EffectiveFilePolicy | undefined
  readonly http: EffectiveHttpPolicy | undefined
  readonly secrets: readonly string[]
  readonly callees: readonly Callee[]
}

/** @throws {ToolError} POLICY_INVALID */
export function readEffectivePolicy(policy: ToolPolicy): EffectivePolicy {
  const { fs_read, fs_write, http, secrets, tools } = readToolPolicy(policy)
  return {
    fs_read: fs_read && readFiles(fs_read, readPathOrder),
    fs_write: fs_write && readFiles(fs_write, writePathOrder),
    http: http && readHttp(http),
    secrets: reduceItems(secrets?.names ?? [], nameOrder),
    callees: reduceItems(tools?.callees ?? [], calleeOrder),
  }
}

function readFiles(
  { paths, maxBytes = defaultLimits.fileBytes }: FilePolicy,
  order: ItemOrder<string>,
): EffectiveFilePolicy {
  return { paths: reduceItems(paths.map(normalisePath), order), maxBytes }
}

function readHttp(policy: HttpPolicy): EffectiveHttpPolicy {
  const { origins, methods = httpMethods, privateAddresses = [] } = policy
  const ranges = privateAddresses.map(readAddressRange).filter((range) => typeof range !== 'string')
  return {
    origins: reduceItems(
      origins.map((origin) => parseOriginPattern(origin)),
      originOrder,
    ),
    methods: httpMethods.filter((method) => methods.includes(method)),
    privateAddresses: reduceItems(ranges, rangeOrder),
    maxRequestBytes: policy.maxRequestBytes ?? defaultLimits.requestBytes,
    maxResponseBytes: policy.maxResponseBytes ?? defaultLimits.responseBytes,
    maxRedirects: policy.maxRedirects ?? defaultLimits.redirects,
  }
}
