import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { Agent as HttpAgent, request as plainRequest, type ClientRequest } from 'node:http'
import { Agent as HttpsAgent, request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Got } from 'got'
import { n8nError } from './error-catalogue.ts'
import { explainSendFailure } from './send-failure.ts'
import { assertWholeNumber, assertKnownFields } from './option-check.ts'
import type { N8nHttpRequest, N8nHttpResponse, N8nTransport } from './transport.ts'

/** How {@link createGotTransport} uses connections. */
export interface GotTransportOptions {
  /** Connections at once; more requests wait. 1 to 1,024. @default 64 */
  readonly maxSockets?: number
  /**
   * How long an idle connection is kept, in milliseconds, 0 to 60,000. n8n closes them after 5 s; a request that meets the
   * closing may be lost. @default 3_000
   */
  readonly keepAliveMs?: number
}

/** A transport with its own connections. */
export interface GotTransport extends N8nTransport {
  /** Ends idle connections; the transport can still be used. */
  close(): void
}

/** The largest head of an answer, in bytes. */
const maxHeaderSize = 32_768

const gotTransportOptionNames: KnownOptions<GotTransportOptions> = {
  maxSockets: true,
  keepAliveMs: true,
}

/**
 * Sends requests with got over connections of its own: nothing of the environment (proxies, global agents) has a say.
 *
 * @throws {ToolError} N8N_OPTION_INVALID
 */
export function createGotTransport(options: GotTransportOptions = {}): GotTransport {
  assertOptions<GotTransportOptions>('createGotTransport', options, gotTransportOptionNames)
  assertKnownFields('options', options, ['maxSockets', 'keepAliveMs'])
  const { maxSockets = 64, keepAliveMs = 3_000 } = options
  assertWholeNumber('maxSockets', maxSockets, { from: 1, to: 1_024 })
  assertWholeNumber('keepAliveMs', keepAliveMs, { from: 0, to: 60_000, unit: ' (milliseconds)' })
  const pool = {
    keepAlive: keepAliveMs > 0,
    timeout: Math.max(1, keepAliveMs),
    maxSockets,
    maxFreeSockets: 8,
  }
  const agents = { http: new HttpAgent(pool), https: new HttpsAgent(pool) }
  let plainGot: Promise<Got> | undefined
  return {
    send: async (request) => {
      request.signal?.throwIfAborted()
      plainGot ??= loadPlainGot(agents)
      const got = await plainGot
      // Nobody was listening while it was loaded.
      request.signal?.throwIfAborted()
      return await exchange(got, request)
    },
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** Loaded with the first request: it is large, and many programs that make a client send none. */
async function loadPlainGot(agents: { http: HttpAgent; https: HttpsAgent }): Promise<Got> {
  const { default: got } = await import('got')
  // Everything that got would do by itself is off: what may be repeated or followed is decided above.
  return got.extend({
    agent: agents,
    followRedirect: false,
    throwHttpErrors: false,
    http2: false,
    retry: { limit: 0 },
    maxHeaderSize,
    headers: { 'user-agent': undefined },
  })
}

async function exchange(got: Got, wanted: N8nHttpRequest): Promise<N8nHttpResponse> {
  const { method, url, headers, body, timeoutMs, maxResponseBytes, signal } = wanted
  const state = { isSent: false, isComplete: false }
  const stream = got.stream(url, {
    method: method as 'GET',
    headers,
    ...(body === undefined ? {} : { body }),
    request: (target: URL, sendOptions: object, callback?: (answer: never) => void) => {
      const send = target.protocol === 'https:' ? secureRequest : plainRequest
      const request = send(target, { ...sendOptions, insecureHTTPParser: false }, callback as never)
      request.once('socket', (socket) => watchConnection(request, socket, state))
      refuseUpgrade(request)
      return request
    },
  })
  // As a stream, got waits for somebody to write the body of a method that may have one.
  if (body === undefined && method !== 'GET') stream.end()
  const clean: (() => void)[] = []
  try {
    return await new Promise<N8nHttpResponse>((resolve, reject) => {
      const stop = (): void => reject(signal?.reason as Error)
      signal?.addEventListener('abort', stop, { once: true })
      const timer = setTimeout(() => reject(timedOut(wanted, state.isSent)), timeoutMs)
      clean.push(
        () => signal?.removeEventListener('abort', stop),
        () => clearTimeout(timer),
      )
      let head: { readonly status: number; readonly headers: Record<string, string> } | undefined
      const chunks: Buffer[] = []
      let bytes = 0
      stream.on('error', (error) => reject(explainSendFailure(error, wanted, state.isSent)))
      stream.once('response', ({ statusCode, headers: answered }: AnswerHead) => {
        head = { status: statusCode, headers: flattenHeaders(answered) }
      })
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxResponseBytes) reject(tooLarge(wanted))
        else chunks.push(chunk)
      })
      stream.once('end', () => {
        state.isComplete = true
        if (head !== undefined)
          resolve({ ...head, body: new TextDecoder().decode(Buffer.concat(chunks)) })
      })
    })
  } finally {
    for (const cleanUp of clean) cleanUp()
    // Frees the socket if there is more to come; a connection that has delivered all stays open for others.
    if (!state.isComplete) {
      stream.on('error', () => {})
      stream.destroy()
    }
  }
}

interface AnswerHead {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** From the moment a connection stands, the request may have arrived. */
function watchConnection(request: ClientRequest, socket: Socket, state: { isSent: boolean }): void {
  if (request.reusedSocket) state.isSent = true
  else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => (state.isSent = true))
}

/** Nobody asked for another protocol, and a request without its socket would wait for ever. */
function refuseUpgrade(request: ClientRequest): void {
  request.once('upgrade', (_answer, socket) => {
    socket.destroy()
    request.emit(
      'error',
      Object.assign(new Error('changed to another protocol'), { code: 'HPE_UPGRADE' }),
    )
  })
}

function flattenHeaders(headers: AnswerHead['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

function timedOut({ method, url, timeoutMs }: N8nHttpRequest, sent: boolean): Error {
  const what = sent ? 'no answer' : 'no connection'
  return n8nError(
    'N8N_TIMEOUT',
    `${method} ${url.origin}${url.pathname}: ${what} within ${timeoutMs} ms.`,
    { data: { sent, timeoutMs } },
  )
}

function tooLarge({ method, url, maxResponseBytes }: N8nHttpRequest): Error {
  return n8nError(
    'N8N_RESPONSE_TOO_LARGE',
    `${method} ${url.origin}${url.pathname}: the answer has more than ${maxResponseBytes} bytes. Ask for less, or raise maxResponseBytes.`,
    { data: { sent: true, maxResponseBytes } },
  )
}
