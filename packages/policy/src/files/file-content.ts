import { type FileAttempt, failure, refusal } from './file-attempt.ts'
import type { FileScope } from './paths/file-scope.ts'

/** How much is moved between two looks at the signal. */
export const chunkBytes = 262_144

/** What can be written: bytes, or bytes as they come. */
export type FileContent = Uint8Array | AsyncIterable<Uint8Array>

/** A limit, and where to complain. */
export interface WriteRun {
  readonly attempt: FileAttempt
  readonly descriptor: number
  readonly signal: AbortSignal | undefined
}

/** Writes content whole. @throws {ToolPolicyViolation} fs.size, as soon as the limit is passed */
export async function writeContent(
  scope: FileScope,
  run: WriteRun,
  content: FileContent,
): Promise<void> {
  if (content instanceof Uint8Array) {
    checkSize(scope, run.attempt, content.length)
    await writeBytes(scope, run, content)
    return
  }
  let written = 0
  for await (const chunk of untilAborted(content, run.signal)) {
    run.signal?.throwIfAborted()
    if (!(chunk instanceof Uint8Array)) throw notBytes(run.attempt)
    written += chunk.length
    checkSize(scope, run.attempt, written)
    await writeBytes(scope, run, chunk)
  }
}

// Gives up waiting for the next chunk when the signal says so; what gives chunks is told, and not waited for.
async function* untilAborted(
  content: AsyncIterable<unknown>,
  signal: AbortSignal | undefined,
): AsyncGenerator {
  signal?.throwIfAborted()
  const chunks = content[Symbol.asyncIterator]()
  let isOver = false
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal?.reason)
  // Nobody may be waiting when it comes.
  aborted.promise.catch(() => undefined)
  signal?.addEventListener('abort', abort)
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), aborted.promise])
      isOver = next.done === true
      if (isOver) return
      yield next.value
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    if (!isOver) void letGo(chunks)
  }
}

async function letGo(chunks: AsyncIterator<unknown>): Promise<void> {
  try {
    await chunks.return?.()
  } catch {
    // What went wrong before matters more.
  }
}

/** Refuses anything but bytes, before a file is touched. */
export function checkContent(attempt: FileAttempt, content: unknown): void {
  const isStream =
    typeof content === 'object' && content !== null && Symbol.asyncIterator in content
  if (!(content instanceof Uint8Array) && !isStream) throw notBytes(attempt)
}

/** @throws {ToolPolicyViolation} fs.size */
export function checkSize(scope: FileScope, attempt: FileAttempt, bytes: number): void {
  if (bytes <= scope.maxWriteBytes) return
  throw refusal(attempt, 'fs.size', {
    because: `more than ${scope.maxWriteBytes} bytes`,
    howToAsk: 'Write less, or ask an operator for a larger limit (maxBytes of fs_write).',
  })
}

/** Copies from one descriptor to another. */
export async function copyContent(scope: FileScope, run: WriteRun, from: number): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes)
  for (let position = 0; ;) {
    const count = await readAt(scope, { descriptor: from, buffer, position })
    run.signal?.throwIfAborted()
    if (count === 0) return
    position += count
    checkSize(scope, run.attempt, position)
    await writeBytes(scope, run, buffer.subarray(0, count))
  }
}

/** Reads into a buffer without blocking the program. */
export function readAt(
  scope: FileScope,
  { descriptor, buffer, position }: { descriptor: number; buffer: Buffer; position: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    scope.fs.read(descriptor, buffer, 0, buffer.length, position, (error, count) =>
      error === null ? resolve(count) : reject(error),
    )
  })
}

async function writeBytes(scope: FileScope, run: WriteRun, bytes: Uint8Array): Promise<void> {
  // Up to here the thread pool costs more than it saves.
  if (bytes.length <= chunkBytes) {
    writeNow(scope, run.descriptor, bytes)
    return
  }
  for (let offset = 0; offset < bytes.length;) {
    run.signal?.throwIfAborted()
    offset += await writeSome(scope, run.descriptor, bytes.subarray(offset, offset + chunkBytes))
  }
}

/** Writes all bytes at once. */
export function writeNow(scope: FileScope, descriptor: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length;) {
    offset += scope.fs.writeSync(descriptor, bytes, offset, bytes.length - offset)
  }
}

function writeSome(scope: FileScope, descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    scope.fs.write(descriptor, bytes, 0, bytes.length, null, (error, count) =>
      error === null ? resolve(count) : reject(error),
    )
  })
}

function notBytes(attempt: FileAttempt): Error {
  return failure(attempt, 'FILE_ARGUMENT_INVALID', {
    advice: 'The content must be a Uint8Array or an async iterable of them.',
  })
}
