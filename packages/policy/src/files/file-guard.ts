import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { openFileGuard } from './file-guard-calls.ts'

/** What a file guard allows. Paths may be absolute or relative to `baseFolder`. */
export interface FileGuardOptions {
  /** Files and folders that may be read. @default none */
  readonly read?: readonly string[]
  /** Files and folders that may be changed; they may not be read unless they are named in `read` too. @default none */
  readonly write?: readonly string[]
  /** What relative paths start from. @default the first folder of `read`, else of `write` */
  readonly baseFolder?: string
  /** Never reachable, also below an allowed folder: the host's own data. @default none */
  readonly denied?: readonly string[]
  /**
   * Allows only what this guard allows too, which stays open at least as long: for a caller that has a policy of its own.
   * Its limits count where they are smaller. What is named in `read` and `write` and is not there, or lies behind a link that the
   * other guard would not follow, is left out.
   *
   * @default none
   */
  readonly within?: FileGuard
  /** The largest read, in bytes. @default 1_048_576 */
  readonly maxReadBytes?: number
  /** The largest file that a write may leave, in bytes. @default 1_048_576 */
  readonly maxWriteBytes?: number
}

/** What is known about a file or folder. */
export interface FileFacts {
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly bytes: number
  /** ISO 8601. */
  readonly modifiedAt: string
  /** Permission bits, such as 0o644. */
  readonly mode: number
}

/** An entry of a folder. */
export interface FolderEntry extends FileFacts {
  readonly name: string
}

export interface ReadFileOptions {
  readonly signal?: AbortSignal
  /** Where to begin, in bytes. @default 0 */
  readonly offset?: number
  /** How many bytes at most; the rest of the file is not looked at. @default the whole file, which must then fit the limit */
  readonly length?: number
}

export interface WriteFileOptions {
  readonly signal?: AbortSignal
  /** Makes folders that are missing, inside the allowed folder; they stay when the rest fails. @default false */
  readonly createParents?: boolean
  /** Fails with FILE_EXISTS rather than replace a file. @default false */
  readonly exclusive?: boolean
}

export interface ListFolderOptions {
  readonly signal?: AbortSignal
  /** How many entries at most. @default 10_000 */
  readonly maxEntries?: number
  /** Also gives type, size, time and mode of each. @default false */
  readonly details?: boolean
}

export interface MoveOptions extends WriteFileOptions {
  /** Replaces what is there. @default false */
  readonly overwrite?: boolean
}

/**
 * Files, seen through a policy. Every function opens step by step from a folder that is held open, follows no link, and
 * checks what it opened rather than the path that it was given.
 *
 * Every function throws {@link ToolPolicyViolation} for what the policy forbids, and a `ToolError` with a code of
 * `policyErrorCatalogue` (FILE_NOT_FOUND, FILE_IS_FOLDER, …) for what the file system refuses. The one of a signal is
 * thrown as it is.
 *
 * Only plain files with a single name and folders are used: links, files with several names, pipes, sockets and devices
 * are told of by `stat` and `listFolder`, and refused by everything else. Protected names are listed and otherwise refused.
 */
export interface FileGuard {
  /** Reads a file or a part of it; larger ones in steps between which the signal is looked at. */
  readFile(path: string, options?: ReadFileOptions): Promise<Buffer>
  /**
   * Writes whole: a temporary file beside it, fsync, rename. A file that is replaced keeps its permissions. A stream is
   * written as it comes, up to the limit.
   */
  writeFile(
    path: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    options?: WriteFileOptions,
  ): Promise<void>
  /** Appends at once, and takes back what was written when the rest fails; the limit holds for the whole file. */
  appendFile(path: string, content: Uint8Array, options?: WriteFileOptions): Promise<void>
  deleteFile(path: string, options?: { readonly signal?: AbortSignal }): Promise<void>
  /** Deletes an empty folder. */
  deleteFolder(path: string, options?: { readonly signal?: AbortSignal }): Promise<void>
  /** `undefined` where there is nothing. A link is reported, not followed. Needs the right to read or to write. */
  stat(path: string, options?: { readonly signal?: AbortSignal }): Promise<FileFacts | undefined>
  /** Sorted by name; of a longer folder than `maxEntries` some names, marked as truncated. */
  listFolder(
    path: string,
    options?: ListFolderOptions,
  ): Promise<{
    readonly entries: readonly (FolderEntry | { readonly name: string })[]
    readonly truncated: boolean
  }>
  /** Makes a folder and those above it, inside the allowed folder; one that is there stays as it is. */
  createFolder(path: string, options?: { readonly signal?: AbortSignal }): Promise<void>
  /**
   * Moves a file or a folder; needs the right to write at both ends, and to read at the first if the second may be read.
   * To another disk a file is copied, up to `maxWriteBytes`; folders stay on theirs.
   */
  move(from: string, to: string, options?: MoveOptions): Promise<void>
  /** Copies a file of up to `maxWriteBytes`, in steps. */
  copy(from: string, to: string, options?: MoveOptions): Promise<void>
  /** The real place of a folder that may be used, for programs that must be given a path; holds nothing open. */
  resolveFolder(path: string, access: 'read' | 'write'): string
  /** Lets go of the folders that are held open, once running calls are done; later calls fail with FILE_GUARD_CLOSED. */
  close(): void
}

const fileGuardOptionNames: KnownOptions<FileGuardOptions> = {
  read: true,
  write: true,
  baseFolder: true,
  denied: true,
  within: true,
  maxReadBytes: true,
  maxWriteBytes: true,
}

/**
 * Opens a guard and pins the allowed files and folders to where they are now: a link named in `read` or `write` means
 * its present target for as long as the guard lives.
 *
 * @throws {ToolError} POLICY_INVALID when an allowed path does not exist or is too wide.
 * @throws {ToolPolicyViolation} fs.special when one is a device or leads into the kernel.
 */
export function createFileGuard(options: FileGuardOptions): FileGuard {
  assertOptions<FileGuardOptions>('createFileGuard', options, fileGuardOptionNames)
  return openFileGuard(options)
}
