import type { Answer } from './http-exchange.ts'
import type { GuardedResponse } from '../http-guard.ts'
import type { Hop } from './http-hop.ts'

/** An answer as callers get it. */
export function toGuardedResponse(
  { status, statusText, headers, body }: Answer,
  { url, times }: Hop,
  redirects: readonly string[],
): GuardedResponse {
  const isDecoded = body.length > 0 && headers['content-encoding'] !== undefined
  const kept = Object.entries(headers).filter(
    ([name]) =>
      name !== 'set-cookie' &&
      !(isDecoded && (name === 'content-encoding' || name === 'content-length')),
  )
  const since = (time: number | undefined): number | null =>
    time === undefined ? null : time - times.start
  return {
    status,
    statusText,
    headers: Object.fromEntries(
      kept.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
    ),
    setCookies: headers['set-cookie'] ?? [],
    body,
    url: url.href,
    redirects: [...redirects],
    timings: {
      dns: since(times.dns),
      connect: since(times.connect),
      tls: since(times.tls),
      firstByte: since(times.firstByte),
      total: performance.now() - times.start,
    },
  }
}
