import { Buffer, isAscii } from 'node:buffer'
import { builtInToolError } from '../error-catalogue.ts'

/** The encodings of the file tool, as they are written. */
export const encodingNames = ['utf-8', 'utf-16le', 'latin1', 'ascii', 'base64', 'hex'] as const

/** One of {@link encodingNames}. */
export type EncodingName = (typeof encodingNames)[number]

const nodeNames: Readonly<Record<EncodingName, BufferEncoding>> = {
  'utf-8': 'utf8',
  'utf-16le': 'utf16le',
  latin1: 'latin1',
  ascii: 'latin1',
  base64: 'base64',
  hex: 'hex',
}
const byPlainName: ReadonlyMap<string, EncodingName> = new Map([
  ...encodingNames.map((name) => [plain(name), name] as const),
  ['iso88591', 'latin1'],
  ['usascii', 'ascii'],
])

/**
 * Reads the name of an encoding; case, hyphens and underscores do not matter.
 *
 * @throws {ToolError} ENCODING_UNSUPPORTED naming those that work.
 */
export function readEncodingName(given = 'utf-8'): EncodingName {
  const name = byPlainName.get(plain(given))
  if (name !== undefined) return name
  throw builtInToolError(
    'ENCODING_UNSUPPORTED',
    `encoding: ${JSON.stringify(given)} is not supported. Use one of ${encodingNames.join(', ')}; base64 carries any bytes.`,
    { data: { field: 'encoding', supported: encodingNames } },
  )
}

/**
 * The bytes of a content.
 *
 * @throws {ToolError} ENCODING_MISMATCH when the encoding cannot write it; nothing is replaced or left out in silence.
 */
export function encodeContent(
  content: string,
  { encoding, field }: { readonly encoding: EncodingName; readonly field: string },
): Buffer {
  const problem = contentProblem(content, encoding)
  if (problem !== undefined)
    throw builtInToolError('ENCODING_MISMATCH', `${field}: ${problem}`, {
      data: { field, encoding },
    })
  return Buffer.from(content, nodeNames[encoding])
}

/**
 * The text that bytes are in an encoding.
 *
 * @throws {ToolError} ENCODING_MISMATCH when they are none; nothing is replaced in silence.
 */
export function decodeBytes(bytes: Buffer, encoding: EncodingName): string {
  if (encoding === 'utf-8' || encoding === 'utf-16le') {
    try {
      // A byte order mark stays, so that what was read can be written back as it was.
      return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch (cause) {
      throw mismatch(encoding, cause)
    }
  }
  if (encoding === 'ascii' && !isAscii(bytes)) throw mismatch(encoding)
  return bytes.toString(nodeNames[encoding])
}

/** How many bytes at the end begin a character that is not whole there. */
export function unfinishedBytes(bytes: Uint8Array, encoding: EncodingName): number {
  if (encoding === 'utf-16le') return unfinishedUtf16(bytes)
  if (encoding !== 'utf-8') return 0
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    return utf8Length(byte) > back ? back : 0
  }
  return 0
}

/** Tells whether the first byte of a range at that place of a file stands inside a character. */
export function startsInsideCharacter(
  bytes: Uint8Array,
  offset: number,
  encoding: EncodingName,
): boolean {
  if (offset === 0 || bytes.length === 0) return false
  if (encoding === 'utf-8') return isContinuation(bytes[0] ?? 0)
  if (encoding !== 'utf-16le') return false
  return offset % 2 === 1 || ((bytes[1] ?? 0) & 0xfc) === 0xdc
}

function unfinishedUtf16(bytes: Uint8Array): number {
  const odd = bytes.length % 2
  const highByte = bytes[bytes.length - odd - 1] ?? 0
  return (highByte & 0xfc) === 0xd8 ? odd + 2 : odd
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

function utf8Length(firstByte: number): number {
  if (firstByte >= 0xf0) return 4
  if (firstByte >= 0xe0) return 3
  return firstByte >= 0xc0 ? 2 : 1
}

function contentProblem(content: string, encoding: EncodingName): string | undefined {
  switch (encoding) {
    case 'utf-8':
    case 'utf-16le':
      return content.isWellFormed() ? undefined : 'it holds half a character (a lone surrogate).'
    case 'latin1':
      return foreignCharacter(content, /[^\0-\u{ff}]/u, encoding)
    case 'ascii':
      return foreignCharacter(content, /[^\0-\u{7f}]/u, encoding)
    case 'base64':
      return isBase64(content)
        ? undefined
        : 'it is not valid base64 (A-Z, a-z, 0-9, +, /, = at the end).'
    default:
      return content.length % 2 === 0 && !/[^\da-f]/i.test(content)
        ? undefined
        : 'it is not valid hex: an even number of 0-9 and a-f.'
  }
}

function foreignCharacter(
  content: string,
  foreign: RegExp,
  encoding: EncodingName,
): string | undefined {
  const found = foreign.exec(content)?.[0]
  if (found === undefined) return undefined
  return `${encoding} has no ${JSON.stringify(found)}. Use encoding utf-8.`
}

// Node passes over what is no base64; a text that was cut would be written as something else.
function isBase64(text: string): boolean {
  const compact = text.replaceAll(/[\t\n\r ]/g, '')
  const end = compact.indexOf('=')
  const digits = end === -1 ? compact : compact.slice(0, end)
  const padding = compact.slice(digits.length)
  const isWhole = padding === '' ? digits.length % 4 !== 1 : compact.length % 4 === 0
  return isWhole && !/[^\w+/-]/.test(digits) && /^={0,2}$/.test(padding)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

function mismatch(encoding: EncodingName, cause?: unknown): Error {
  return builtInToolError(
    'ENCODING_MISMATCH',
    `path: the file is not text in ${encoding}. Read it with encoding base64 or hex, which carry any bytes` +
      `${encoding === 'utf-16le' ? '' : ', or latin1, which reads every byte as a character'}.`,
    { data: { field: 'encoding', encoding }, ...(cause === undefined ? {} : { cause }) },
  )
}
