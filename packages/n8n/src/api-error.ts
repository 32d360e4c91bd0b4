import type { JsonObject, JsonValue, ToolError } from '@toolcrib/registry'
import { type N8nErrorCode, n8nError } from './error-catalogue.ts'
import type { N8nHttpRequest, N8nHttpResponse } from './transport.ts'

/** An answer that is no success. */
export interface AnswerFailure {
  readonly error: ToolError<N8nErrorCode>
  /** n8n cannot have done what was asked, so that even a write can be sent again. */
  readonly isNotTaken: boolean
  /** A read may be sent again. */
  readonly isTransient: boolean
}

interface Verdict {
  readonly code: N8nErrorCode
  /** Before n8n's own message, or instead of it. */
  readonly says?: string
  readonly advice?: string
  readonly isNotTaken?: boolean
  readonly isTransient?: boolean
  readonly data?: JsonObject
}

type ReadAnswer = { readonly json: JsonValue | undefined } | { readonly failure: AnswerFailure }

const maxMessageLength = 1_000
const wait = 'Wait until it is up; `client.ping()` tells.'
const notItsPage = 'Check baseUrl: it must lead to n8n itself, past proxies and login pages.'

/**
 * The JSON of an answer, or what it means instead. Nothing but JSON with a status of 200 to 299 is success: n8n answers 200
 * with a page while it starts, and so do proxies and login pages.
 */
export function readAnswer(
  { method, url }: Pick<N8nHttpRequest, 'method' | 'url'>,
  answer: N8nHttpResponse,
): ReadAnswer {
  const isSuccess = answer.status >= 200 && answer.status < 300
  const parsed = parseJson(answer)
  if (isSuccess && (answer.status === 204 || answer.body === '')) return { json: undefined }
  if (isSuccess && parsed !== undefined) return { json: parsed.json }
  const message = parsed === undefined ? undefined : readMessage(parsed.json)
  const {
    code,
    says,
    advice,
    isNotTaken = false,
    isTransient = false,
    data,
  } = judge(answer, message)
  const text = [
    `${method} ${url.pathname} answered ${answer.status}`,
    [says, message].filter((part) => part !== undefined).join(' n8n says: '),
  ].filter((part) => part !== '')
  const end = advice === undefined ? '' : ` ${advice}`
  const error = n8nError(code, `${endSentence(text.join(': '))}${end}`, {
    data: { status: answer.status, method, path: url.pathname, ...data },
  })
  return { failure: { error, isNotTaken, isTransient: isTransient || isNotTaken } }
}

function judge(answer: N8nHttpResponse, message: string | undefined): Verdict {
  const { status, body } = answer
  if (status >= 300 && status < 400) return judgeRedirect(answer)
  const isText = message === undefined
  if (isText && /n8n is starting up/i.test(body.slice(0, 10_000)))
    return { code: 'N8N_STARTING', says: 'n8n is starting.', advice: wait, isNotTaken: true }
  if (status < 300)
    return {
      code: 'N8N_RESPONSE_INVALID',
      says: `expected JSON, got ${describeBody(answer)}.`,
      advice: notItsPage,
    }
  switch (status) {
    case 401:
      return {
        code: 'N8N_UNAUTHORIZED',
        advice:
          'Make a new key in n8n under Settings, n8n API, and check that it is for this server.',
      }
    case 403:
      return judgeForbidden(message)
    case 404:
      return judgeMissing(answer, message)
    case 405:
      return {
        code: 'N8N_UNSUPPORTED',
        advice: 'This release of n8n cannot do that; `client.capabilities()` tells what it can.',
      }
    case 409:
      return { code: 'N8N_CONFLICT' }
    case 413:
      return {
        code: 'N8N_REQUEST_TOO_LARGE',
        says: 'the server takes no request that large.',
        advice: 'Send less, or raise N8N_PAYLOAD_SIZE_MAX on the server.',
      }
    case 429:
      return {
        code: 'N8N_REQUEST_REFUSED',
        says: 'too many requests.',
        advice: 'Send them more slowly.',
        isNotTaken: true,
      }
    case 503:
      return {
        code: 'N8N_STARTING',
        ...(isText ? { says: 'the service is not available.' } : {}),
        advice: wait,
        isTransient: true,
        // Its own words for that; what a proxy means by 503 nobody knows.
        isNotTaken: message !== undefined && /^Database is not ready/i.test(message),
      }
    default:
      return status >= 500 ? judgeServerFailure(answer, message) : { code: 'N8N_REQUEST_REFUSED' }
  }
}

