import { assertOptions } from '@toolcrib/registry'
import type { FileAccess } from './file-access.ts'
import { createDescriptorAccess } from './file-descriptor-access.ts'
import { type FileSystemCalls, nodeFileSystem } from './file-system-calls.ts'
import { createPathAccess } from './paths/file-path-access.ts'

/** How files are reached; tests exchange it. */
export interface FileAccessOptions {
  /** @default node:fs */
  readonly fs?: FileSystemCalls
  /** Uses paths where descriptors could be used. @default false */
  readonly forcePaths?: boolean
}

/** The best way of this system to reach files so that what was checked is what is used: by descriptors, else by paths. */
export function openFileAccess(options: FileAccessOptions = {}): FileAccess {
  assertOptions<FileAccessOptions>('openFileAccess', options, { fs: true, forcePaths: true })
  const { fs = nodeFileSystem, forcePaths = false } = options
  return (forcePaths ? undefined : createDescriptorAccess(fs)) ?? createPathAccess(fs)
}
