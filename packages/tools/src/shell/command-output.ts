import { isUtf8 } from 'node:buffer'

/** What a stream held: text as it is, anything else as base64. */
export interface EncodedOutput {
  readonly text: string
  readonly encoding: 'utf8' | 'base64'
}

/** Smaller chunks are put together: each one of its own takes hundreds of bytes more than it holds. */
const smallBytes = 2_048
const pageBytes = 16_384

/** Collects stdout and stderr up to a number of bytes over both. */
export class CommandOutput {
  readonly #chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  readonly #pages: Partial<Record<'stdout' | 'stderr', { readonly whole: Buffer; used: Buffer }>> =
    {}
  #bytesLeft: number
  #isTruncated = false

  constructor(maxBytes: number) {
    this.#bytesLeft = maxBytes
  }

  /** Something was left out, because there was too much. */
  get isTruncated(): boolean {
    return this.#isTruncated
  }

  /** Keeps what still fits. Tells whether all of it did. */
  add(stream: 'stdout' | 'stderr', chunk: Buffer): boolean {
    const kept = chunk.length > this.#bytesLeft ? chunk.subarray(0, this.#bytesLeft) : chunk
    if (kept.length >= smallBytes) this.#chunks[stream].push(kept)
    else if (kept.length > 0) this.#addSmall(stream, kept)
    this.#bytesLeft -= kept.length
    if (kept.length < chunk.length) this.#isTruncated = true
    return kept.length === chunk.length
  }

  #addSmall(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    const chunks = this.#chunks[stream]
    const page = this.#pages[stream]
    // A page takes more as long as nothing came behind it.
    if (page !== undefined && chunks.at(-1) === page.used) {
      const end = page.used.length + chunk.length
      if (end <= page.whole.length) {
        page.whole.set(chunk, page.used.length)
        page.used = page.whole.subarray(0, end)
        chunks[chunks.length - 1] = page.used
        return
      }
    }
    const isFirst = chunks.length === 0
    const whole = isFirst ? chunk : Buffer.allocUnsafeSlow(pageBytes)
    if (!isFirst) whole.set(chunk)
    const used = whole.subarray(0, chunk.length)
    this.#pages[stream] = { whole, used }
    chunks.push(used)
  }

  /**
   * @param isCut the stream was stopped, so its last character may be half there; that half is dropped.
   */
  encode(stream: 'stdout' | 'stderr', isCut: boolean): EncodedOutput {
    const whole = Buffer.concat(this.#chunks[stream])
    const bytes = isCut ? withoutHalfCharacter(whole) : whole
    if (isUtf8(bytes)) return { text: bytes.toString('utf8'), encoding: 'utf8' }
    return { text: whole.toString('base64'), encoding: 'base64' }
  }
}

/** The bytes without a UTF-8 character at their end that lacks some of its bytes. */
function withoutHalfCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    const isHalf = back < characterLength(byte)
    return isHalf ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0b1111_0000) return 4
  if (firstByte >= 0b1110_0000) return 3
  return firstByte >= 0b1100_0000 ? 2 : 1
}
