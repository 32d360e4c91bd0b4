import type { GuardedRequest, GuardedResponse, HttpGuard } from '@toolcrib/policy/http'
import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { HostOperation } from '@toolcrib/sandbox'
import { readResponseBody } from './http-response-body.ts'
import {
  ownField,
  readObject,
  readOptionalText,
  readText,
  wrongArgument,
} from './operation-arguments.ts'

const operation = 'http.request'

/** What a request needs beside its argument. */
export interface GuardedHttpOptions {
  /** Opened when it is first needed. */
  readonly guard: () => HttpGuard
  /** How long the call has left, in milliseconds. */
  readonly remainingMs: () => number
}

/** `ctx.http.request` over a guard. A status of 400 or more is an answer. */
export function guardedHttpRequest({ guard, remainingMs }: GuardedHttpOptions): HostOperation {
  return async (argument, { signal }) => {
    const request = readRequest(readObject(operation, argument), remainingMs())
    return showResponse(await guard().request({ ...request, signal }))
  }
}

function readRequest(argument: JsonObject, remainingMs: number): GuardedRequest {
  const method = (readOptionalText(operation, argument, 'method') ?? 'GET').toUpperCase()
  const headers = readHeaders(ownField(argument, 'headers'))
  const json = ownField(argument, 'json')
  const text = readOptionalText(operation, argument, 'body')
  if (json !== undefined && text !== undefined)
    throw wrongArgument(operation, 'body', 'left out where json is given')
  const body = json === undefined ? text : JSON.stringify(json)
  if (
    json !== undefined &&
    !Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  )
    headers['content-type'] = 'application/json'
  return {
    url: readText(operation, argument, 'url'),
    method,
    headers,
    timeoutMs: readTimeout(ownField(argument, 'timeoutMs'), remainingMs),
    // A write that is sent twice may count twice, and only the tool knows whether that is harmless.
    retries: method === 'GET' || method === 'HEAD' ? 2 : 0,
    ...(body === undefined ? {} : { body }),
  }
}

function readHeaders(value: JsonValue | undefined): Record<string, string> {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongArgument(operation, 'headers', 'an object with texts')
  const entries = Object.entries(value).map(([name, text]) => {
    if (typeof text !== 'string')
      throw wrongArgument(operation, `headers.${name.slice(0, 80)}`, 'a text')
    return [name, text] as const
  })
  return Object.fromEntries(entries)
}

function readTimeout(value: JsonValue | undefined, remainingMs: number): number {
  const most = Math.min(2_147_483_647, Math.max(1, Math.ceil(remainingMs)))
  if (value === undefined) return most
  if (typeof value !== 'number' || !(value > 0))
    throw wrongArgument(operation, 'timeoutMs', 'a number of milliseconds above 0')
  return Math.min(most, Math.max(1, Math.ceil(value)))
}

/** Cookies that were set stay out: they are credentials. */
function showResponse({ status, url, headers, body }: GuardedResponse): JsonObject {
  return {
    status,
    ok: status >= 200 && status <= 299,
    url,
    headers,
    ...readResponseBody(body, headers['content-type']),
  }
}
