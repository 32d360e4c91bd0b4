import { headersForOtherOrigin, headersWithoutBody, type HeaderRecord } from './http-headers.ts'
import { readRedirectUrl } from '../http-url.ts'
import { httpViolation, showUrl } from '../http-violation.ts'

/** What a hop sends, before secrets and cookies stand in it. */
export interface OutgoingRequest {
  readonly url: URL
  readonly method: string
  readonly headers: HeaderRecord
  readonly body: Buffer | undefined
}

/** An answer that asks to go elsewhere. */
export interface RedirectAnswer {
  readonly status: number
  readonly location: string
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Where an answer redirects to; `undefined` for answers that do not. */
export function readRedirect(
  status: number,
  location: string | undefined,
): RedirectAnswer | undefined {
  if (!redirectStatuses.has(status) || location === undefined) return undefined
  // Node gives header bytes as Latin-1; what is not ASCII is meant as UTF-8.
  return { status, location: Buffer.from(location, 'latin1').toString('utf8') }
}

/**
 * The request that a redirect asks for. A write is sent again only for 307 and 308, and its body only to the same
 * origin; credentials, secrets and headers of unknown meaning never go to another origin.
 *
 * @throws {ToolPolicyViolation} http.url, http.userinfo, http.origin or http.redirect
 */
export function followRedirect(
  request: OutgoingRequest,
  { status, location }: RedirectAnswer,
  hasPlaceholder: (text: string) => boolean,
): OutgoingRequest {
  const url = readRedirectUrl(location, request.url)
  const isSameOrigin = url.origin === request.url.origin
  const keepsMethod =
    status === 307 || status === 308 || request.method === 'GET' || request.method === 'HEAD'
  if (keepsMethod && request.body !== undefined && !isSameOrigin)
    throw httpViolation(
      'http.redirect',
      `send the body of ${request.method} ${showUrl(request.url)} on to ${showUrl(url)}`,
    )
  const kept = keepsMethod ? request.headers : headersWithoutBody(request.headers)
  return {
    url,
    method: keepsMethod ? request.method : 'GET',
    headers: isSameOrigin ? kept : headersForOtherOrigin(kept, hasPlaceholder),
    body: keepsMethod ? request.body : undefined,
  }
}
