import type { EntryStats, HeldEntry } from './file-access.ts'
import { type FileAttempt, failure } from './file-attempt.ts'
import { checkFile, type FileScope } from './paths/file-scope.ts'

/** A plain file that was opened after all checks. */
export interface OpenedFile {
  readonly descriptor: number
  readonly stats: EntryStats
}

/** Opens a file that was found, and checks what was opened. The caller closes the descriptor. */
export function openFile(
  scope: FileScope,
  attempt: FileAttempt,
  { entry, flags }: { readonly entry: HeldEntry; readonly flags: number },
): OpenedFile {
  checkFile(scope, attempt, entry)
  const opened = scope.access.open(entry, flags)
  if (opened.stats === entry.stats) return opened
  try {
    checkFile(scope, attempt, { ...entry, stats: opened.stats })
    return opened
  } catch (error) {
    scope.fs.closeSync(opened.descriptor)
    throw error
  }
}

/** Refuses the allowed folder itself where a file is meant, and a path such as `a.txt/`. */
export function requireFileName(
  attempt: FileAttempt,
  name: string | undefined,
  namesFolder: boolean,
): string {
  if (name !== undefined && !namesFolder) return name
  throw failure(attempt, 'FILE_IS_FOLDER', {
    advice: 'Name a file; only the path of a folder ends with a slash or a dot.',
  })
}
