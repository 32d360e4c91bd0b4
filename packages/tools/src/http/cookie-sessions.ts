import type { CookieStore } from '@toolcrib/policy/http'
import { type ToolContext, localPrincipal, principalKey, assertOptions } from '@toolcrib/registry'
import { cookieJarOptionNames, type CookieJarOptions, createCookieJar } from './cookie-jar.ts'

/** How many jars are kept, and how much is kept in each. */
export interface SessionCookieJarsOptions extends CookieJarOptions {
  /** The one that was used least recently goes first. @default 1_000 */
  readonly maxSessions?: number
}

/**
 * The session whose cookies a call uses. Cookies are credentials: two principals never share a session, also where they
 * bring the same session id; and what came through made tools shares one only with what came through the same ones, so that
 * none borrows what another has logged in to.
 */
export function cookieSession(context: ToolContext | undefined): string {
  const {
    callerNames = [],
    callerPolicy,
    principal = localPrincipal,
    sessionId,
  }: Partial<ToolContext> = context ?? {}
  const owner = principalKey(principal)
  if (callerPolicy !== undefined)
    return JSON.stringify([owner, sessionId ?? null, 'through', ...callerNames])
  return sessionId === undefined ? owner : JSON.stringify([owner, sessionId])
}

/** Keeps a jar in memory for each session. */
export function createSessionCookieJars(
  options: SessionCookieJarsOptions = {},
): (session: string) => CookieStore {
  assertOptions<SessionCookieJarsOptions>('createSessionCookieJars', options, {
    ...cookieJarOptionNames,
    maxSessions: true,
  })
  const { maxSessions = 1_000, ...jarOptions } = options
  const jars = new Map<string, CookieStore>()
  return (session) => {
    const jar = jars.get(session) ?? createCookieJar(jarOptions)
    // A map keeps the order of insertion, so the first is the one that was used least recently.
    jars.delete(session)
    jars.set(session, jar)
    const [oldest] = jars.keys()
    if (jars.size > maxSessions && oldest !== undefined) jars.delete(oldest)
    return jar
  }
}
