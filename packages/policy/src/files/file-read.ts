import { constants } from 'node:fs'
import { type FileAttempt, failure, refusal } from './file-attempt.ts'
import { chunkBytes, readAt } from './file-content.ts'
import type { ReadFileOptions } from './file-guard.ts'
import { type OpenedFile, openFile } from './file-open.ts'
import { checkEntry, type FileScope, locate } from './paths/file-scope.ts'
import { withFolder } from './paths/file-walk.ts'

/** Files up to this size are read at once; for larger ones the program is not held up. */
const smallBytes = 131_072

/** See {@link FileGuard.readFile}. */
export function readFile(
  scope: FileScope,
  attempt: FileAttempt,
  options: ReadFileOptions,
): Promise<Buffer> {
  checkRange(attempt, options)
  const target = locate(scope, attempt)
  return withFolder(scope, { ...target, attempt }, async ({ folder, name }) => {
    if (name === undefined)
      throw failure(attempt, 'FILE_IS_FOLDER', { advice: 'Name a file in it.' })
    const entry = scope.access.look(folder, name)
    try {
      checkEntry(scope, attempt, entry)
      if (target.path.namesFolder && entry.stats.isFile()) throw failure(attempt, 'FILE_NOT_FOLDER')
      const opened = openFile(scope, attempt, { entry, flags: constants.O_RDONLY })
      try {
        return await readOpened(scope, { attempt, ...opened }, options)
      } finally {
        scope.fs.closeSync(opened.descriptor)
      }
    } finally {
      scope.access.release(entry)
    }
  })
}

/** Refuses offsets and lengths that are no counts of bytes. */
function checkRange(attempt: FileAttempt, { offset, length }: ReadFileOptions): void {
  for (const [field, value] of [
    ['offset', offset],
    ['length', length],
  ] as const) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) continue
    throw failure(attempt, 'FILE_ARGUMENT_INVALID', {
      advice: `"${field}" must be a whole number of bytes, 0 or more, not ${String(value)}.`,
    })
  }
}

type Run = OpenedFile & { readonly attempt: FileAttempt }

async function readOpened(
  scope: FileScope,
  run: Run,
  { offset = 0, length, signal }: ReadFileOptions,
): Promise<Buffer> {
  const limit = scope.maxReadBytes
  const rest = Math.max(0, run.stats.size - offset)
  if (Math.min(length ?? rest, rest) > limit) throw tooLarge(scope, run)
  // One byte more than the file has: a file that grew meanwhile is noticed.
  let buffer = Buffer.allocUnsafeSlow(length === undefined ? rest + 1 : Math.min(length, rest))
  let filled = 0
  while (filled < (length ?? Number.POSITIVE_INFINITY)) {
    if (filled === buffer.length) {
      if (length !== undefined) break
      if (filled > limit) throw tooLarge(scope, run)
      buffer = Buffer.concat([buffer], Math.min(filled + chunkBytes, limit + 1))
    }
    const room = buffer.subarray(filled, filled + chunkBytes)
    const position = offset + filled
    const count =
      buffer.length <= smallBytes
        ? scope.fs.readSync(run.descriptor, room, 0, room.length, position)
        : await readAt(scope, { descriptor: run.descriptor, buffer: room, position })
    signal?.throwIfAborted()
    filled += count
    // A short read that reaches the known end is the end.
    if (count === 0 || (count < room.length && filled >= rest)) break
  }
  return buffer.subarray(0, filled)
}

function tooLarge({ maxReadBytes }: FileScope, { attempt }: Run): Error {
  return refusal(attempt, 'fs.size', {
    because: `more than ${maxReadBytes} bytes`,
    howToAsk:
      'Read a part of it (offset and length), or ask an operator for a larger limit (maxBytes of fs_read).',
  })
}
