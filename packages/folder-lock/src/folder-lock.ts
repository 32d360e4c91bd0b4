import { type Stats, closeSync, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { assertOptions } from './assert-options.ts'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { FolderLockedError, FolderUnusableError } from './folder-lock-error.ts'
import { type FolderHolder, readHolder, removeHolder, writeHolder } from './folder-holder.ts'

/** Options of {@link lockFolder}. */
export interface LockFolderOptions {
  /** What the folder is wanted for; shown to whoever is refused. */
  readonly purpose?: string
  /** How long to wait for another owner to let go, in milliseconds. @default 0 */
  readonly waitMs?: number
  /** Ends the wait. */
  readonly signal?: AbortSignal
  /** The clock behind `since`, milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** A folder owned by this process, until `release` or the end of the process. */
export interface FolderLock {
  /** The folder as an absolute path without symbolic links. */
  readonly path: string
  /** Lets go of the folder. Calling it again does nothing. */
  release(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const pollMs = 20

// Two that start in the same instant can each meet the other half way and both be refused; a few tries settle it.
const minimumTries = 4
const settleMs = 4

// An open database is closed when it is collected as garbage, and that would free the lock: held ones are kept here.
const held = new Set<DatabaseSync>()

/**
 * Owns a folder from this process; makes the folder (0700) when it is missing.
 *
 * The lock is a kernel lock on `.lock.sqlite` in the folder, so it ends with the process, however the process ends.
 * Child processes do not inherit it.
 *
 * @throws {FolderLockedError} FOLDER_LOCKED when another owner, in this process or another, holds it (after `waitMs`).
 * @throws {FolderUnusableError} FOLDER_UNUSABLE when the folder or the lock file cannot be made or written.
 * @throws {OptionsError} OPTIONS_INVALID when an option is not known.
 * @throws the signal's reason when the signal is aborted.
 */
export async function lockFolder(
  path: string,
  options: LockFolderOptions = {},
): Promise<FolderLock> {
  assertOptions('lockFolder', options, ['purpose', 'waitMs', 'signal', 'now'])
  const { purpose, waitMs = 0, signal, now = Date.now } = options
  signal?.throwIfAborted()
  const folder = prepareFolder(path)
  const giveUpAt = performance.now() + waitMs
  for (let tries = 1; ; tries += 1) {
    const database = tryLock(folder)
    if (database !== undefined) {
      const holder = { pid: process.pid, since: now() }
      return own(database, folder, purpose === undefined ? holder : { ...holder, purpose })
    }
    const leftMs = giveUpAt - performance.now()
    if (leftMs <= 0 && tries >= minimumTries)
      throw new FolderLockedError(folder, readHolder(folder))
    const pauseMs = leftMs <= 0 ? Math.random() * settleMs : Math.min(pollMs, leftMs)
    // oxlint-disable-next-line no-await-in-loop -- each attempt must see what the pause before it brought
    await wait(pauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
  }
}

function prepareFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const folder = realpathSync(path)
    createPrivateFile(join(folder, '.lock.sqlite'))
    return folder
  } catch (error) {
    throw new FolderUnusableError(resolve(path), error)
  }
}

/** Opening an existing file here and closing it again would drop the kernel's locks of this whole process on it. */
function createPrivateFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Looks at the lock file, which SQLite would open through links: whoever may write to the folder could have this process make a
 * file elsewhere, or lock one that is not its own.
 */
function lookAtLockFile(path: string): Stats {
  const stats = lstatSync(path)
  const user = process.getuid?.()
  const isOwn = user === undefined || stats.uid === user
  if (stats.isFile() && stats.nlink === 1 && isOwn) return stats
  throw new Error(
    `${path} is not a plain file of this user with one name. Find out who put it there, and remove it`,
  )
}

/** Gives the database that holds the lock, or undefined when somebody else does. */
function tryLock(folder: string): DatabaseSync | undefined {
  let database: DatabaseSync | undefined
  try {
    const path = join(folder, '.lock.sqlite')
    const { ino } = lookAtLockFile(path)
    database = new DatabaseSync(path, { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
    if (lookAtLockFile(path).ino === ino) return database
    throw new Error(`${path} was exchanged while it was opened`)
  } catch (error) {
    if (database?.isOpen) database.close()
    if (isBusy(error)) return undefined
    throw new FolderUnusableError(folder, error)
  }
}

const sqliteBusy = 5

/** The low byte of an extended result code is the primary one. */
function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: unknown }).errcode
  return typeof code === 'number' && (code & 0xff) === sqliteBusy
}

function own(database: DatabaseSync, folder: string, holder: FolderHolder): FolderLock {
  try {
    writeHolder(folder, holder)
  } catch (error) {
    database.close()
    throw new FolderUnusableError(folder, error)
  }
  held.add(database)
  const release = async (): Promise<void> => {
    if (!held.delete(database)) return
    try {
      removeHolder(folder)
    } finally {
      database.close()
    }
  }
  return { path: folder, release, [Symbol.asyncDispose]: release }
}
