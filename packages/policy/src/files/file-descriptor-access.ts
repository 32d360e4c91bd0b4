import { constants } from 'node:fs'
import type { FileAccess, HeldEntry } from './file-access.ts'
import { EntryMovedError, systemCode } from './file-attempt.ts'
import type { FileSystemCalls } from './file-system-calls.ts'

/** Opens nothing, only holds: no device starts, no pipe gets a reader, no permission to read is needed. Linux only. */
const holdOnly = 0o10000000
const hold = holdOnly | constants.O_NOFOLLOW

interface DescriptorEntry extends HeldEntry {
  readonly descriptor: number
}

/**
 * Linux: every step is opened in the folder that is held open, as `/proc/<process>/fd/<number>/<name>`, without following it.
 * From then on only what was opened is used, so exchanging names behind our back changes nothing.
 *
 * @returns undefined where the system has no such paths
 */
export function createDescriptorAccess(fs: FileSystemCalls): FileAccess | undefined {
  const descriptors = process.platform === 'linux' ? findDescriptorPaths(fs) : undefined
  if (descriptors === undefined) return undefined

  const holdAt = (path: string, folder: HeldEntry | undefined): DescriptorEntry => {
    const descriptor = fs.openSync(path, hold)
    try {
      const stats = fs.fstatSync(descriptor)
      return { descriptor, at: `${descriptors}/${descriptor}`, stats, folder }
    } catch (error) {
      fs.closeSync(descriptor)
      throw error
    }
  }
  const realPath = (entry: HeldEntry): string => fs.readlinkSync(entry.at)

  return {
    openRoot: (path) => {
      const root = holdAt(path, undefined)
      // A link may have come into the path after it was resolved.
      if (realPath(root) === path) return root
      fs.closeSync(root.descriptor)
      throw new EntryMovedError(`${path} was exchanged while it was opened`)
    },
    look: (folder, name) => holdAt(`${folder.at}/${name}`, folder),
    // The path of a descriptor leads to what is held and nowhere else, whatever its names are by now.
    open: (entry, flags) => ({
      descriptor: fs.openSync(entry.at, flags | constants.O_NONBLOCK | constants.O_NOCTTY),
      stats: entry.stats,
    }),
    create: (folder, name, { flags, mode }) =>
      fs.openSync(
        `${folder.at}/${name}`,
        flags | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        mode,
      ),
    discard: (folder, name) => {
      try {
        fs.unlinkSync(`${folder.at}/${name}`)
      } catch {
        // It is gone, or the folder is.
      }
    },
    confirm: (folder) => {
      let root = folder
      while (root.folder !== undefined) root = root.folder
      if (root === folder) return ''
      if (!realPath(folder).startsWith(`${realPath(root)}/`)) {
        throw new EntryMovedError('the folder was moved out of the allowed one')
      }
      // What is held cannot be exchanged.
      return ''
    },
    realPath,
    release: (entry) => fs.closeSync((entry as DescriptorEntry).descriptor),
  }
}

/** The folder in which every open descriptor stands; by the number of the process, for each link on the way takes time. */
function findDescriptorPaths(fs: FileSystemCalls): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = fs.openSync('/', hold)
    const descriptors = `/proc/${fs.readlinkSync('/proc/self')}/fd`
    const held = fs.fstatSync(descriptor, { bigint: true })
    const seen = fs.lstatSync(`${descriptors}/${descriptor}/.`, { bigint: true })
    const isSame = held.isDirectory() && held.ino === seen.ino && held.dev === seen.dev
    return isSame ? descriptors : undefined
  } catch (error) {
    // Only the absence of these paths is a reason to do without them; a lack of descriptors is not.
    const { code = '' } = systemCode(error)
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'EINVAL'].includes(code)) return undefined
    throw error
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}
