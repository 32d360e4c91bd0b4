import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Who owns a folder, as the owner wrote it down. It informs people; the lock itself lives in the kernel. */
export interface FolderHolder {
  readonly pid: number
  /** When the folder was locked, milliseconds since the epoch. */
  readonly since: number
  /** What the owner said it wants the folder for. */
  readonly purpose?: string
}

const maxPurposeLength = 200

const holderPath = (folder: string): string => join(folder, '.lock.json')

/** Writes down who owns the folder. The rename makes it whole or absent for readers. */
export function writeHolder(folder: string, holder: FolderHolder): void {
  const partPath = `${holderPath(folder)}.${holder.pid}.part`
  // What an earlier process of this number left, or somebody put there: a link would be written through.
  rmSync(partPath, { force: true })
  writeFileSync(partPath, JSON.stringify(holder), { mode: 0o600, flag: 'wx' })
  renameSync(partPath, holderPath(folder))
}

/** Takes the note away; to be called while the lock is still held, so that it never removes a successor's. */
export function removeHolder(folder: string): void {
  rmSync(holderPath(folder), { force: true })
}

/** Reads who owns the folder; undefined when there is no note or it makes no sense. */
export function readHolder(folder: string): FolderHolder | undefined {
  try {
    const note = JSON.parse(
      readFileSync(holderPath(folder), 'utf8'),
    ) as Partial<FolderHolder> | null
    if (!Number.isSafeInteger(note?.pid) || !isTime(note?.since)) return undefined
    const { pid, since } = note as FolderHolder
    const purpose: unknown = note?.purpose
    return typeof purpose === 'string'
      ? { pid, since, purpose: purpose.slice(0, maxPurposeLength) }
      : { pid, since }
  } catch {
    return undefined
  }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime())
}
