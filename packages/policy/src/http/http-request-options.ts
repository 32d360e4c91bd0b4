import { policyError } from '../error-catalogue.ts'
import { httpViolation } from './http-violation.ts'
import type { GuardedRequest } from './http-guard.ts'
import { type HttpMethod, httpMethods } from '../policies/tool-policy.ts'

const defaultTimeoutMs = 30_000
const defaultRetries = 2
const longestTimeoutMs = 2_147_483_647

/** The limits of one request. */
export interface RequestLimits {
  readonly timeoutMs: number
  readonly retries: number
  readonly maxRedirects: number
}

/**
 * @param policyRedirects what the policy allows; a request may ask for less, not for more
 * @throws {ToolError} HTTP_REQUEST_INVALID naming the field
 */
export function readRequestLimits(request: GuardedRequest, policyRedirects: number): RequestLimits {
  const { timeoutMs = defaultTimeoutMs, retries = defaultRetries } = request
  const { maxRedirects = policyRedirects } = request
  assertWhole('timeoutMs', timeoutMs, [1, longestTimeoutMs])
  assertWhole('retries', retries, [0, 10])
  assertWhole('maxRedirects', maxRedirects, [0, 50])
  return { timeoutMs, retries, maxRedirects: Math.min(maxRedirects, policyRedirects) }
}

/** @throws {ToolError} HTTP_REQUEST_INVALID when headers are no object */
export function readHeaderFields(headers: unknown = {}): Readonly<Record<string, unknown>> {
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers)
    throw policyError(
      'HTTP_REQUEST_INVALID',
      'headers: they must be an object with names and texts, such as { accept: "text/plain" }.',
    )
  return headers as Readonly<Record<string, unknown>>
}

function assertWhole(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw policyError(
      'HTTP_REQUEST_INVALID',
      `${name}: ${String(value)} is no whole number from ${least} to ${most}.`,
    )
}

/** @throws {ToolPolicyViolation} http.method */
export function readMethod(method: unknown, allowed: readonly HttpMethod[]): HttpMethod {
  if (typeof method !== 'string')
    throw httpViolation('http.method', `send a request with a method that is no text`)
  const name = method.toUpperCase()
  const known = httpMethods.find((candidate) => candidate === name)
  if (known === undefined || !allowed.includes(known))
    throw httpViolation('http.method', `send a ${JSON.stringify(method.slice(0, 40))} request`)
  return known
}

/**
 * The bytes of a body; nothing for an empty one.
 *
 * @throws {ToolPolicyViolation} http.size
 * @throws {ToolError} HTTP_REQUEST_INVALID
 */
export function readRequestBody(
  body: unknown,
  { method, maxBytes }: { readonly method: HttpMethod; readonly maxBytes: number },
): Buffer | undefined {
  if (body === undefined) return undefined
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw policyError('HTTP_REQUEST_INVALID', 'body: it must be a text or a Uint8Array.')
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  if (length > maxBytes)
    throw httpViolation('http.size', `send ${length} bytes where ${maxBytes} are allowed`)
  if (length === 0) return undefined
  if (method === 'GET' || method === 'HEAD')
    throw policyError(
      'HTTP_REQUEST_INVALID',
      `body: a ${method} request has none. Use POST, PUT or PATCH.`,
    )
  // A copy, so that nobody changes it between the hops.
  return Buffer.from(body as Uint8Array)
}
