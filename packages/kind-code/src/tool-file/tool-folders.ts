import { statSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { ToolPolicy } from '@toolcrib/policy'
import { type FileGuard, type FileGuardOptions, createFileGuard } from '@toolcrib/policy/files'

/** What a call wants to write. */
export interface PlaceToWrite {
  readonly path: string
  readonly isFolder: boolean
  readonly signal: AbortSignal
}

/** What folders are opened from. */
export interface ToolFoldersOptions {
  /** Absolute paths. */
  readonly policy: Pick<ToolPolicy, 'fs_read' | 'fs_write'>
  readonly workspace: string
  /** Allows what the operator allows. */
  readonly operator: FileGuard
}

/**
 * The files and folders of one policy. A guard holds what was there when it was opened, so it is opened anew when something
 * that the policy names came, went or was exchanged; the operator's guard, which it stays within, decides what that may be.
 */
export class ToolFolders {
  readonly #options: ToolFoldersOptions
  readonly #paths: readonly string[]
  #guard: FileGuard | undefined
  #found = ''

  constructor(options: ToolFoldersOptions) {
    this.#options = options
    const { fs_read: read, fs_write: write } = options.policy
    this.#paths = [...new Set([...(read?.paths ?? []), ...(write?.paths ?? [])])]
  }

  /** The guard for what is there now. */
  guard(): FileGuard {
    const found = this.#paths.map(identify).join(' ')
    if (this.#guard !== undefined && found === this.#found) return this.#guard
    const guard = this.#open({})
    // Calls that run on the old one end before it lets go.
    this.#guard?.close()
    this.#guard = guard
    this.#found = found
    return guard
  }

  /** The path of the policy that is not there, at or above a path that is asked for. */
  findMissing(path: string): string | undefined {
    const wanted = resolve(this.#options.workspace, path)
    return this.#paths.find((named) => isAt(wanted, named) && identify(named) === '')
  }

  /**
   * Asks whether the operator allows a path, whatever is there.
   *
   * @throws {ToolPolicyViolation} fs.path, fs.symlink, fs.protected
   */
  async assertAllowed(path: string, signal: AbortSignal): Promise<void> {
    await this.#options.operator.stat(path, { signal })
  }

  /** Makes the declared folder that a write needs, then writes. */
  async withPlaceFor<Value>(
    { isFolder, path, signal }: PlaceToWrite,
    work: (guard: FileGuard) => Promise<Value>,
  ): Promise<Value> {
    const { operator, policy, workspace } = this.#options
    const wanted = resolve(workspace, path)
    const missing = this.#findMissingToWrite(wanted)
    if (missing === undefined) return work(this.guard())
    const isFile = missing === wanted && !isFolder
    const folder = isFile ? dirname(missing) : missing
    await operator.createFolder(folder, { signal })
    if (!isFile) return work(this.guard())
    // Only this very file is named in the policy, and only this very file is written.
    const maxWriteBytes = policy.fs_write?.maxBytes
    const guard = this.#open({
      read: [],
      write: [folder],
      ...(maxWriteBytes === undefined ? {} : { maxWriteBytes }),
    })
    try {
      return await work(guard)
    } finally {
      guard.close()
    }
  }

  close(): void {
    this.#guard?.close()
    this.#guard = undefined
  }

  #findMissingToWrite(wanted: string): string | undefined {
    const { policy } = this.#options
    return policy.fs_write?.paths.find((named) => isAt(wanted, named) && identify(named) === '')
  }

  #open(changes: Partial<FileGuardOptions>): FileGuard {
    const { operator, policy, workspace } = this.#options
    const { fs_read: read, fs_write: write } = policy
    return createFileGuard({
      read: read?.paths ?? [],
      write: write?.paths ?? [],
      baseFolder: workspace,
      within: operator,
      ...(read?.maxBytes === undefined ? {} : { maxReadBytes: read.maxBytes }),
      ...(write?.maxBytes === undefined ? {} : { maxWriteBytes: write.maxBytes }),
      ...changes,
    })
  }
}

/** What tells one file or folder from another that has the same path; empty where nothing is. */
function identify(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false, bigint: true })
    return stats === undefined ? '' : `${stats.dev}:${stats.ino}`
  } catch {
    // The guard says what is wrong with it.
    return 'unreadable'
  }
}

function isAt(path: string, folder: string): boolean {
  const steps = relative(folder, path)
  return steps === '' || (!/^\.\.(?:[\\/]|$)/.test(steps) && !isAbsolute(steps))
}
