import { ToolError } from '@toolcrib/registry'
import { type FileAttempt, translateFileError } from './file-attempt.ts'
import { toFacts } from './file-folder.ts'
import type { FileFacts } from './file-guard.ts'
import { requireFileName } from './file-open.ts'
import {
  checkEntry,
  checkFile,
  type FileScope,
  type FileTarget,
  locate,
} from './paths/file-scope.ts'
import { lookSteadily, withFolder } from './paths/file-walk.ts'
import { ToolPolicyViolation } from '../policies/policy-violation.ts'

/** See {@link FileGuard.deleteFile}. */
export async function deleteFile(scope: FileScope, attempt: FileAttempt): Promise<void> {
  const target = locate(scope, attempt)
  await withFolder(scope, { ...target, attempt }, (place) => {
    const name = requireFileName(attempt, place.name, target.path.namesFolder)
    const entry = scope.access.look(place.folder, name)
    try {
      checkFile(scope, attempt, entry)
      scope.access.confirm(place.folder)
      scope.fs.unlinkSync(`${place.folder.at}/${name}`)
    } finally {
      scope.access.release(entry)
    }
  })
}

/** See {@link FileGuard.stat}. */
export async function statEntry(
  scope: FileScope,
  attempt: FileAttempt,
): Promise<FileFacts | undefined> {
  const target = locateForEither(scope, attempt)
  try {
    return await withFolder(scope, { ...target, attempt }, ({ folder, name }) => {
      if (name === undefined) return toFacts(folder.stats)
      return lookSteadily(scope, folder, () => {
        const entry = scope.access.look(folder, name)
        try {
          if (target.path.namesFolder && !entry.stats.isDirectory()) return undefined
          // A link is told of, not followed; whatever else may not be reached is refused.
          if (!entry.stats.isSymbolicLink()) checkEntry(scope, attempt, entry)
          return toFacts(entry.stats)
        } finally {
          scope.access.release(entry)
        }
      })
    })
  } catch (error) {
    const told = translateFileError(attempt, error)
    if (ToolError.is(told, 'FILE_NOT_FOUND') || ToolError.is(told, 'FILE_NOT_FOLDER'))
      return undefined
    throw told
  }
}

/** Who may change a file may know of it, even if not what is in it. */
function locateForEither(scope: FileScope, attempt: FileAttempt): FileTarget {
  try {
    return locate(scope, attempt)
  } catch (error) {
    if (!ToolPolicyViolation.isViolation(error) || error.rule !== 'fs.path') throw error
    try {
      return locate(scope, { ...attempt, access: 'write' })
    } catch {
      throw error
    }
  }
}
