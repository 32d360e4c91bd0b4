import type { GuardedRequest, GuardedResponse, HttpGuard } from './http-guard.ts'
import { policyError } from './error-catalogue.ts'
import { httpViolation } from './http-violation.ts'
import { defaultLimits } from './tool-policy.ts'

type FetchInput = Parameters<typeof fetch>[0]
type FetchInit = NonNullable<Parameters<typeof fetch>[1]>

/** Answers that a `Response` may not give a body. */
const bodylessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/** A `fetch` over a guard. */
export function guardedFetch(
  guard: HttpGuard,
  maxRequestBytes: number = defaultLimits.requestBytes,
): typeof fetch {
  return async (input: FetchInput, init: FetchInit = {}): Promise<Response> => {
    const given = input instanceof Request ? input : undefined
    const signal = init.signal ?? given?.signal ?? undefined
    signal?.throwIfAborted()
    const redirect = init.redirect ?? given?.redirect ?? 'follow'
    // The platform turns any kind of body into bytes and their type.
    const source = init.body == null ? given : new Response(init.body)
    const headers = readHeaders(init.headers ?? given?.headers)
    const contentType = source?.headers.get('content-type')
    const body = await readBody(source, maxRequestBytes, signal)
    const url = given?.url ?? (input instanceof URL ? input.href : (input as string))
    const request: GuardedRequest = {
      url,
      method: init.method ?? given?.method ?? 'GET',
      headers:
        contentType == null || headers['content-type'] !== undefined
          ? headers
          : { ...headers, 'content-type': contentType },
      followRedirects: redirect === 'follow',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    }
    const answer = await guard.request(request)
    if (redirect === 'error' && isRedirect(answer))
      throw httpViolation('http.redirect', `follow a redirect where redirect is "error"`)
    return toResponse(answer)
  }
}

function isRedirect({ status, headers }: GuardedResponse): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers['location'] !== undefined
}

function readHeaders(headers: FetchInit['headers']): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers).entries())
  } catch {
    // The platform's error repeats the value, so it is not handed on.
    throw httpViolation('http.header', 'send a header whose name or value is malformed')
  }
}

async function readBody(
  source: Request | Response | undefined,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Buffer | undefined> {
  if (source?.body == null) return undefined
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source.body as AsyncIterable<Uint8Array>) {
    signal?.throwIfAborted()
    bytes += chunk.byteLength
    if (bytes > maxBytes)
      throw httpViolation('http.size', `send more than ${maxBytes} bytes as a body`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function toResponse(answer: GuardedResponse): Response {
  const { status, statusText, url, redirects } = answer
  if (status < 200 || status > 599)
    throw policyError('HTTP_RESPONSE_INVALID', `url: the answer has the status ${status}.`)
  const headers = new Headers({ ...answer.headers })
  for (const cookie of answer.setCookies) headers.append('set-cookie', cookie)
  const body = bodylessStatuses.has(status) ? null : new Uint8Array(answer.body)
  const response = new Response(body, { status, statusText, headers })
  Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirects.length > 0 },
    type: { value: 'basic' },
  })
  return response
}
