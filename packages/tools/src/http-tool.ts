import type { ToolDefinition } from '@toolcrib/registry'
import type { HttpGuard } from '@toolcrib/policy/http'
import type { CookieJar } from 'tough-cookie'

/** How the http tool works. */
export interface HttpToolOptions {
  readonly guard: HttpGuard
  /** Where cookies are kept, by session. @default a jar for each principal, in memory */
  readonly cookieJar?: (session: string) => CookieJar | Promise<CookieJar>
  /** @default 30_000 */
  readonly timeoutMs?: number
  /** @default 2 */
  readonly retries?: number
}

export function createHttpTool(_options: HttpToolOptions): ToolDefinition {
  throw new Error('being built')
}
