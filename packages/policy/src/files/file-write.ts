import { constants } from 'node:fs'
import type { EntryStats, HeldEntry } from './file-access.ts'
import { type FileAttempt, failure, systemCode } from './file-attempt.ts'
import {
  checkContent,
  checkSize,
  type FileContent,
  writeContent,
  writeNow,
} from './file-content.ts'
import type { WriteFileOptions } from './file-guard.ts'
import { openFile, requireFileName } from './file-open.ts'
import { replaceFile } from './file-replace.ts'
import { checkFile, type FileScope, locate } from './paths/file-scope.ts'
import { lookFor, syncFile, withFolder } from './paths/file-walk.ts'

const maxAppendTries = 20

/** What to write and how. */
export interface WriteRequest<Content> extends WriteFileOptions {
  readonly content: Content
}

/** See {@link FileGuard.writeFile}. */
export async function writeFile(
  scope: FileScope,
  attempt: FileAttempt,
  request: WriteRequest<FileContent>,
): Promise<void> {
  const { content, signal, createParents, exclusive = false } = request
  checkContent(attempt, content)
  if (content instanceof Uint8Array) checkSize(scope, attempt, content.length)
  const target = locate(scope, attempt)
  await withFolder(scope, { ...target, attempt, createParents }, async (place) => {
    const name = requireFileName(attempt, place.name, target.path.namesFolder)
    const at = { folder: place.folder, name, mayReplace: !exclusive }
    const replaced = findReplaced(scope, attempt, at)
    if (exclusive && replaced !== undefined) throw failure(attempt, 'FILE_EXISTS')
    await replaceFile(
      scope,
      { folder: place.folder, name, replaced, exclusive, signal },
      (descriptor) => writeContent(scope, { attempt, descriptor, signal }, content),
    )
  })
}

/** Checks what a write would replace; gives its permissions, or undefined if there is nothing. */
export function findReplaced(
  scope: FileScope,
  attempt: FileAttempt,
  {
    folder,
    name,
    mayReplace,
  }: { readonly folder: HeldEntry; readonly name: string; readonly mayReplace: boolean },
): EntryStats | undefined {
  const entry = lookFor(scope, folder, name)
  if (entry === undefined) return undefined
  try {
    if (mayReplace) checkWritable(scope, attempt, entry)
    else checkFile(scope, attempt, entry)
    return entry.stats
  } finally {
    scope.access.release(entry)
  }
}

/** Renaming would replace a file whatever its own permissions say. */
function checkWritable(scope: FileScope, attempt: FileAttempt, entry: HeldEntry): void {
  try {
    const { descriptor } = openFile(scope, attempt, { entry, flags: constants.O_WRONLY })
    scope.fs.closeSync(descriptor)
  } catch (error) {
    // A program that runs keeps the old file.
    if (systemCode(error).code !== 'ETXTBSY') throw error
  }
}

/** See {@link FileGuard.appendFile}. */
export async function appendFile(
  scope: FileScope,
  attempt: FileAttempt,
  { content, signal, createParents, exclusive = false }: WriteRequest<Uint8Array>,
): Promise<void> {
  checkContent(attempt, content)
  checkSize(scope, attempt, content.length)
  const target = locate(scope, attempt)
  await withFolder(scope, { ...target, attempt, createParents }, async (place) => {
    const name = requireFileName(attempt, place.name, target.path.namesFolder)
    const { folder } = place
    for (let tries = 1; ; tries += 1) {
      if (await appendTo(scope, attempt, { folder, name, content, exclusive })) return
      try {
        const replacement = { folder, name, replaced: undefined, exclusive: true, signal }
        await replaceFile(scope, replacement, (descriptor) =>
          writeContent(scope, { attempt, descriptor, signal }, content),
        )
        return
      } catch (error) {
        // Somebody else made it meanwhile, and may remove it again.
        const isOver = exclusive || tries === maxAppendTries
        if (isOver || systemCode(error).code !== 'EEXIST') throw error
        signal?.throwIfAborted()
      }
    }
  })
}

interface Append {
  readonly folder: HeldEntry
  readonly name: string
  readonly content: Uint8Array
  readonly exclusive: boolean
}

/** Appends to a file if it is there. */
async function appendTo(
  scope: FileScope,
  attempt: FileAttempt,
  { folder, name, content, exclusive }: Append,
): Promise<boolean> {
  const entry = lookFor(scope, folder, name)
  if (entry === undefined) return false
  try {
    checkFile(scope, attempt, entry)
    if (exclusive) throw failure(attempt, 'FILE_EXISTS')
    scope.access.confirm(folder)
    const flags = constants.O_WRONLY | constants.O_APPEND
    const { descriptor } = openFile(scope, attempt, { entry, flags })
    try {
      appendNow(scope, attempt, { descriptor, content })
      await syncFile(scope, descriptor)
    } finally {
      scope.fs.closeSync(descriptor)
    }
    return true
  } finally {
    scope.access.release(entry)
  }
}

/** Without a pause between the look at the size and the write, so that appends of this program cannot pass the limit together. */
function appendNow(
  scope: FileScope,
  attempt: FileAttempt,
  { descriptor, content }: { readonly descriptor: number; readonly content: Uint8Array },
): void {
  const { size } = scope.fs.fstatSync(descriptor)
  checkSize(scope, attempt, size + content.length)
  try {
    writeNow(scope, descriptor, content)
  } catch (error) {
    cutBack(scope, descriptor, { size, most: size + content.length })
    throw error
  }
}

/** Takes away the part that was written before a disk was full, unless somebody else appended too. */
function cutBack(
  scope: FileScope,
  descriptor: number,
  { size, most }: { readonly size: number; readonly most: number },
): void {
  try {
    const now = scope.fs.fstatSync(descriptor).size
    if (now > size && now < most) scope.fs.ftruncateSync(descriptor, size)
  } catch {
    // The first error matters more.
  }
}
