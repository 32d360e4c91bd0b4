import { Buffer } from 'node:buffer'
import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { ExampleFixture } from '@toolcrib/toolsmaker'
import {
  type HostOperationName,
  hostOperationNames,
  isHostOperation,
} from '../operations/host-operation-names.ts'

/** Tells whether a value has everything that a pattern names; lists must be of the same length. */
export function containsJson(value: JsonValue, pattern: JsonValue): boolean {
  if (Array.isArray(pattern))
    return (
      Array.isArray(value) &&
      value.length === pattern.length &&
      pattern.every((entry, index) =>
        containsJson((value as JsonValue[])[index] ?? null, entry as JsonValue),
      )
    )
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (!isObject(value)) return false
  return Object.entries(pattern).every(
    ([key, entry]) => Object.hasOwn(value, key) && containsJson(value[key] ?? null, entry),
  )
}

/** What an operation answers in the words of a fixture; a text says what is wrong with them. */
export function answerOfFixture(
  operation: HostOperationName,
  result: JsonValue,
  argument: JsonValue,
): { readonly value: JsonValue } | string {
  switch (operation) {
    case 'http.request':
      return answerRequest(result, argument)
    case 'fs.readText':
      return answerRead(result, 'text')
    case 'fs.readBytes':
      return answerRead(result, 'base64')
    case 'fs.exists':
      return typeof result === 'boolean' || result === null
        ? { value: result ?? false }
        : 'result must be true or false'
    case 'fs.stat':
      return result === null || isObject(result)
        ? {
            value:
              result === null
                ? null
                : { type: 'file', bytes: 0, modifiedAt: '2000-01-01T00:00:00.000Z', ...result },
          }
        : 'result must be null, or an object such as { "type": "file", "bytes": 12 }'
    case 'fs.list':
      return isList(result) && result.every((name) => typeof name === 'string')
        ? { value: result }
        : 'result must be a list of names'
    case 'secrets.ref':
      return typeof result === 'string' ? { value: result } : 'result must be a text'
    case 'tools.call':
      return { value: result }
    default:
      return { value: null }
  }
}

/** What is wrong with a fixture, before anything ran; `undefined` when nothing is. */
export function describeFixtureProblem(fixture: ExampleFixture): string | undefined {
  const { error, operation, result } = fixture
  if (!isHostOperation(operation))
    return `operation ${JSON.stringify(operation)} is not known; use one of ${hostOperationNames.join(', ')}`
  if (error !== undefined)
    return result === undefined ? undefined : 'has both result and error; leave one out'
  const answer = answerOfFixture(operation, result ?? null, {})
  return typeof answer === 'string' ? answer : undefined
}

/** What an author can write down as an answer, for a message. */
export function exampleResult(operation: HostOperationName): JsonValue {
  if (operation === 'http.request') return { status: 200, json: {} }
  if (operation === 'fs.readText') return { text: 'content' }
  if (operation === 'fs.readBytes') return { base64: '' }
  if (operation === 'fs.list') return ['name.txt']
  if (operation === 'fs.exists') return true
  return operation === 'tools.call' ? {} : null
}

function answerRequest(result: JsonValue, argument: JsonValue): { value: JsonValue } | string {
  const given = typeof result === 'string' ? { text: result } : (result ?? {})
  if (!isObject(given)) return 'result must be an object such as { "status": 200, "json": {} }'
  const {
    base64,
    headers = {},
    json,
    status = 200,
    text,
    url,
    ...rest
  } = given as Record<string, JsonValue>
  const unknown = Object.keys(rest).find((field) => field !== 'ok')
  if (unknown !== undefined)
    return `result does not know ${JSON.stringify(unknown)}; it knows status, headers, text, json, base64 and url`
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599)
    return 'result.status must be a whole number from 100 to 599'
  if (text !== undefined && (typeof text !== 'string' || json !== undefined))
    return 'result.text must be a text, and stands instead of result.json'
  if (base64 !== undefined && !isBase64(base64, text ?? json))
    return 'result.base64 must be valid base64, and stands instead of result.text and result.json'
  if (!isObject(headers) || Object.values(headers).some((value) => typeof value !== 'string'))
    return 'result.headers must be an object with texts'
  const asked = isObject(argument) ? argument['url'] : undefined
  return {
    value: {
      status,
      ok: status >= 200 && status <= 299,
      url: typeof url === 'string' ? url : (asked ?? ''),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      text: text ?? (json === undefined ? '' : JSON.stringify(json)),
      ...(base64 === undefined ? {} : { base64 }),
    },
  }
}

function isBase64(value: JsonValue, other: JsonValue | undefined): boolean {
  return (
    other === undefined &&
    typeof value === 'string' &&
    Buffer.from(value, 'base64').toString('base64') === value
  )
}

function answerRead(result: JsonValue, field: 'text' | 'base64'): { value: JsonValue } | string {
  const content = isObject(result) ? result[field] : result
  if (typeof content !== 'string') return `result must be an object with ${field}, or a text`
  const bytes = Buffer.byteLength(content, field === 'text' ? 'utf8' : 'base64')
  return { value: { [field]: content, bytes } }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
