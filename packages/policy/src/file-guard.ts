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
  /** Makes folders that are missing, inside the allowed folder. @default false */
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
 * `policyErrorCatalogue` (FILE_NOT_FOUND, FILE_IS_FOLDER, …) for what the file system refuses.
 */
export interface FileGuard {
  readFile(path: string, options?: ReadFileOptions): Promise<Buffer>
  /** Writes whole: a temporary file beside it, fsync, rename. */
  writeFile(path: string, content: Uint8Array, options?: WriteFileOptions): Promise<void>
  appendFile(path: string, content: Uint8Array, options?: WriteFileOptions): Promise<void>
  deleteFile(path: string, options?: { readonly signal?: AbortSignal }): Promise<void>
  /** `undefined` where there is nothing. A link is reported, not followed. */
  stat(path: string, options?: { readonly signal?: AbortSignal }): Promise<FileFacts | undefined>
  listFolder(
    path: string,
    options?: ListFolderOptions,
  ): Promise<{
    readonly entries: readonly (FolderEntry | { readonly name: string })[]
    readonly truncated: boolean
  }>
  createFolder(path: string, options?: { readonly signal?: AbortSignal }): Promise<void>
  move(from: string, to: string, options?: MoveOptions): Promise<void>
  copy(from: string, to: string, options?: MoveOptions): Promise<void>
  /** The real place of a folder that may be used, for programs that must be given a path; holds nothing open. */
  resolveFolder(path: string, access: 'read' | 'write'): string
  /** Lets go of the folders that are held open. */
  close(): void
}

/**
 * Opens a guard and pins the allowed files and folders to where they are now: a link named in `read` or `write` means
 * its present target for as long as the guard lives.
 *
 * @throws {ToolError} POLICY_INVALID when an allowed path does not exist or is too wide.
 */
export function createFileGuard(_options: FileGuardOptions): FileGuard {
  throw new Error('being built')
}
