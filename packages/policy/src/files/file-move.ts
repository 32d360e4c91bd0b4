import { constants } from 'node:fs'
import type { HeldEntry } from './file-access.ts'
import {
  type FileAttempt,
  failure,
  refusal,
  systemCode,
  translateFileError,
} from './file-attempt.ts'
import { checkSize, copyContent } from './file-content.ts'
import { refusePinned, refuseRoot } from './file-folder.ts'
import type { MoveOptions } from './file-guard.ts'
import { openFile, type OpenedFile, requireFileName } from './file-open.ts'
import { renameEntry, replaceFile } from './file-replace.ts'
import {
  allows,
  checkEntry,
  checkFile,
  checkFileStats,
  type FileScope,
  type FileTarget,
  isSamePlace,
  locate,
} from './paths/file-scope.ts'
import { findReplaced } from './file-write.ts'
import { lookFor, withFolder } from './paths/file-walk.ts'
import { isWithin } from './paths/path-lexical.ts'
import { protectsContent } from './paths/path-protected.ts'

/** The two ends of a move or a copy. */
export interface FilePair {
  readonly from: FileAttempt
  readonly to: FileAttempt
}

interface Ends extends FilePair {
  readonly source: FileTarget
  readonly target: FileTarget
}

interface Step {
  readonly folder: HeldEntry
  readonly name: string
}

/** See {@link FileGuard.copy}. */
export async function copyFile(
  scope: FileScope,
  pair: FilePair,
  options: MoveOptions,
): Promise<void> {
  const { from, to } = pair
  const source = locate(scope, from)
  const target = locate(scope, to)
  await withFolder(scope, { ...source, attempt: from }, async (start) => {
    const name = requireFileName(from, start.name, source.path.namesFolder)
    const entry = scope.access.look(start.folder, name)
    try {
      checkFile(scope, from, entry)
      const { createParents } = options
      await withFolder(scope, { ...target, attempt: to, createParents }, async (end) => {
        const endName = requireFileName(to, end.name, target.path.namesFolder)
        const at = { folder: end.folder, name: endName }
        await copyTo(scope, pair, { entry, at, options })
      }).catch((error: unknown) => {
        throw translateFileError(to, error)
      })
    } finally {
      scope.access.release(entry)
    }
  })
}

async function copyTo(
  scope: FileScope,
  { from, to }: FilePair,
  {
    entry,
    at,
    options,
  }: { readonly entry: HeldEntry; readonly at: Step; readonly options: MoveOptions },
): Promise<void> {
  const { signal } = options
  const overwrite = mayOverwrite(options)
  const replaced = findReplaced(scope, to, { ...at, mayReplace: overwrite })
  if (replaced !== undefined && !overwrite) throw failure(to, 'FILE_EXISTS', askToOverwrite)
  const opened = openSource(scope, from, entry)
  try {
    checkSize(scope, to, opened.stats.size)
    const mode = opened.stats.mode & 0o777
    await replaceFile(
      scope,
      { ...at, replaced, exclusive: !overwrite, mode, signal },
      (descriptor) => copyContent(scope, { attempt: to, descriptor, signal }, opened.descriptor),
    )
  } finally {
    scope.fs.closeSync(opened.descriptor)
  }
}

function openSource(scope: FileScope, from: FileAttempt, entry: HeldEntry): OpenedFile {
  try {
    return openFile(scope, from, { entry, flags: constants.O_RDONLY })
  } catch (error) {
    throw translateFileError(from, error)
  }
}

/** See {@link FileGuard.move}. */
export async function move(scope: FileScope, pair: FilePair, options: MoveOptions): Promise<void> {
  const { from, to } = pair
  const source = locate(scope, from)
  const target = locate(scope, to)
  for (let each: FileScope | undefined = scope; each !== undefined; each = each.outer)
    if (allows(each, target.path, 'read') && !allows(each, source.path, 'read'))
      throw refuseReadable(from)
  await withFolder(scope, { ...source, attempt: from }, async (start) => {
    const { name } = start
    if (name === undefined) throw refuseRoot(from)
    const entry = scope.access.look(start.folder, name)
    try {
      checkSource(scope, { ...pair, source, target }, entry)
      const { createParents } = options
      await withFolder(scope, { ...target, attempt: to, createParents }, async (end) => {
        if (end.name === undefined)
          throw failure(to, 'FILE_EXISTS', { advice: 'It is the allowed folder itself.' })
        const at = { folder: end.folder, name: end.name }
        const step = { folder: start.folder, name }
        if (isReadable(scope, at) && !isReadable(scope, step)) throw refuseReadable(from)
        checkTarget(scope, { ...pair, source, target }, { entry, at, options })
        await moveTo(scope, pair, { start: step, entry, at, options })
      }).catch((error: unknown) => {
        throw translateFileError(to, error)
      })
    } finally {
      scope.access.release(entry)
    }
  })
}

