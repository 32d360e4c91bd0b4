import type { FolderHolder } from './folder-holder.ts'

/** Every code that locking a folder can report, with what it means. */
export const folderLockErrorCatalogue = {
  FOLDER_LOCKED: 'Another owner, in this process or in another, holds the folder.',
  FOLDER_UNUSABLE: 'The folder cannot be created, or its lock file cannot be written.',
} as const

/** A code from {@link folderLockErrorCatalogue}. */
export type FolderLockErrorCode = keyof typeof folderLockErrorCatalogue

// The mark by which `ToolError.is` of @toolcrib/registry knows an error; this package has no dependency to take it from.
const toolErrorMark = Symbol.for('toolcrib.ToolError')

/** Thrown when somebody else owns the folder. */
export class FolderLockedError extends Error {
  override readonly name: string = 'FolderLockedError'
  readonly code = 'FOLDER_LOCKED' as const
  /** The folder, and its owner as far as it is known. */
  readonly data: { readonly path: string; readonly holder?: FolderHolder }

  constructor(path: string, holder?: FolderHolder) {
    super(describeLocked(path, holder))
    this.data = holder === undefined ? { path } : { path, holder }
    Object.defineProperty(this, toolErrorMark, { value: true })
  }

  /** The error as JSON, without its stack. */
  toJSON(): { name: string; code: string; message: string; data: object } {
    return { name: this.name, code: this.code, message: this.message, data: this.data }
  }
}

/** Thrown when the folder or its lock file cannot be made or written; `cause` says why. */
export class FolderUnusableError extends Error {
  override readonly name: string = 'FolderUnusableError'
  readonly code = 'FOLDER_UNUSABLE' as const
  /** The folder. */
  readonly data: { readonly path: string }

  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(
      `Folder "${path}" cannot be locked: ${reason}. Check that it is a folder that this user may write to, on a local disk with free space.`,
      { cause },
    )
    this.data = { path }
    Object.defineProperty(this, toolErrorMark, { value: true })
  }

  /** The error as JSON, without stack and cause. */
  toJSON(): { name: string; code: string; message: string; data: object } {
    return { name: this.name, code: this.code, message: this.message, data: this.data }
  }
}

function describeLocked(path: string, holder: FolderHolder | undefined): string {
  const advice = 'Stop that process, or use another folder.'
  if (holder === undefined) return `Folder "${path}" is locked by another owner. ${advice}`
  const purpose = holder.purpose === undefined ? '' : ` for "${holder.purpose}"`
  const since = new Date(holder.since).toISOString()
  return `Folder "${path}" is locked by process ${holder.pid}${purpose} since ${since}. ${advice}`
}
