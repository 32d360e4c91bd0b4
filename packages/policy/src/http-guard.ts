import type { LookupAddress } from 'node:dns'
import type { HttpPolicy } from './tool-policy.ts'
import type { SecretFiller } from './secret-vault.ts'

/** A place that tools may never reach, whatever their policy says: the host's own console, API, database. */
export interface DeniedService {
  /** A name or an address; `localhost` and loopback addresses stand for every address of this machine. */
  readonly host: string
  /** @default every port */
  readonly port?: number
  /** Only below this path, such as `/api` and `/rest` of an n8n server whose `/webhook` stays reachable. @default everything */
  readonly path?: string
}

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
  readonly userAgent?: string
}

/** The part of tough-cookie's jar that is used. */
export interface CookieStore {
  getCookieString(url: string): Promise<string>
  setCookie(cookie: string, url: string): Promise<unknown>
}

export interface GuardedRequest {
  readonly url: string
  /** @default 'GET' */
  readonly method?: string
  /** May hold placeholders of secrets. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** @default true */
  readonly followRedirects?: boolean
  /** @default the policy's, else 10 */
  readonly maxRedirects?: number
  /** For the whole request with its redirects and retries, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number
  /** Retries of GET, HEAD, PUT and DELETE after 408, 413, 429, 500, 502, 503, 504 and network errors; Retry-After is kept. @default 2 */
  readonly retries?: number
  readonly cookies?: CookieStore
  readonly signal?: AbortSignal
}

export interface GuardedResponse {
  readonly status: number
  readonly statusText: string
  /** Names in lower case; several values are joined with `, ` except those of `set-cookie`, which stand in `cookies`. */
  readonly headers: Readonly<Record<string, string>>
  readonly setCookies: readonly string[]
  /** Decompressed. */
  readonly body: Uint8Array
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** The URLs that redirected, in order. */
  readonly redirects: readonly string[]
  /** Milliseconds since the start of the last hop's request. */
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
  /** Closes idle connections. */
  close(): void
}

/** @throws {ToolError} POLICY_INVALID when a pattern or an address of the policy cannot be read. */
export function createHttpGuard(_options: HttpGuardOptions): HttpGuard {
  throw new Error('being built')
}

/** The guard as a `fetch`, for code that expects one. Violations reject it. */
export function createGuardedFetch(_options: HttpGuardOptions): typeof fetch {
  throw new Error('being built')
}
