import type { GuardedRequest, GuardedResponse, HttpGuard } from './http-guard.ts'
import { policyError } from '../error-catalogue.ts'
import { httpViolation } from './http-violation.ts'
import { defaultLimits } from '../policies/tool-policy.ts'

type FetchInput = Parameters<typeof fetch>[0]
type FetchInit = NonNullable<Parameters<typeof fetch>[1]>

/** Answers that a `Response` may not give a body. */
const bodylessStatuses: ReadonlySet<number> = new Set([204, 205, 304])

/** What a `fetch` waits for and takes before the guard is asked. */
interface FetchLimits {
  /** @default what a policy allows that says nothing of it */
  readonly maxRequestBytes?: number | undefined
  /** How long a body may take to arrive, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number
}

/** A `fetch` over a guard. */
export function guardedFetch(guard: HttpGuard, limits: FetchLimits = {}): typeof fetch {
  return async (input: FetchInput, init: FetchInit = {}): Promise<Response> => {
    const given = input instanceof Request ? input : undefined
    const signal = init.signal ?? given?.signal ?? undefined
    signal?.throwIfAborted()
    assertNoIntegrity(init.integrity ?? given?.integrity)
    const redirect = init.redirect ?? given?.redirect ?? 'follow'
    // The platform turns any kind of body into bytes and their type.
    const source = init.body == null ? given : new Response(init.body)
    const headers = readHeaders(init.headers ?? given?.headers)
    const contentType = source?.headers.get('content-type')
    const body = await readBody(source, limits, signal)
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

/** A caller who asks for it relies on it; bodies are not compared with digests here. */
function assertNoIntegrity(integrity: string | undefined): void {
  if (integrity !== undefined && integrity !== '')
    throw policyError(
      'HTTP_REQUEST_INVALID',
      'integrity: it is not supported. Leave it out and compare the body yourself.',
    )
}

async function readBody(
  source: Request | Response | undefined,
  { maxRequestBytes = defaultLimits.requestBytes, timeoutMs = 30_000 }: FetchLimits,
  given: AbortSignal | undefined,
): Promise<Buffer | undefined> {
  if (source?.body == null) return undefined
  const controller = new AbortController()
  const signal = AbortSignal.any([controller.signal, ...(given === undefined ? [] : [given])])
  const timer = setTimeout(() => {
    const message = `body: it was not there within ${timeoutMs} ms. Give one that ends.`
    controller.abort(policyError('HTTP_TIMEOUT', message))
  }, timeoutMs)
  const reader = (source.body as ReadableStream<Uint8Array>).getReader()
  // A pending read ends with the stream.
  const stop = (): void => void reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return Buffer.concat(chunks)
      bytes += value.byteLength
      if (bytes > maxRequestBytes)
        throw httpViolation('http.size', `send more than ${maxRequestBytes} bytes as a body`)
      chunks.push(value)
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    // Whoever writes the body learns that no more is read.
    void reader.cancel().catch(() => {})
  }
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