function judgeForbidden(message: string | undefined): Verdict {
  if (message !== undefined && /licen[sc]e/i.test(message))
    return {
      code: 'N8N_FORBIDDEN',
      data: { reason: 'licence' },
      advice: 'That needs another licence of n8n.',
    }
  return {
    code: 'N8N_FORBIDDEN',
    data: { reason: 'scope' },
    advice: 'The key lacks a scope for that; give it one in n8n under Settings, n8n API.',
  }
}

function judgeMissing(answer: N8nHttpResponse, message: string | undefined): Verdict {
  // Express says so for addresses that are not there: n8n has not put its API in place yet.
  if (message === undefined && /Cannot (GET|POST|PUT|PATCH|DELETE|OPTIONS) \//.test(answer.body))
    return {
      code: 'N8N_STARTING',
      says: 'n8n has no API there (yet).',
      advice: `${wait} If it stays so, the public API is switched off, or baseUrl leads elsewhere.`,
      isNotTaken: true,
    }
  if (message === undefined)
    return {
      code: 'N8N_RESPONSE_INVALID',
      says: `expected JSON, got ${describeBody(answer)}.`,
      advice: notItsPage,
    }
  // In lower case it speaks of the address, else of what was looked for.
  if (message === 'not found')
    return {
      code: 'N8N_UNSUPPORTED',
      advice:
        'This release of n8n has no such function; `client.capabilities()` tells what it has.',
    }
  if (message.startsWith('You do not have permission'))
    return {
      code: 'N8N_NOT_FOUND',
      advice: 'It says so too of an id that does not exist.',
    }
  return { code: 'N8N_NOT_FOUND', advice: 'Check the id.' }
}

function judgeServerFailure(answer: N8nHttpResponse, message: string | undefined): Verdict {
  const { status } = answer
  if (status === 502 || (status >= 520 && status <= 523))
    return {
      code: 'N8N_UNREACHABLE',
      says: 'a proxy does not reach n8n.',
      isTransient: true,
    }
  if (status === 504 || status === 524)
    return {
      code: 'N8N_TIMEOUT',
      says: 'a proxy gave up waiting for n8n.',
      isTransient: true,
    }
  return message === undefined
    ? {
        code: 'N8N_RESPONSE_INVALID',
        says: `n8n failed inside, and sent ${describeBody(answer)}.`,
        advice: 'Its own log says why.',
      }
    : { code: 'N8N_REQUEST_REFUSED' }
}

function judgeRedirect({ status, headers }: N8nHttpResponse): Verdict {
  const { location } = headers
  if (location === undefined || status === 304)
    return { code: 'N8N_RESPONSE_INVALID', says: 'no answer that n8n gives.', advice: notItsPage }
  // Not more of it: paths and queries of login pages carry tickets.
  const origin = URL.canParse(location) ? new URL(location).origin : 'the same server'
  return {
    code: 'N8N_RESPONSE_INVALID',
    says: `it leads on to ${origin}, and redirects are not followed.`,
    advice: 'If that is where n8n is, give its address as baseUrl.',
    data: { redirectedTo: origin },
  }
}

/** Only what says that it is JSON counts as such. */
export function parseJson({
  headers,
  body,
}: N8nHttpResponse): { readonly json: JsonValue } | undefined {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '')) return undefined
  try {
    return { json: JSON.parse(body) as JsonValue }
  } catch {
    return undefined
  }
}

function readMessage(json: JsonValue): string | undefined {
  const { message } = (json ?? {}) as { readonly message?: unknown }
  if (typeof message !== 'string') return '(nothing)'
  // oxlint-disable-next-line no-control-regex -- a message goes to logs and terminals
  const clean = message.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ').trim()
  return clean.length > maxMessageLength ? `${clean.slice(0, maxMessageLength)}…` : clean
}

function describeBody({ headers, body }: N8nHttpResponse): string {
  const type = headers['content-type']?.split(';')[0]?.slice(0, 60)
  if (body === '') return 'nothing'
  if (/<html|<!doctype html/i.test(body.slice(0, 1_000))) return 'a page'
  return type === undefined ? 'text of no type' : `${type} that is no JSON`
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
