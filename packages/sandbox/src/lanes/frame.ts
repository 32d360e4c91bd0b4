import { describeArgumentProblem } from '../host/argument-check.ts'

// How messages cross a pipe: the number of bytes that follow, then parts, each after its own length. The first part is the
// message as JSON; long texts in it are parts of their own, so that nobody escapes and unescapes them.

const longText = 1024
const lengthBytes = 4

/** What a frame may have, so that reading it does not harm the reader. */
export interface FrameLimits {
  /** Of the whole frame. */
  readonly maxBytes: number
  /** Of the first part. */
  readonly maxHeadBytes: number
}

const trusted: FrameLimits = {
  maxBytes: 2 * 1024 * 1024 * 1024,
  maxHeadBytes: 2 * 1024 * 1024 * 1024,
}
const maxParts = 100_000

interface PartReference {
  readonly part: number
}

/** A message for a pipe. */
export function encodeFrame(message: object): Buffer {
  const texts: string[] = []
  const head = JSON.stringify(message, (_key, value: unknown): unknown => {
    if (typeof value !== 'string' || value.length <= longText) return value
    texts.push(value)
    return { part: texts.length } satisfies PartReference
  })
  const parts = [head, ...texts]
  const lengths = parts.map((part) => Buffer.byteLength(part))
  const total = lengths.reduce((sum, length) => sum + lengthBytes + length, 0)
  const frame = Buffer.allocUnsafe(lengthBytes + total)
  let at = frame.writeUInt32LE(total, 0)
  for (const [index, part] of parts.entries()) {
    at = frame.writeUInt32LE(lengths[index] ?? 0, at)
    at += frame.write(part, at)
  }
  return frame
}

/** Puts messages together from what a pipe gives. */
export class FrameReader {
  #chunks: Buffer[] = []
  #length = 0
  readonly #take: (message: unknown) => void

  readonly #limits: () => FrameLimits

  /** @param limits of the next frame; none for a sender that is trusted */
  constructor(take: (message: unknown) => void, limits: () => FrameLimits = () => trusted) {
    this.#take = take
    this.#limits = limits
  }

  /** @throws {RangeError} when a frame is larger than one may be, or torn */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    while (this.#length >= lengthBytes) {
      const total = this.#peekLength()
      const limits = this.#limits()
      if (total > limits.maxBytes) throw new RangeError('A frame is too large')
      if (this.#length < lengthBytes + total) return
      const all = this.#join()
      const end = lengthBytes + total
      this.#chunks = end === all.length ? [] : [all.subarray(end)]
      this.#length = all.length - end
      this.#take(decode(all.subarray(lengthBytes, end), limits))
    }
  }

  #peekLength(): number {
    const first = this.#chunks[0]
    return (first !== undefined && first.length >= lengthBytes ? first : this.#join()).readUInt32LE(
      0,
    )
  }

  #join(): Buffer {
    const [first] = this.#chunks
    if (this.#chunks.length === 1 && first !== undefined) return first
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }
}

function decode(bytes: Buffer, { maxHeadBytes }: FrameLimits): unknown {
  const parts: string[] = []
  for (let at = 0; at < bytes.length;) {
    const start = at + lengthBytes
    const end = start + bytes.readUInt32LE(at)
    if (end > bytes.length) throw new RangeError('A frame is torn')
    if (parts.length === maxParts) throw new RangeError('A frame has too many parts')
    if (at === 0 && end - start > maxHeadBytes)
      throw new RangeError('The head of a frame is too large')
    parts.push(bytes.toString('utf8', start, end))
    at = end
  }
  const [head = ''] = parts
  if (maxHeadBytes < trusted.maxHeadBytes && describeArgumentProblem('a frame', head) !== undefined)
    throw new RangeError('A frame holds too many values')
  if (parts.length === 1) return JSON.parse(head)
  // A text is never an object, so whoever writes the texts cannot make a reference.
  return JSON.parse(head, (_key, value: unknown): unknown =>
    isReference(value) ? parts[value.part] : value,
  )
}

function isReference(value: unknown): value is PartReference {
  if (typeof value !== 'object' || value === null) return false
  const { part } = value as Partial<PartReference>
  return typeof part === 'number' && Object.keys(value).length === 1
}
