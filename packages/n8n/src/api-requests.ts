import { type JsonValue, ToolError } from '@toolcrib/registry'
import { type AnswerFailure, readAnswer } from './api-error.ts'
import { type ClientSettings, assertApiKey, maxPauseMs } from './client-settings.ts'
import { type Deadline, startDeadline, withinDeadline } from './deadline.ts'
import { type N8nErrorCode, n8nError } from './error-catalogue.ts'
import { type KeyRedaction, createKeyRedaction } from './key-redaction.ts'
import type { N8nCallOptions } from './n8n-client.ts'
import { optionError } from './option-check.ts'
import type { N8nHttpRequest, N8nHttpResponse } from './transport.ts'

/** One call of the public API. */
export interface ApiCall {
  readonly method: N8nHttpRequest['method']
  /** Below `/api/v1`, such as `/workflows`. */
  readonly path: string
  /** What is `undefined` is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: JsonValue
  /** Further texts that no error may show. */
  readonly secrets?: readonly string[]
}

/** What goes to one address, with or without the key. */
interface WireCall {
  readonly method: N8nHttpRequest['method']
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly secrets?: readonly string[]
}

/** Sends requests as the settings say: in time, bounded, repeated where that is safe, without keys in what it says. */
export interface ApiRequests {
  readonly redaction: KeyRedaction
  start(options?: N8nCallOptions): Deadline
  /** @returns the JSON of the answer; `undefined` for an answer without a body */
  call(call: ApiCall, deadline: Deadline): Promise<JsonValue | undefined>
  /** Once, whatever the answer is. */
  sendOnce(wire: WireCall, deadline: Deadline): Promise<N8nHttpResponse>
  /** Repeats a read whose answer is a failure that passes. */
  sendUntil<T>(wire: WireCall, deadline: Deadline, read: AnswerReader<T>): Promise<T>
  /** The text of a body. @throws {ToolError} N8N_OPTION_INVALID, N8N_REQUEST_TOO_LARGE */
  writeBody(body: JsonValue): string
  pause(ms: number, deadline: Deadline): Promise<void>
}

type AnswerReader<T> = (
  answer: N8nHttpResponse,
) => { readonly value: T } | { readonly failure: AnswerFailure }

/** What a request that is not repeated gives away: it may have been carried out. */
const unknownOutcome = 'n8n may have done it all the same: look on the server before you try again.'

export function createApiRequests(settings: ClientSettings): ApiRequests {
  const { transport, maxResponseBytes, retries, pauseMs } = settings
  const redaction = createKeyRedaction()
  if (typeof settings.apiKey === 'string') redaction.learn(settings.apiKey)

  const readKey = async (deadline: Deadline): Promise<string> => {
    const { apiKey } = settings
    if (typeof apiKey === 'string') return apiKey
    const late = (): Error =>
      n8nError('N8N_TIMEOUT', `apiKey: the function gave no key within ${deadline.timeoutMs} ms.`, {
        data: { sent: false },
      })
    const key = await withinDeadline(Promise.resolve().then(apiKey), deadline, late)
    assertApiKey(key)
    redaction.learn(key)
    return key
  }

  const sendOnce: ApiRequests['sendOnce'] = async (wire, deadline) => {
    const { secrets = [], ...request } = wire
    const { signal } = deadline
    const timeoutMs = deadline.remaining()
    try {
      signal?.throwIfAborted()
      if (timeoutMs === 0) throw tooLate(wire, deadline)
      return await transport.send({ ...request, timeoutMs, maxResponseBytes, signal })
    } catch (error) {
      if (signal?.aborted === true && error === signal.reason) throw error
      throw redaction.redactError(asSendFailure(error, wire), secrets)
    }
  }

  const sendUntil: ApiRequests['sendUntil'] = async (wire, deadline, read) => {
    const isRead = ['GET', 'OPTIONS', 'DELETE'].includes(wire.method)
    let mayHaveArrived = false
    for (let tries = 1; ; tries += 1) {
      let error: ToolError<N8nErrorCode>
      let isRepeatable: boolean
      let waitMs = 0
      try {
        const answer = await sendOnce(wire, deadline)
        const outcome = read(answer)
        if ('value' in outcome) return outcome.value
        const { failure } = outcome
        ;({ error } = failure)
        isRepeatable = isRead ? failure.isTransient : failure.isNotTaken
        waitMs = readRetryAfter(answer) ?? 0
        if (!failure.isNotTaken && leavesDoubt(error)) mayHaveArrived = true
        else if (!isRead && failure.isNotTaken) error = withData(error, { sent: false })
      } catch (thrown) {
        if (!ToolError.is<N8nErrorCode>(thrown)) throw thrown
        error = thrown
        const isSent = error.data['sent'] !== false
        isRepeatable = error.code === 'N8N_UNREACHABLE' && (isRead || !isSent)
        mayHaveArrived ||= isSent
      }
      const pause = Math.max(Math.min(pauseMs * 2 ** (tries - 1), maxPauseMs), waitMs)
      if (!isRepeatable || tries > retries || pause >= deadline.remaining())
        throw redaction.redactError(
          finish(error, { isRead, mayHaveArrived, tries, waitMs }),
          wire.secrets,
        )
      await settings.sleep(pause, deadline.signal)
    }
  }

  const writeBody: ApiRequests['writeBody'] = (body) => {
    const text = toJson(body)
    const { maxRequestBytes } = settings
    // A character takes at most three bytes, so that most texts need not be counted.
    const bytes = text.length * 3 <= maxRequestBytes ? 0 : new TextEncoder().encode(text).length
    if (bytes > maxRequestBytes)
      throw n8nError(
        'N8N_REQUEST_TOO_LARGE',
        `body: ${bytes} bytes are more than ${maxRequestBytes}. Send less; or raise maxRequestBytes, and N8N_PAYLOAD_SIZE_MAX on the server.`,
        { data: { bytes, maxRequestBytes, sent: false } },
      )
    return text
  }

  return {
    redaction,
    start: (options = {}) => startDeadline(options, settings),
    sendOnce,
    sendUntil,
    writeBody,
    call: async ({ method, path, query = {}, body, secrets = [] }, deadline) => {
      const url = new URL(`${settings.baseUrl}/api/v1${path}`)
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, String(value))
      const text = body === undefined ? undefined : writeBody(body)
      const key = await readKey(deadline)
      const headers = {
        accept: 'application/json',
        'x-n8n-api-key': key,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const wire: WireCall = {
        method,
        url,
        headers,
        secrets,
        ...(text === undefined ? {} : { body: text }),
      }
      return await sendUntil(wire, deadline, (answer) => {
        const outcome = readAnswer(wire, answer)
        return 'failure' in outcome ? outcome : { value: outcome.json }
      })
    },
    pause: async (ms, deadline) => {
      await settings.sleep(Math.min(ms, deadline.remaining()), deadline.signal)
    },
  }
}

