import type { LookupAddress } from 'node:dns'
import { createAddressJudge } from '../addresses/address-allowance.ts'
import { createDeniedServices } from '../addresses/denied-services.ts'
import { readEffectivePolicy } from '../policies/effective-policy.ts'
import { policyError } from '../error-catalogue.ts'
import { createHttpConnections } from './exchange/http-connection.ts'
import { type Answer, type AnswerHead, createExchange } from './exchange/http-exchange.ts'
import { isTransientFailure } from './http-failure.ts'
import type { GuardedRequest, GuardedResponse, HttpGuard, HttpGuardOptions } from './http-guard.ts'
import type { HttpGuardParts } from './http-guard-parts.ts'
import {
  type HeaderRecord,
  checkFilledHeaders,
  checkRequestHeaders,
} from './exchange/http-headers.ts'
import { type Hop, type HopRules, openHop } from './exchange/http-hop.ts'
import { type OutgoingRequest, followRedirect, readRedirect } from './exchange/http-redirect.ts'
import {
  type RequestLimits,
  readHeaderFields,
  readMethod,
  readRequestBody,
  readRequestLimits,
} from './http-request-options.ts'
import { toGuardedResponse } from './exchange/http-response.ts'
import { retryDelay } from './exchange/http-retry.ts'
import { hideSecrets, refusePlaceholder, refuseSecretInRedirect } from './http-secrets.ts'
import { createTurns } from './http-turns.ts'
import { readRequestUrl } from './http-url.ts'
import { httpViolation, showUrl, showUrlText } from './http-violation.ts'
import { acceptedEncodings } from './exchange/http-body.ts'

