import type { EntryStats } from '@toolcrib/policy/files'
import { toolsmakerError } from '../error-catalogue.ts'

/** Whose files they are; errors about them say so. */
export type FolderUse = 'store' | 'trust'

/** A file or folder of the store or the trust, as errors name it. */
export interface NamedEntry {
  readonly use: FolderUse
  readonly path: string
}

/**
 * Refuses a file that is not the host's own, plain file with one name: through any other, whoever writes the folder could have
 * the host read, change or show a file that lies elsewhere.
 *
 * @throws {ToolError} STORE_INVALID or TRUST_INVALID, with the file, the rule and what to do.
 */
export function assertOwnFile(entry: NamedEntry, stats: EntryStats): void {
  assertNoLink(entry, stats)
  if (stats.isDirectory())
    throw Object.assign(new Error(`EISDIR: ${entry.path} is a folder, not a file`), {
      code: 'EISDIR',
    })
  if (!stats.isFile()) throw refuse(entry, 'special', 'is a pipe, socket or device')
  if (stats.nlink > 1) throw refuse(entry, 'hard-link', `has ${stats.nlink} names (hard links)`)
  assertOwner(entry, stats)
}

/**
 * Refuses what is not the host's own folder.
 *
 * @throws {ToolError} STORE_INVALID or TRUST_INVALID, with the folder, the rule and what to do.
 */
export function assertOwnFolder(entry: NamedEntry, stats: EntryStats): void {
  assertNoLink(entry, stats)
  if (!stats.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: ${entry.path} is not a folder`), { code: 'ENOTDIR' })
  assertOwner(entry, stats)
}

/** Refuses a link, whoever made it. */
export function assertNoLink(entry: NamedEntry, stats: EntryStats): void {
  if (stats.isSymbolicLink())
    throw refuse(entry, 'symbolic-link', 'is a symbolic link, and links are not followed')
}

function assertOwner(entry: NamedEntry, { uid }: EntryStats): void {
  const own = process.getuid?.()
  if (own === undefined || uid === own) return
  // An operator may keep what is trusted out of the host's own reach.
  if (entry.use === 'trust' && uid === 0) return
  throw refuse(entry, 'owner', `belongs to user ${uid}, and this process runs as user ${own}`)
}

type FileRule = 'symbolic-link' | 'special' | 'hard-link' | 'owner'

function refuse({ path, use }: NamedEntry, rule: FileRule, why: string): Error {
  const code = use === 'store' ? 'STORE_INVALID' : 'TRUST_INVALID'
  const folder = use === 'store' ? 'event store' : 'trust directory'
  return toolsmakerError(
    code,
    `${path} ${why}. Nothing was read from it or written to it. In the ${folder} each file must be a plain file of this ` +
      'user with one name, and each folder a plain folder: find out who put it there, then remove it, or put a copy of ' +
      'the file in its place.',
    { data: { file: path, rule } },
  )
}
