import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ToolPolicy } from '@toolcrib/policy'
import { type FileGuard, createFileGuard } from '@toolcrib/policy/files'
import { type CallerGuards, createCallerGuards } from '../caller-guards.ts'

/**
 * The guards of a file tool for calls that came through made tools: within the tool's own guard, so that a link or a name in a
 * caller's policy leads to nothing that the tool itself may not touch.
 *
 * @param guard the tool's own
 * @param workspace what relative paths in a caller's policy start from
 */
export function createFileCallerGuards(
  guard: FileGuard,
  workspace: string,
): CallerGuards<FileGuard> {
  return createCallerGuards({
    // A folder that was made anew, or only now, is another one for a guard.
    state: (policy) =>
      pathsOf(policy)
        .map((path) => identify(resolve(workspace, path)))
        .join(),
    open: ({ fs_read: read, fs_write: write }) =>
      createFileGuard({
        within: guard,
        baseFolder: workspace,
        read: read?.paths ?? [],
        write: write?.paths ?? [],
        ...(read?.maxBytes === undefined ? {} : { maxReadBytes: read.maxBytes }),
        ...(write?.maxBytes === undefined ? {} : { maxWriteBytes: write.maxBytes }),
      }),
  })
}

function pathsOf({ fs_read: read, fs_write: write }: ToolPolicy): readonly string[] {
  return [...new Set([...(read?.paths ?? []), ...(write?.paths ?? [])])]
}

function identify(path: string): string {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return ''
  }
}
