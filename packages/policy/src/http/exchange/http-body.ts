import { type Duplex, Readable, pipeline } from 'node:stream'
// Not by name: zstd came with Node 22.15.
import zlib from 'node:zlib'
import { policyError } from '../../error-catalogue.ts'
import { httpViolation } from '../http-violation.ts'
import type { ToolPolicyViolation } from '../../policies/policy-violation.ts'

/** What may be read of a body, and what the messages call it. */
export interface BodyLimits {
  /** The value of `content-encoding`. */
  readonly encoding: string | undefined
  /** As `content-length` says; `undefined` where it says nothing of this body. */
  readonly announcedBytes?: number | undefined
  /** Decompressed. */
  readonly maxBytes: number
  /** Says which request, such as `GET "https://api.example.com/"`. */
  readonly tried: () => string
}

/** What the guard says it can decode. */
export const acceptedEncodings: string =
  (zlib as Partial<typeof zlib>).createZstdDecompress === undefined
    ? 'gzip, deflate, br'
    : 'gzip, deflate, br, zstd'

const maxEncodings = 3
/** Compressed data may be larger than what it holds, such as by a long file name in gzip; but not by more than this. */
const compressionSlackBytes = 65_536

/**
 * Reads and decodes a body, and stops at once when it has more bytes than allowed.
 *
 * @throws {ToolPolicyViolation} http.size
 * @throws {ToolError} HTTP_RESPONSE_INVALID when it cannot be decoded
 */
export async function readBody(source: Readable, limits: BodyLimits): Promise<Buffer> {
  const { maxBytes, announcedBytes = 0, tried } = limits
  const encodings = readEncodings(limits)
  const slackBytes = encodings.length === 0 ? 0 : compressionSlackBytes
  if (announcedBytes > maxBytes + slackBytes) throw tooLarge(limits)
  if (encodings.length === 0) return await readPlainBody(source, limits)
  let decoded: AsyncIterable<Buffer> = limited(
    source as AsyncIterable<Buffer>,
    maxBytes + slackBytes,
    limits,
  )
  for (const encoding of encodings) decoded = decode(decoded, encoding, tried)
  const chunks: Buffer[] = []
  for await (const chunk of limited(decoded, maxBytes, limits)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Without iterators, which cost more than all the checks of a request. */
async function readPlainBody(source: Readable, limits: BodyLimits): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    source.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= limits.maxBytes) chunks.push(chunk)
      else {
        source.pause()
        reject(tooLarge(limits))
      }
    })
    source.once('end', () => resolve(Buffer.concat(chunks)))
    source.once('error', reject)
  })
}

function tooLarge({ maxBytes, tried }: BodyLimits): ToolPolicyViolation {
  return httpViolation('http.size', `${tried()}: read an answer of more than ${maxBytes} bytes`)
}

async function* limited(
  source: AsyncIterable<Buffer>,
  maxBytes: number,
  limits: BodyLimits,
): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(limits)
    yield chunk
  }
}

async function* decode(
  source: AsyncIterable<Buffer>,
  encoding: string,
  tried: () => string,
): AsyncGenerator<Buffer> {
  const iterator = source[Symbol.asyncIterator]()
  const first = await iterator.next()
  // An empty body, as of HEAD, is in every encoding.
  if (first.done === true) return
  const decoder = createDecoder(encoding, first.value[0] ?? 0)
  let sourceError: unknown
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield first.value
    try {
      for (;;) {
        const next = await iterator.next()
        if (next.done === true) return
        yield next.value
      }
    } catch (error) {
      sourceError = error
      throw error
    } finally {
      await iterator.return?.()
    }
  }
  // The error arrives through the decoder as well.
  pipeline(Readable.from(whole(), { highWaterMark: 1 }), decoder, () => {})
  try {
    for await (const chunk of decoder) yield chunk as Buffer
  } catch (error) {
    if (sourceError !== undefined) throw sourceError
    throw policyError(
      'HTTP_RESPONSE_INVALID',
      `${tried()}: the answer says that it is encoded with ${encoding} but cannot be decoded: ${(error as Error).message}.`,
      { cause: error },
    )
  }
}

function readEncodings({ encoding = '', tried }: BodyLimits): readonly string[] {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace(/^x-(?=gzip$)/, ''))
    .filter((name) => name !== '' && name !== 'identity')
  const unknown = names.find((name) => !acceptedEncodings.split(', ').includes(name))
  if (unknown !== undefined || names.length > maxEncodings)
    throw policyError(
      'HTTP_RESPONSE_INVALID',
      unknown === undefined
        ? `${tried()}: the answer is encoded ${names.length} times; ${maxEncodings} are allowed.`
        : `${tried()}: the answer is encoded with "${unknown.slice(0, 40)}", which is none of ${acceptedEncodings}.`,
    )
  return names.toReversed()
}

function createDecoder(encoding: string, firstByte: number): Duplex {
  switch (encoding) {
    case 'br':
      return zlib.createBrotliDecompress()
    case 'zstd':
      return zlib.createZstdDecompress()
    case 'deflate':
      // Some servers leave out the zlib header, whose first byte ends in 8.
      return (firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()
    default:
      return zlib.createGunzip()
  }
}
