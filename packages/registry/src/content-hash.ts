import { canonicalJson } from './canonical-json.ts'
import type { JsonValue } from './json-value.ts'

const encoder = new TextEncoder()

/** SHA-256 of a text's UTF-8 bytes, as 64 lower-case hexadecimal digits. Uses WebCrypto, hence asynchronous. */
export async function hashText(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
  let hexadecimal = ''
  for (const byte of digest) hexadecimal += byte.toString(16).padStart(2, '0')
  return hexadecimal
}

/**
 * SHA-256 of a value's canonical JSON, as 64 lower-case hexadecimal digits: equal values, in whatever key order, have
 * equal hashes.
 *
 * @throws {ToolError} VALUE_NOT_JSON when the value cannot be written as canonical JSON.
 */
export async function contentHash(value: JsonValue): Promise<string> {
  return hashText(canonicalJson(value))
}
