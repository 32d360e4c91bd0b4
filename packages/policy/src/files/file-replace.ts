import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import type { EntryStats, HeldEntry } from './file-access.ts'
import { systemCode } from './file-attempt.ts'
import type { FileScope } from './paths/file-scope.ts'
import { syncFile, syncFolder } from './paths/file-walk.ts'

/** What a new content is to become. */
export interface Replacement {
  readonly folder: HeldEntry
  readonly name: string
  /** What is there now, whose permissions are kept. */
  readonly replaced: EntryStats | undefined
  /** Fails with EEXIST when something came there meanwhile. */
  readonly exclusive: boolean
  /** For a new file; the process's umask is taken away. @default 0o666 */
  readonly mode?: number
  readonly signal: AbortSignal | undefined
}

/**
 * Gives a name new content, at once or not at all: a temporary file beside it, filled, put on the disk, renamed. When
 * anything fails the temporary file is removed and what was there stays.
 */
export async function replaceFile(
  scope: FileScope,
  replacement: Replacement,
  fill: (descriptor: number) => Promise<void>,
): Promise<void> {
  const { folder, replaced, signal } = replacement
  const part = `.toolcrib-${randomBytes(12).toString('hex')}.part`
  // Until it has the permissions of the old file nobody else may read it.
  const mode = replaced === undefined ? (replacement.mode ?? 0o666) : 0o600
  const descriptor = scope.access.create(folder, part, { flags: constants.O_WRONLY, mode })
  try {
    try {
      await fill(descriptor)
      if (replaced !== undefined) keepOwnership(scope, descriptor, replaced)
      await syncFile(scope, descriptor)
    } finally {
      scope.fs.closeSync(descriptor)
    }
    signal?.throwIfAborted()
    scope.access.confirm(folder)
    commit(scope, replacement, part)
  } catch (error) {
    scope.access.discard(folder, part)
    throw error
  }
  await syncFolder(scope, folder)
}

/** Renames, without replacing anything if so wanted; between the two calls of a link and an unlink both names exist. */
export function renameEntry(
  scope: FileScope,
  from: string,
  { to, exclusive }: { readonly to: string; readonly exclusive: boolean },
): void {
  if (!exclusive) {
    scope.fs.renameSync(from, to)
    return
  }
  try {
    scope.fs.linkSync(from, to)
  } catch (error) {
    // Some file systems have no links, and some systems forbid links to other people's files.
    const { code = '' } = systemCode(error)
    if (!['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code))
      throw error
    requireAbsent(scope, to)
    scope.fs.renameSync(from, to)
    return
  }
  scope.fs.unlinkSync(from)
}

function commit(scope: FileScope, { folder, name, exclusive }: Replacement, part: string): void {
  renameEntry(scope, `${folder.at}/${part}`, { to: `${folder.at}/${name}`, exclusive })
}

function requireAbsent(scope: FileScope, path: string): void {
  try {
    scope.fs.lstatSync(path)
  } catch (error) {
    if (systemCode(error).code === 'ENOENT') return
    throw error
  }
  throw Object.assign(new Error('it exists already'), { code: 'EEXIST' })
}

function keepOwnership(scope: FileScope, descriptor: number, { mode, uid, gid }: EntryStats): void {
  try {
    const made = scope.fs.fstatSync(descriptor)
    if (made.uid !== uid || made.gid !== gid) scope.fs.fchownSync(descriptor, uid, gid)
  } catch (error) {
    // Only the system's administrator can give files away.
    if (systemCode(error).code !== 'EPERM') throw error
  }
  scope.fs.fchmodSync(descriptor, mode & 0o777)
}