/** Whether something lies in a folder that may be read, whatever that folder is called by now. */
function isReadable({ roots }: FileScope, { folder, name }: Step): boolean {
  const readable = roots.filter(({ access }) => access === 'read')
  for (let above: HeldEntry | undefined = folder; above !== undefined; above = above.folder) {
    const { stats } = above
    const isHeld = readable.some(
      ({ held, fileName }) =>
        isSamePlace(held.stats, stats) &&
        (fileName === undefined || (above === folder && fileName === name)),
    )
    if (isHeld) return true
  }
  return false
}

function refuseReadable(from: FileAttempt): Error {
  return refusal({ ...from, access: 'read' }, 'fs.path', { because: 'it would become readable' })
}

function checkSource(scope: FileScope, { from, to, source, target }: Ends, entry: HeldEntry): void {
  checkEntry(scope, from, entry)
  if (!entry.stats.isDirectory()) {
    checkFileStats(from, entry.stats)
    if (source.path.namesFolder) throw failure(from, 'FILE_NOT_FOLDER')
    if (target.path.namesFolder) throw failure(to, 'FILE_IS_FOLDER', { advice: 'Name the file.' })
    return
  }
  refusePinned(scope, from, source)
  // Folders such as .config protect some of what is in them by both names together.
  for (const [attempt, { steps }] of [
    [from, source],
    [to, target],
  ] as const) {
    if (protectsContent(steps.at(-1) ?? '')) throw refusal(attempt, 'fs.protected')
  }
  if (target.path.steps.length > source.path.steps.length && isWithin(target.path, source.path)) {
    throw failure(to, 'FILE_ARGUMENT_INVALID', { advice: 'A folder cannot be moved into itself.' })
  }
}

function checkTarget(
  scope: FileScope,
  { to, target }: Ends,
  {
    entry,
    at,
    options,
  }: { readonly entry: HeldEntry; readonly at: Step; readonly options: MoveOptions },
): void {
  const found = lookFor(scope, at.folder, at.name)
  if (found === undefined) return
  try {
    checkEntry(scope, to, found)
    if (!mayOverwrite(options)) throw failure(to, 'FILE_EXISTS', askToOverwrite)
    const isFolder = found.stats.isDirectory()
    if (isFolder !== entry.stats.isDirectory()) {
      throw failure(to, isFolder ? 'FILE_IS_FOLDER' : 'FILE_NOT_FOLDER')
    }
    if (isFolder) refusePinned(scope, to, target)
    else checkFileStats(to, found.stats)
  } finally {
    scope.access.release(found)
  }
}

async function moveTo(
  scope: FileScope,
  pair: FilePair,
  {
    start,
    entry,
    at,
    options,
  }: {
    readonly start: Step
    readonly entry: HeldEntry
    readonly at: Step
    readonly options: MoveOptions
  },
): Promise<void> {
  options.signal?.throwIfAborted()
  scope.access.confirm(start.folder)
  scope.access.confirm(at.folder)
  const isFile = entry.stats.isFile()
  const path = `${start.folder.at}/${start.name}`
  try {
    const exclusive = isFile && !mayOverwrite(options)
    renameEntry(scope, path, { to: `${at.folder.at}/${at.name}`, exclusive })
  } catch (error) {
    const { code } = systemCode(error)
    if (code === 'ENOENT') throw translateFileError(pair.from, error)
    if (code !== 'EXDEV') throw error
    if (!isFile) {
      throw failure(pair.from, 'FILE_SYSTEM_FAILED', {
        advice: 'It is a folder, and the target is on another disk; move its files one by one.',
        cause: error,
      })
    }
    await copyTo(scope, pair, { entry, at, options })
    scope.access.confirm(start.folder)
    scope.fs.unlinkSync(path)
  }
}

function mayOverwrite({ overwrite = false, exclusive = false }: MoveOptions): boolean {
  return overwrite && !exclusive
}

const askToOverwrite = { advice: 'Set "overwrite" to replace it, or use another name.' }