function tooLate({ method, url }: WireCall, { timeoutMs }: Deadline): Error {
  return n8nError(
    'N8N_TIMEOUT',
    `${method} ${url.origin}${url.pathname}: ${timeoutMs} ms were over before it was sent.`,
    { data: { sent: false, timeoutMs } },
  )
}

/** Whether n8n may have begun what was asked before this answer was made. */
function leavesDoubt({ code, data }: ToolError<N8nErrorCode>): boolean {
  const { status } = data
  return (typeof status === 'number' && (status >= 500 || status < 300)) || code === 'N8N_TIMEOUT'
}

function finish(
  error: ToolError<N8nErrorCode>,
  {
    isRead,
    mayHaveArrived,
    tries,
    waitMs,
  }: {
    readonly isRead: boolean
    readonly mayHaveArrived: boolean
    readonly tries: number
    readonly waitMs: number
  },
): ToolError<N8nErrorCode> {
  const facts = {
    ...(tries > 1 ? { tries } : {}),
    ...(waitMs > 0 ? { retryAfterMs: waitMs } : {}),
  }
  if (!mayHaveArrived) return withData(error, facts)
  if (isRead) return withData(error, { ...facts, sent: true })
  return withData(error, { ...facts, sent: true, outcome: 'unknown' }, unknownOutcome)
}

function withData(
  { code, message, data, cause }: ToolError<N8nErrorCode>,
  more: ToolError['data'],
  advice?: string,
): ToolError<N8nErrorCode> {
  return n8nError(code, advice === undefined ? message : `${message} ${advice}`, {
    data: { ...data, ...more },
    ...(cause === undefined ? {} : { cause }),
  })
}

function asSendFailure(error: unknown, { method, url }: WireCall): unknown {
  const facts = { method, path: url.pathname }
  if (ToolError.is<N8nErrorCode>(error)) return withData(error, facts)
  // A transport that does not keep its contract says nothing of whether the request went out.
  return n8nError(
    'N8N_UNREACHABLE',
    `${method} ${url.origin}${url.pathname}: the transport failed.`,
    {
      cause: error,
      data: { ...facts, sent: true },
    },
  )
}

/** In milliseconds. */
function readRetryAfter({ headers }: N8nHttpResponse): number | undefined {
  const value = headers['retry-after']?.trim()
  if (value === undefined || value === '') return undefined
  const ms = /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

function toJson(body: unknown): string {
  let text: string | undefined
  let reason = 'a value that JSON can hold'
  try {
    text = JSON.stringify(body)
  } catch (error) {
    reason += ` (${(error as Error).message.split('\n')[0]?.slice(0, 200)})`
  }
  if (text === undefined) throw optionError({ field: 'body', rule: reason, value: body })
  return text
}
