import { type FileAttempt, failure, translateFileError } from './file-attempt.ts'
import { policyError } from '../error-catalogue.ts'
import { deleteFile, statEntry } from './file-entry.ts'
import { createFolder, deleteFolder, listFolder, resolveFolder } from './file-folder.ts'
import type { FileGuard, FileGuardOptions } from './file-guard.ts'
import { copyFile, move } from './file-move.ts'
import { readFile } from './file-read.ts'
import { closeScope, type FileGuardInternals, openScope } from './file-roots.ts'
import type { FileScope } from './paths/file-scope.ts'
import { appendFile, writeFile } from './file-write.ts'

/** Makes a guard; see `createFileGuard`. */
export function openFileGuard(
  policy: FileGuardOptions,
  internals: FileGuardInternals = {},
): FileGuard {
  const outer = policy.within === undefined ? undefined : scopeOf(policy.within)
  const scope = openScope(policy, { ...internals, ...(outer === undefined ? {} : { outer }) })
  let running = 0
  let closed = false
  let released = false

  // A number of a closed descriptor may stand for another file later: nothing is closed while a call runs.
  const releaseWhenIdle = (): void => {
    if (!closed || released || running > 0) return
    released = true
    closeScope(scope)
  }
  const run = async <Value>(
    attempt: FileAttempt,
    signal: AbortSignal | undefined,
    use: () => Promise<Value>,
  ): Promise<Value> => {
    signal?.throwIfAborted()
    if (closed) throw guardClosed(attempt)
    running += 1
    try {
      return await use()
    } catch (error) {
      throw translateFileError(attempt, error)
    } finally {
      running -= 1
      releaseWhenIdle()
    }
  }

  const guard: FileGuard = {
    readFile: (path, options = {}) => {
      const attempt = toRead('read', path)
      return run(attempt, options.signal, () => readFile(scope, attempt, options))
    },
    writeFile: (path, content, options = {}) => {
      const attempt = toWrite('write', path)
      return run(attempt, options.signal, () => writeFile(scope, attempt, { ...options, content }))
    },
    appendFile: (path, content, options = {}) => {
      const attempt = toWrite('append to', path)
      return run(attempt, options.signal, () => appendFile(scope, attempt, { ...options, content }))
    },
    deleteFile: (path, { signal } = {}) => {
      const attempt = toWrite('delete', path)
      return run(attempt, signal, () => deleteFile(scope, attempt))
    },
    deleteFolder: (path, { signal } = {}) => {
      const attempt = toWrite('delete', path)
      return run(attempt, signal, () => deleteFolder(scope, attempt))
    },
    stat: (path, { signal } = {}) => {
      const attempt = toRead('look at', path)
      return run(attempt, signal, () => statEntry(scope, attempt))
    },
    listFolder: (path, options = {}) => {
      const attempt = toRead('list', path)
      return run(attempt, options.signal, () => listFolder(scope, attempt, options))
    },
    createFolder: (path, { signal } = {}) => {
      const attempt = toWrite('create', path)
      return run(attempt, signal, () => createFolder(scope, attempt))
    },
    move: (from, to, options = {}) => {
      const pair = { from: toWrite('move', from), to: toWrite('move to', to) }
      return run(pair.from, options.signal, () => move(scope, pair, options))
    },
    copy: (from, to, options = {}) => {
      const pair = { from: toRead('copy', from), to: toWrite('copy to', to) }
      return run(pair.from, options.signal, () => copyFile(scope, pair, options))
    },
    resolveFolder: (path, access) => {
      const attempt: FileAttempt = { verb: 'use', path, access }
      if (closed) throw guardClosed(attempt)
      try {
        return resolveFolder(scope, attempt)
      } catch (error) {
        throw translateFileError(attempt, error)
      }
    },
    close: () => {
      closed = true
      releaseWhenIdle()
    },
  }
  scopes.set(guard, scope)
  return guard
}

/** What each guard is made of, for guards that are opened within it. */
const scopes = new WeakMap<FileGuard, FileScope>()

function scopeOf(guard: FileGuard): FileScope {
  const scope = scopes.get(guard)
  if (scope !== undefined) return scope
  throw policyError(
    'POLICY_INVALID',
    'The file policy cannot be used: within must be a guard that createFileGuard gave.',
    { data: { field: 'within' } },
  )
}

function toRead(verb: string, path: unknown): FileAttempt {
  return { verb, path, access: 'read' }
}

function toWrite(verb: string, path: unknown): FileAttempt {
  return { verb, path, access: 'write' }
}

function guardClosed(attempt: FileAttempt): Error {
  return failure(attempt, 'FILE_GUARD_CLOSED', { advice: 'Open a new guard.' })
}
