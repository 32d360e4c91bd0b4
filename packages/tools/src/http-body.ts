import { Buffer } from 'node:buffer'
import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { type ContentType, isJsonType, isTextType, readContentType } from './http-content-type.ts'

/** The body of an answer, for a model. */
export interface ShownBody {
  readonly body: string
  readonly bodyEncoding: 'utf8' | 'base64'
  readonly bodyBytes: number
  /** With which charset the bytes were read as text. */
  readonly charset?: string
  /** Some bytes were no text in that charset and stand as U+FFFD. */
  readonly bodyIsLossy?: true
  /** `null` where the JSON is broken or nests too deep. */
  readonly parsedBody?: JsonValue
}

/** How deep `parsedBody` may nest; deeper ones would fail as an output of a tool. */
const maxNesting = 500

/**
 * Turns bytes into what a model can read: text in its charset, else base64.
 *
 * @param contentType the header as it was sent
 */
export function showBody(bytes: Uint8Array, contentType: string | undefined): ShownBody {
  const type = readContentType(contentType)
  const bodyBytes = bytes.length
  if (!(isTextType(type) ?? looksLikeText(bytes)))
    return { body: Buffer.from(bytes).toString('base64'), bodyEncoding: 'base64', bodyBytes }
  const { text, ...decoding } = decode(bytes, type)
  return {
    body: text,
    bodyEncoding: 'utf8',
    bodyBytes,
    ...decoding,
    ...(isJsonType(type) ? { parsedBody: parseJson(text) } : {}),
  }
}

function decode(
  bytes: Uint8Array,
  { charset: given }: ContentType,
): { readonly text: string; readonly charset: string; readonly bodyIsLossy?: true } {
  const charset = byteOrderMark(bytes) ?? knownCharset(given) ?? 'utf-8'
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(bytes), charset }
  } catch {
    return { text: new TextDecoder(charset).decode(bytes), charset, bodyIsLossy: true }
  }
}

// The web's rule: a byte order mark is believed before a header.
function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function knownCharset(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

function looksLikeText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // oxlint-disable-next-line no-control-regex -- control characters are what tells binary data from text
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)
  } catch {
    return false
  }
}

function parseJson(text: string): JsonValue {
  try {
    // JSON.parse gives JSON values.
    const value = JSON.parse(text) as JsonValue
    return nestsAtMost(value, maxNesting) ? value : null
  } catch {
    return null
  }
}

function nestsAtMost(value: JsonValue, limit: number): boolean {
  let level = [value].filter(isContainer)
  for (let nesting = 1; level.length > 0; nesting += 1) {
    if (nesting > limit) return false
    level = level.flatMap((container) => Object.values<JsonValue>(container).filter(isContainer))
  }
  return true
}

function isContainer(value: JsonValue): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null
}