/** A guard of given parts: the loop of hops and retries, each of them checked. Not exported, since parts could weaken it. */
export function openGuardedRequests(options: HttpGuardOptions, parts: HttpGuardParts): HttpGuard {
  const { secrets, userAgent = 'toolcrib', maxConcurrentRequests = 128 } = options
  const policy = readEffectivePolicy({ http: options.policy }).http
  if (policy === undefined) throw policyError('POLICY_INVALID', 'policy: it is missing.')
  const lookup = async (hostname: string): Promise<readonly LookupAddress[]> =>
    await (options.lookup ?? parts.lookup)(hostname)
  const denied = createDeniedServices(options.denied ?? [], { ...parts, lookup })
  const rules: HopRules = {
    origins: policy.origins,
    explainAddress: createAddressJudge(policy.privateAddresses),
    denied,
    lookup,
  }
  const connections = createHttpConnections(parts.openSocket, options.certificateAuthorities ?? [])
  const exchange = createExchange(connections, createTurns(maxConcurrentRequests))
  const hasPlaceholder = (text: string): boolean => secrets?.hasPlaceholder(text) ?? false

  assertUserAgent(userAgent)
  assertConcurrency(maxConcurrentRequests)

  const readRequest = (request: GuardedRequest): OutgoingRequest => {
    const { url: urlText, method: methodText = 'GET' } = request
    const headers = readHeaderFields(request.headers)
    if (secrets !== undefined) {
      refusePlaceholder(secrets, urlText, 'the URL')
      refusePlaceholder(secrets, methodText, 'the method')
      for (const name of Object.keys(headers))
        refusePlaceholder(secrets, name, 'the name of a header')
    }
    const url = readRequestUrl(urlText)
    const method = readMethod(methodText, policy.methods)
    const checked = checkRequestHeaders(headers)
    const body = readRequestBody(request.body, { method, maxBytes: policy.maxRequestBytes })
    if (secrets !== undefined && body !== undefined)
      refusePlaceholder(secrets, body.toString('latin1'), 'the body')
    return { url, method, headers: checked, body }
  }

  /** Secrets first, cookies after: a server may choose what its cookies hold, and must not have secrets filled in there. */
  const fillHeaders = async (
    { url, method, headers }: OutgoingRequest,
    { cookies }: GuardedRequest,
  ): Promise<HeaderRecord> => {
    const usual = { 'user-agent': userAgent, 'accept-encoding': acceptedEncodings }
    if (secrets === undefined && cookies === undefined) return { ...usual, ...headers }
    const filled = secrets?.fillHeaders(headers, { url, method }).headers ?? headers
    const jar = await cookies?.getCookieString(url.href)
    const cookie = [filled['cookie'], jar].filter(Boolean).join('; ')
    return checkFilledHeaders({ ...usual, ...filled, ...(cookie === '' ? {} : { cookie }) })
  }

  const send = async (
    request: GuardedRequest,
    limits: RequestLimits,
    signal: AbortSignal,
  ): Promise<GuardedResponse> => {
    const endsAt = parts.now() + limits.timeoutMs
    const { followRedirects = true, cookies } = request
    const redirects: string[] = []
    let retried = 0
    let outgoing = readRequest(request)
    for (;;) {
      await denied.refresh()
      signal.throwIfAborted()
      const hop = openHop(outgoing.url, outgoing.method, { rules, signal })
      const delayFor = (head?: AnswerHead): number | undefined =>
        retried >= limits.retries
          ? undefined
          : retryDelay({
              method: hop.method,
              retried,
              status: head?.status,
              retryAfter: head?.headers['retry-after'],
              remainingMs: endsAt - parts.now(),
              now: parts.date(),
            })
      const isFollowed = ({ status, headers }: AnswerHead): boolean =>
        followRedirects && readRedirect(status, headers.location) !== undefined
      const headers = await fillHeaders(outgoing, request)
      let delay: number | undefined
      let answer: Answer | undefined
      try {
        answer = await exchange({
          hop,
          headers,
          body: outgoing.body,
          maxResponseBytes: policy.maxResponseBytes,
          wantsBody(head) {
            delay = delayFor(head)
            return delay === undefined && !isFollowed(head)
          },
        })
        await storeCookies(answer, hop, cookies)
      } catch (error) {
        delay = isTransientFailure(error as Error) ? delayFor() : undefined
        if (delay === undefined) throw error
      }
      if (answer === undefined || delay !== undefined) {
        await parts.wait(delay ?? 0, signal)
        retried += 1
        continue
      }
      if (!isFollowed(answer)) return toGuardedResponse(answer, hop, redirects)
      const redirect = readRedirect(answer.status, answer.headers.location)
      if (redirect === undefined) return toGuardedResponse(answer, hop, redirects)
      redirects.push(outgoing.url.href)
      if (redirects.length > limits.maxRedirects)
        throw httpViolation(
          'http.redirect',
          `follow more than ${limits.maxRedirects} redirects from ${showUrl(hop.url)}`,
        )
      if (secrets !== undefined) {
        refusePlaceholder(secrets, redirect.location, 'a URL')
        refuseSecretInRedirect(secrets, redirect.location)
      }
      outgoing = followRedirect(outgoing, redirect, hasPlaceholder)
      readMethod(outgoing.method, policy.methods)
    }
  }

  return {
    async request(request): Promise<GuardedResponse> {
      request.signal?.throwIfAborted()
      const limits = readRequestLimits(request, policy.maxRedirects)
      const { timeoutMs } = limits
      const controller = new AbortController()
      const { signal } = controller
      const stop = (): void => controller.abort(request.signal?.reason)
      request.signal?.addEventListener('abort', stop, { once: true })
      const timer = setTimeout(() => {
        controller.abort(
          policyError(
            'HTTP_TIMEOUT',
            `url: ${showUrlText(request.url)} was not answered within ${timeoutMs} ms, redirects and retries included. Allow more in timeoutMs.`,
          ),
        )
      }, timeoutMs)
      // A lookup or a cookie store that never answers is not waited for.
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      })
      try {
        const answer = await Promise.race([send(request, limits, signal), aborted])
        return secrets === undefined ? answer : hideSecrets(secrets, answer)
      } finally {
        clearTimeout(timer)
        request.signal?.removeEventListener('abort', stop)
      }
    },
    close: () => connections.close(),
  }
}

/** Each may cost a write to disk. */
const maxCookiesPerAnswer = 100

async function storeCookies(
  answer: Answer,
  { url }: Hop,
  cookies: GuardedRequest['cookies'],
): Promise<void> {
  if (cookies === undefined) return
  const setCookies = answer.headers['set-cookie'] ?? []
  for (const cookie of setCookies.slice(0, maxCookiesPerAnswer))
    // A jar refuses cookies for other hosts and malformed ones; that is no failure of the request.
    await cookies.setCookie(cookie, url.href).catch(() => {})
}

function assertConcurrency(count: number): void {
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw policyError(
      'POLICY_INVALID',
      `maxConcurrentRequests: ${String(count)} is no whole number from 1 to 10000.`,
    )
}

function assertUserAgent(userAgent: string): void {
  if (!/^[\u0020-\u007e]{1,256}$/.test(userAgent))
    throw policyError(
      'POLICY_INVALID',
      'userAgent: it must be plain text of at most 256 characters.',
    )
}
