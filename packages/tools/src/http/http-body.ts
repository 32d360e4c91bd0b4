import { Buffer } from 'node:buffer'
import type { JsonValue } from '@toolcrib/registry'
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
  // Asked first: parsing what nests a million times deep holds the program up for seconds.
  if (nestsDeeper(text, maxNesting)) return null
  try {
    // JSON.parse gives JSON values.
    return JSON.parse(text) as JsonValue
  } catch {
    return null
  }
}

/** Tells whether JSON text nests deeper than a limit; of text that is no JSON the answer means nothing. */
function nestsDeeper(text: string, limit: number): boolean {
  let nesting = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') nesting += 1
    else if (character === ']' || character === '}') nesting -= 1
    if (nesting > limit) return true
  }
  return false
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text[end - escapes - 1] === '\\') escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}
