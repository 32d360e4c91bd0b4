import { type ClientRequest, type IncomingHttpHeaders, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Got } from 'got'
import { readBody } from './http-body.ts'
import { policyError } from '../../error-catalogue.ts'
import type { HttpConnections } from './http-connection.ts'
import { explainHttpFailure } from '../http-failure.ts'
import type { HeaderRecord } from './http-headers.ts'
import type { Hop } from './http-hop.ts'
import type { TakeTurn } from '../http-turns.ts'
import { showUrl } from '../http-violation.ts'

/** The beginning of an answer. */
export interface AnswerHead {
  readonly status: number
  readonly statusText: string
  readonly headers: IncomingHttpHeaders
}

/** An answer; without a body where that was not wanted. */
export interface Answer extends AnswerHead {
  readonly body: Buffer
}

/** What is sent on one hop, exactly as it goes over the wire. */
interface WireRequest {
  readonly hop: Hop
  readonly headers: HeaderRecord
  readonly body: Buffer | undefined
  readonly maxResponseBytes: number
  /** Decides, when the head of the answer is there, whether its body is read. */
  readonly wantsBody: (head: AnswerHead) => boolean
}

/** Sends one request and follows nothing. */
export type Exchange = (request: WireRequest) => Promise<Answer>

/** The largest head of an answer, in bytes. */
const maxHeaderSize = 32_768

/** How much of a body that nobody wants is read, in bytes. */
const maxDrainedBytes = 16_384

/** How many answers of 100 to 199 may come before the answer. */
const maxPreliminaryAnswers = 32

type ResponseStream = ReturnType<Got['stream']>

/** @throws {ToolPolicyViolation | ToolError} what {@link explainHttpFailure} makes of failures */
export function createExchange(connections: HttpConnections, takeTurn: TakeTurn): Exchange {
  let plainGot: Got | undefined
  return async (wire) => {
    const { hop } = wire
    const failures: { refusal?: Error } = {}
    const endTurn = await takeTurn(hop.signal)
    try {
      plainGot ??= await loadPlainGot(connections)
      hop.signal.throwIfAborted()
      const stream = plainGot.stream(hop.url, {
        method: hop.method as 'GET',
        headers: wire.headers,
        ...(wire.body === undefined ? {} : { body: wire.body }),
        request: (url: URL, options: object, callback?: (answer: never) => void): ClientRequest => {
          const send = url.protocol === 'https:' ? secureRequest : plainRequest
          // The pool hands these options on to what makes its connections.
          const withHop: object = { ...options, hop, insecureHTTPParser: false }
          const request = send(url, withHop, callback as never)
          // A socket from the pool was checked for another request; nothing is written before this event is over.
          request.once('socket', (socket) => {
            try {
              hop.verifyAddress(connections.addressOf(socket))
            } catch (error) {
              failures.refusal = error as Error
              request.destroy(error as Error)
            }
          })
          refuseOddAnswers(request, (error) => (failures.refusal = error))
          return request
        },
      })
      // As a stream, got waits for somebody to write the body of a method that may have one.
      if (wire.body === undefined && hop.method !== 'GET' && hop.method !== 'HEAD') stream.end()
      return await receive(stream, wire)
    } catch (error) {
      if (hop.signal.aborted) throw hop.signal.reason
      throw failures.refusal ?? explainHttpFailure(error, hop)
    } finally {
      endTurn()
    }
  }
}

/** Loaded with the first request: most programs that open a guard send none, and it is large. */
async function loadPlainGot({ http, https }: HttpConnections): Promise<Got> {
  const { default: got } = await import('got')
  // Everything that got would do by itself is off: each hop and each retry has to be checked first.
  return got.extend({
    agent: { http, https },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    http2: false,
    retry: { limit: 0 },
    maxHeaderSize,
    headers: { 'user-agent': undefined },
  })
}

/** What no honest server sends, and what Node would wait on for ever or hand on without end. */
function refuseOddAnswers(request: ClientRequest, refuse: (error: Error) => void): void {
  const describe = (what: string): Error => {
    const error = policyError('HTTP_RESPONSE_INVALID', `url: the server ${what}.`)
    refuse(error)
    return error
  }
  request.once('upgrade', (_answer, socket) => {
    socket.destroy()
    // Without its socket a request has no way left to fail by itself.
    request.emit('error', describe('changed to another protocol, which nobody asked for'))
  })
  let preliminary = 0
  request.on('information', () => {
    preliminary += 1
    if (preliminary > maxPreliminaryAnswers)
      request.destroy(describe(`sent more than ${maxPreliminaryAnswers} preliminary answers`))
  })
}

async function receive(stream: ResponseStream, wire: WireRequest): Promise<Answer> {
  const { signal } = wire.hop
  const state = { isComplete: false }
  const cleanUp: (() => void)[] = []
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const stop = (): void => reject(signal.reason as Error)
      signal.addEventListener('abort', stop)
      cleanUp.push(() => signal.removeEventListener('abort', stop))
      stream.once('error', reject)
      stream.once('response', ({ statusCode, statusMessage = '', headers }: AnswerHeadSource) => {
        // From here on, what reads the body tells why it failed; ending the stream early is an error of the stream as well.
        stream.off('error', reject).on('error', () => {})
        const head: AnswerHead = { status: statusCode, statusText: statusMessage, headers }
        readAnswer(stream, wire, { head, state }).then(resolve, reject)
      })
    })
  } finally {
    for (const clean of cleanUp) clean()
    // Frees the socket if there is more to come; a connection that has delivered all stays open for others.
    if (!state.isComplete) stream.destroy()
  }
}

async function readAnswer(
  stream: ResponseStream,
  { hop, maxResponseBytes, wantsBody }: WireRequest,
  { head, state }: { readonly head: AnswerHead; readonly state: { isComplete: boolean } },
): Promise<Answer> {
  hop.times.firstByte = performance.now()
  const tried = (): string => `${hop.method} ${showUrl(hop.url)}`
  const { 'content-encoding': encoding, 'content-length': length = Infinity } = head.headers
  if (wantsBody(head)) {
    // There the header speaks of a body that is not sent.
    const hasBody = hop.method !== 'HEAD' && head.status !== 304
    const announcedBytes = hasBody && length !== Infinity ? Number(length) : undefined
    const limits = { encoding, announcedBytes, maxBytes: maxResponseBytes, tried }
    const body = await readBody(stream, limits)
    state.isComplete = true
    return { ...head, body }
  }
  // A short body is read so that the connection can be used again.
  if (Number(length) <= maxDrainedBytes) {
    await readBody(stream, { encoding: undefined, maxBytes: maxDrainedBytes, tried })
    state.isComplete = true
  }
  return { ...head, body: Buffer.alloc(0) }
}

interface AnswerHeadSource {
  readonly statusCode: number
  readonly statusMessage?: string
  readonly headers: IncomingHttpHeaders
}
