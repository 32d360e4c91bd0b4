import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import type { CookieStore } from '@toolcrib/policy/http'
import { CookieJar, MemoryCookieStore, getPublicSuffix } from 'tough-cookie'

/** How much a cookie jar keeps. */
export interface CookieJarOptions {
  /** Of one site with all its subdomains; the one that was used least recently goes first. @default 50 */
  readonly maxCookiesPerSite?: number
  /** In all. @default 1_000 */
  readonly maxCookies?: number
  /** A larger `set-cookie` line is passed over, in bytes. @default 4_096 */
  readonly maxCookieBytes?: number
}

/** A cookie jar that no server can fill without end. */
export interface BoundedCookieJar extends CookieStore {
  /** tough-cookie's jar, to look into. What is put there directly is bounded with the next cookie that a server sets. */
  readonly jar: CookieJar
}

/** The names of all options. */
export const cookieJarOptionNames: KnownOptions<CookieJarOptions> = {
  maxCookiesPerSite: true,
  maxCookies: true,
  maxCookieBytes: true,
}

/** Makes an empty cookie jar in memory. Cookies for public suffixes, such as `Domain=co.uk`, are refused. */
export function createCookieJar(options: CookieJarOptions = {}): BoundedCookieJar {
  assertOptions<CookieJarOptions>('createCookieJar', options, cookieJarOptionNames)
  const { maxCookiesPerSite = 50, maxCookies = 1_000, maxCookieBytes = 4_096 } = options
  const store = new MemoryCookieStore()
  const jar = new CookieJar(store)
  return {
    jar,
    getCookieString: async (url) => jar.getCookieString(url),
    setCookie: async (cookie, url) => {
      if (Buffer.byteLength(cookie) > maxCookieBytes) return
      const kept = await jar.setCookie(cookie, url, { ignoreError: true })
      if (kept === undefined) return
      const site = siteOf(kept.domain)
      await evict(store, maxCookiesPerSite, (domain) => siteOf(domain) === site)
      await evict(store, maxCookies, () => true)
    },
  }
}

async function evict(
  store: MemoryCookieStore,
  limit: number,
  concerns: (domain: string | null | undefined) => boolean,
): Promise<void> {
  const cookies = (await store.getAllCookies()).filter(({ domain }) => concerns(domain))
  if (cookies.length <= limit) return
  const oldestFirst = cookies.toSorted(
    (a, b) => usedAt(a) - usedAt(b) || a.creationIndex - b.creationIndex,
  )
  for (const { domain, path, key } of oldestFirst.slice(0, cookies.length - limit))
    if (typeof domain === 'string' && typeof path === 'string')
      await store.removeCookie(domain, path, key)
}

function usedAt({ lastAccessed }: { readonly lastAccessed: unknown }): number {
  return lastAccessed instanceof Date ? lastAccessed.getTime() : 0
}

function siteOf(domain: string | null | undefined): string {
  if (domain === null || domain === undefined) return ''
  return getPublicSuffix(domain, { ignoreError: true, allowSpecialUseDomain: true }) ?? domain
}
