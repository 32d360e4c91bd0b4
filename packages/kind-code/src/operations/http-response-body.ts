import { Buffer } from 'node:buffer'

/** The body of an answer as JSON can hold it: what is no text has an empty one, and its bytes in base64. */
export interface ResponseBody {
  readonly text: string
  readonly base64?: string
  /** Index signature of JSON objects. */
  readonly [key: string]: string
}

// oxlint-disable-next-line no-control-regex -- control characters are what tells binary data from text
const controlCharacters = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

/** Reads a body in the charset of its content type, UTF-8 where none is named. */
export function readResponseBody(bytes: Uint8Array, contentType: string | undefined): ResponseBody {
  const declared = isTextType(contentType)
  const charset = readCharset(contentType)
  if (declared === true) return { text: new TextDecoder(charset).decode(bytes) }
  if (declared === undefined) {
    const text = decodeStrictly(bytes, charset)
    if (text !== undefined) return { text }
  }
  return { text: '', base64: Buffer.from(bytes).toString('base64') }
}

function decodeStrictly(bytes: Uint8Array, charset: string): string | undefined {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes)
    return controlCharacters.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** `undefined` where the header does not tell. */
function isTextType(contentType: string | undefined): boolean | undefined {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (
    /^text\/|\+(?:json|xml|yaml)$|^application\/(?:json|xml|x-ndjson|javascript|yaml|x-www-form-urlencoded)$/.test(
      type,
    )
  )
    return true
  return /^(?:image|audio|video|font|model)\/|^application\/octet-stream$/.test(type)
    ? false
    : undefined
}

function readCharset(contentType: string | undefined): string {
  const label = /;\s*charset\s*=\s*"?([^"\s;]{1,40})/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).encoding
  } catch {
    return 'utf-8'
  }
}
