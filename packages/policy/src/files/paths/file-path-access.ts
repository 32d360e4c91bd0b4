import { type BigIntStats, constants } from 'node:fs'
import type { EntryStats, FileAccess, HeldEntry } from '../file-access.ts'
import { EntryMovedError } from '../file-attempt.ts'
import type { FileSystemCalls } from '../file-system-calls.ts'

/** How often a step is tried again when folders above change meanwhile. */
const maxTries = 20
const maxDiscardTries = 1_000

// Windows has none of these.
const noFollow = constants.O_NOFOLLOW ?? 0
const noBlock = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

interface PathEntry extends HeldEntry {
  readonly folder: PathEntry | undefined
  readonly exact: BigIntStats
}

/**
 * For systems that cannot open a name in a folder that is held open. Paths are used, and around each use every folder of
 * the path is compared with what it was: device, inode, and that nothing was renamed in the folders above.
 *
 * What a program on the same machine can still do, if it may rename in an allowed folder and hits the moment between two
 * system calls: have the file of that name in a folder of its choice deleted, have a file moved there, have an empty folder
 * or an empty file of ours made there; by hitting twice within one tick of the file system's clock, learn names or content.
 */
export function createPathAccess(fs: FileSystemCalls): FileAccess {
  const lookAt = (at: string, folder: PathEntry | undefined): PathEntry => {
    const exact = fs.lstatSync(at, { bigint: true })
    return { at, folder, exact, stats: toStats(exact) }
  }
  const guarded = <Value>(
    folder: HeldEntry,
    use: () => Value,
    undo: (value: Value) => void,
  ): Value => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const before = observe(fs, folder as PathEntry)
      const value = use()
      try {
        if (observe(fs, folder as PathEntry) === before) return value
      } catch (error) {
        undo(value)
        throw error
      }
      undo(value)
    }
    throw new EntryMovedError('the folders of the path change too often')
  }

  return {
    openRoot: (path) => lookAt(path, undefined),
    // What it finds is compared again with all the folders above before anything is done with it.
    look: (folder, name) => lookAt(`${folder.at}/${name}`, folder as PathEntry),
    open: (entry, flags) =>
      guarded(
        entry.folder ?? entry,
        () => {
          const descriptor = fs.openSync(entry.at, flags | noFollow | noBlock)
          try {
            const opened = fs.fstatSync(descriptor, { bigint: true })
            if (!isSame(opened, fs.lstatSync(entry.at, { bigint: true }))) {
              throw new EntryMovedError('it was exchanged while it was opened')
            }
            return { descriptor, stats: toStats(opened) }
          } catch (error) {
            fs.closeSync(descriptor)
            throw error
          }
        },
        ({ descriptor }) => fs.closeSync(descriptor),
      ),
    create: (folder, name, { flags, mode }) => {
      const at = `${folder.at}/${name}`
      return guarded(
        folder,
        () => fs.openSync(at, flags | constants.O_CREAT | constants.O_EXCL | noFollow, mode),
        (descriptor) => {
          fs.closeSync(descriptor)
          discard(fs, at)
        },
      )
    },
    discard: (folder, name) => discard(fs, `${folder.at}/${name}`),
    confirm: (folder) => observe(fs, folder as PathEntry),
    realPath: (entry) => {
      observe(fs, entry as PathEntry)
      return entry.at
    },
    release: () => undefined,
  }
}

/** Compares every folder of the path with what was found; gives what changes whenever one of them is exchanged. */
function observe(fs: FileSystemCalls, folder: PathEntry): string {
  const changes: bigint[] = []
  for (let step: PathEntry | undefined = folder; step !== undefined; step = step.folder) {
    const now = fs.lstatSync(step.at, { bigint: true })
    if (!isSame(now, step.exact)) throw new EntryMovedError('a folder of the path was exchanged')
    // Our own work changes the innermost folder; exchanging it changes the one above.
    if (step !== folder) changes.push(now.ctimeNs)
  }
  return changes.join()
}

/** Removes a file of ours. Its name is unguessable, so that no other can be hit wherever the path leads. */
function discard(fs: FileSystemCalls, path: string): void {
  for (let tries = 0; tries < maxDiscardTries; tries += 1) {
    try {
      fs.unlinkSync(path)
      return
    } catch {
      // The folder may be exchanged just now, and back in a moment; or it may be gone.
    }
  }
}

function isSame(left: BigIntStats, right: BigIntStats): boolean {
  return (
    left.ino === right.ino &&
    left.dev === right.dev &&
    // lstat has told that it is no link.
    !right.isSymbolicLink() &&
    left.isDirectory() === right.isDirectory()
  )
}

function toStats(exact: BigIntStats): EntryStats {
  return {
    dev: Number(exact.dev),
    ino: Number(exact.ino),
    nlink: Number(exact.nlink),
    size: Number(exact.size),
    mode: Number(exact.mode),
    uid: Number(exact.uid),
    gid: Number(exact.gid),
    mtimeMs: Number(exact.mtimeMs),
    isFile: () => exact.isFile(),
    isDirectory: () => exact.isDirectory(),
    isSymbolicLink: () => exact.isSymbolicLink(),
  }
}
