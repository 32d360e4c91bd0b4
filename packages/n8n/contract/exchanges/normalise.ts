import type { JsonObject, JsonValue } from '@toolcrib/registry'

/** Ids that a server gave out in this run, so that they can be replaced in messages, too. */
export interface KnownIds {
  readonly baseUrl: string
  readonly ids: Set<string>
}

const ids = /^[A-Za-z0-9]{16}$/u
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/giu
/** Names of tags, of which n8n takes 24 characters. */
const tagNames = /(?<=record-)[0-9a-f]{8}(?!-)/gu
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/gu
/** What differs from run to run. */
const numbers = new Set([
  'startTime',
  'executionTime',
  'establishedAt',
  'jsonSizeBytes',
  'timestamp',
  'versionCounter',
  'triggerCount',
])
/** What no client of this library looks at, and what belongs to the vendor. */
const opaque: Readonly<Record<string, string>> = {
  authors: '<owner>',
  executionData: '<object>',
  filters: '<object>',
  hint: '<text>',
  hints: '<list>',
  metadata: '<object>',
  resources: '<object>',
  resumeToken: '<token>',
  scopes: '<list>',
  shared: '<list>',
  source: '<list>',
  stack: '<stack>',
  userId: '<uuid>',
  workflowData: '<object>',
  workflowPublishHistory: '<list>',
}
const keptHeaders = new Set(['content-type', 'x-toolcrib-call-id', 'authorization'])

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Remembers the ids in an answer. */
export function learnIds(value: JsonValue, known: KnownIds): void {
  if (Array.isArray(value)) {
    for (const each of value) learnIds(each, known)
    return
  }
  if (!isObject(value)) return
  for (const [key, each] of Object.entries(value))
    if (key === 'id' && typeof each === 'string' && (ids.test(each) || /^\d+$/u.test(each)))
      known.ids.add(each)
    else learnIds(each, known)
}

/** A text without anything that differs from run to run or from machine to machine. */
export function normaliseText(text: string, known: KnownIds): string {
  let result = text
    .replaceAll(known.baseUrl, '<base>')
    .replaceAll(times, '<time>')
    .replaceAll(uuids, '<uuid>')
    .replaceAll(tagNames, '<tag>')
  for (const id of known.ids)
    if (ids.test(id)) result = result.replaceAll(id, '<id>')
    else
      result = result.replaceAll(new RegExp(`(?<=and |executions/)${id}(?= is|\\b)`, 'gu'), '<id>')
  return result
}

/** An answer without anything that differs from run to run or from machine to machine. */
export function normalise(value: JsonValue, known: KnownIds): JsonValue {
  if (typeof value === 'string') return normaliseText(value, known)
  if (Array.isArray(value)) return value.map((each) => normalise(each, known))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, each]): [string, JsonValue] => {
    if (opaque[key] !== undefined && each !== null) return [key, opaque[key]]
    if (numbers.has(key) && typeof each === 'number') return [key, '<number>']
    if (
      key === 'id' &&
      (typeof each === 'number' || (typeof each === 'string' && known.ids.has(each)))
    )
      return [key, '<id>']
    if ((key === 'retryOf' || key === 'retrySuccessId') && typeof each === 'string')
      return [key, '<id>']
    if (key === 'nextCursor' && typeof each === 'string') return [key, cursor(each)]
    if (key === 'headers' && isObject(each)) return [key, keptOf(each)]
    // The error of a node: of all that it has, the message is for readers.
    if (key === 'error' && isObject(each) && 'stack' in each)
      return [key, { message: each['message'] ?? null }]
    return [key, normalise(each, known)]
  })
  return Object.fromEntries(entries.toSorted(([one], [two]) => (one < two ? -1 : 1)))
}

function cursor(text: string): string {
  const decoded = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as JsonObject
  return JSON.stringify('lastId' in decoded ? { ...decoded, lastId: '<id>' } : decoded)
}

function keptOf(headers: JsonObject): JsonObject {
  const kept = Object.entries(headers).filter(([name]) => keptHeaders.has(name))
  return Object.fromEntries(
    kept
      .map(([name, value]): [string, JsonValue] => [
        name,
        name === 'authorization' ? '<token>' : value,
      ])
      .toSorted(([one], [two]) => (one < two ? -1 : 1)),
  )
}

/** Types of a request's body, two levels deep. */
export function shapeOf(value: JsonValue, depth = 2): JsonValue {
  if (Array.isArray(value)) return `array of ${String(value.length)}`
  if (!isObject(value)) return value === null ? 'null' : typeof value
  if (depth === 0) return 'object'
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, shapeOf(each, depth - 1)]),
  )
}
