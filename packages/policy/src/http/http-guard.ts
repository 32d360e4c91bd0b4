import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import type { LookupAddress } from 'node:dns'
import type { DeniedService } from '../addresses/denied-services.ts'
import { machineParts } from './http-guard-parts.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { openGuardedRequests } from './guarded-requests.ts'
import type { SecretFiller } from '../secrets/secret-vault.ts'
import type { HttpPolicy } from '../policies/tool-policy.ts'

export type { DeniedService } from '../addresses/denied-services.ts'

/** Gives every address of a name, as `dns.lookup` with `all: true` does. */
export type AddressLookup = (hostname: string) => Promise<readonly LookupAddress[]>

export interface HttpGuardOptions {
  readonly policy: HttpPolicy
  readonly denied?: readonly DeniedService[]
  readonly secrets?: SecretFiller
  /** @default dns.lookup of every address */
  readonly lookup?: AddressLookup
  /** Further certificate authorities, in PEM. @default Node's */
  readonly certificateAuthorities?: readonly string[]
  /** @default 'toolcrib' */
  readonly userAgent?: string
  /** Others wait, within their time. @default 128 */
  readonly maxConcurrentRequests?: number
}

/** The part of tough-cookie's jar that is used. */
export interface CookieStore {
  getCookieString(url: string): Promise<string>
  setCookie(cookie: string, url: string): Promise<unknown>
}

export interface GuardedRequest {
  /** At most 16,384 characters. */
  readonly url: string
  /** @default 'GET' */
  readonly method?: string
  /** May hold placeholders of secrets; at most 100 headers and 32,768 bytes. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** @default true */
  readonly followRedirects?: boolean
  /** At most the policy's, which also counts where this is absent. */
  readonly maxRedirects?: number
  /** For the whole request with its redirects and retries, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number
  /**
   * Retries of GET, HEAD, PUT and DELETE after 408, 429, 500, 502, 503, 504, after 413 with Retry-After, and after network
   * errors. Retry-After is kept; a wait that would outlast `timeoutMs` is not begun. @default 2
   */
  readonly retries?: number
  /** Of one answer the first 100 are stored. */
  readonly cookies?: CookieStore
  readonly signal?: AbortSignal
}

export interface GuardedResponse {
  readonly status: number
  readonly statusText: string
  /**
   * Names in lower case; several values are joined with `, ` except those of `set-cookie`, which stand in `setCookies`. Of
   * an answer that was decompressed, `content-encoding` and `content-length` are left out.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  /** Decompressed. */
  readonly body: Uint8Array
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** The URLs that redirected, in order. */
  readonly redirects: readonly string[]
  /** Milliseconds since the start of the last hop's request; `null` for what a kept connection had done before. */
  readonly timings: Readonly<
    Record<'dns' | 'connect' | 'tls' | 'firstByte' | 'total', number | null>
  >
}

/** HTTP, seen through a policy. */
export interface HttpGuard {
  /**
   * Sends a request if the policy allows it; every hop of a redirect is checked anew.
   *
   * @throws {ToolPolicyViolation} for what the policy forbids; nothing was sent to the place that is forbidden.
   * @throws {ToolError} a code of `policyErrorCatalogue`, such as HTTP_UNKNOWN_HOST, HTTP_TLS_FAILED, HTTP_TIMEOUT.
   */
  request(request: GuardedRequest): Promise<GuardedResponse>
  /** Closes the connections; requests under way fail with HTTP_CONNECTION_FAILED. */
  close(): void
}

const httpGuardOptionNames: KnownOptions<HttpGuardOptions> = {
  policy: {
    origins: true,
    methods: true,
    privateAddresses: true,
    maxRequestBytes: true,
    maxResponseBytes: true,
    maxRedirects: true,
  },
  denied: { host: true, port: true, path: true },
  secrets: true,
  lookup: true,
  certificateAuthorities: true,
  userAgent: true,
  maxConcurrentRequests: true,
}

/** @throws {ToolError} POLICY_INVALID when a pattern or an address of the policy cannot be read. */
export function createHttpGuard(options: HttpGuardOptions): HttpGuard {
  assertOptions<HttpGuardOptions>('createHttpGuard', options, httpGuardOptionNames)
  return openGuardedRequests(options, machineParts)
}

/**
 * The guard as a `fetch`, for code that expects one. Violations reject it. Bodies are read whole on both sides; the limits of
 * the policy and a timeout of 30 seconds hold; `redirect: 'manual'` gives the redirect itself.
 *
 * @throws {ToolError} POLICY_INVALID when a pattern or an address of the policy cannot be read.
 */
export function createGuardedFetch(options: HttpGuardOptions): typeof fetch {
  return guardedFetch(createHttpGuard(options), { maxRequestBytes: options.policy.maxRequestBytes })
}
