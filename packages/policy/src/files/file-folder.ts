import type { FileFacts, FolderEntry, ListFolderOptions } from './file-guard.ts'
import type { EntryStats, HeldEntry } from './file-access.ts'
import { type FileAttempt, failure, refusal, systemCode } from './file-attempt.ts'
import { type FileScope, type FileTarget, locate } from './paths/file-scope.ts'
import { enter, lookFor, lookSteadily, withFolder, withFolderSync } from './paths/file-walk.ts'

/** How many entries are read between two looks at the signal. */
const batchEntries = 1_000

/** See {@link FileGuard.listFolder}. */
export async function listFolder(
  scope: FileScope,
  attempt: FileAttempt,
  { signal, maxEntries = 10_000, details = false }: ListFolderOptions,
): Promise<{ entries: (FolderEntry | { readonly name: string })[]; truncated: boolean }> {
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 0) {
    const advice = `"maxEntries" must be a whole number, 0 or more, not ${String(maxEntries)}.`
    throw failure(attempt, 'FILE_ARGUMENT_INVALID', { advice })
  }
  const target = locate(scope, attempt)
  return withFolder(scope, { ...target, attempt }, async (place) => {
    const folder = enterLast(scope, attempt, place)
    try {
      return await lookSteadily(scope, folder, async () => {
        const names = await readNames(scope, folder, { limit: maxEntries + 1, signal })
        const truncated = names.length > maxEntries
        const shown = names.slice(0, maxEntries).toSorted()
        const entries = details
          ? await describeEntries(scope, folder, { names: shown, signal })
          : shown.map((name) => ({ name }))
        return { entries, truncated }
      })
    } finally {
      if (folder !== place.folder) scope.access.release(folder)
    }
  })
}

/** See {@link FileGuard.createFolder}. */
export async function createFolder(scope: FileScope, attempt: FileAttempt): Promise<void> {
  const target = locate(scope, attempt)
  await withFolder(scope, { ...target, attempt, createParents: true }, ({ folder, name }) => {
    if (name === undefined) return
    const entry = lookFor(scope, folder, name)
    if (entry !== undefined) {
      const isFile = entry.stats.isFile()
      scope.access.release(entry)
      if (isFile) throw failure(attempt, 'FILE_EXISTS')
    }
    if (target.root.fileName !== undefined) throw failure(attempt, 'FILE_EXISTS')
    scope.access.release(enter(scope, { folder, step: name, attempt, create: true }))
  })
}

/** See {@link FileGuard.deleteFolder}. */
export async function deleteFolder(scope: FileScope, attempt: FileAttempt): Promise<void> {
  const target = locate(scope, attempt)
  await withFolder(scope, { ...target, attempt }, ({ folder, name }) => {
    if (name === undefined) throw refuseRoot(attempt)
    const entry = enter(scope, { folder, step: name, attempt, create: false })
    scope.access.release(entry)
    refusePinned(scope, attempt, target)
    scope.access.confirm(folder)
    scope.fs.rmdirSync(`${folder.at}/${name}`)
  })
}

/** See {@link FileGuard.resolveFolder}. */
export function resolveFolder(scope: FileScope, attempt: FileAttempt): string {
  const target = locate(scope, attempt)
  return withFolderSync(scope, { ...target, attempt }, (place) => {
    const folder = enterLast(scope, attempt, place)
    try {
      scope.access.confirm(folder)
      return scope.access.realPath(folder)
    } finally {
      if (folder !== place.folder) scope.access.release(folder)
    }
  })
}

/** Refuses to move or delete a folder in which an allowed or a denied place lies. */
export function refusePinned(scope: FileScope, attempt: FileAttempt, { path }: FileTarget): void {
  // The folder of an allowed file stays too: another file could take its name in the folder that is held.
  for (let each: FileScope | undefined = scope; each !== undefined; each = each.outer) {
    const holds = [...each.roots, ...each.denied].some(({ paths }) =>
      paths.some(({ steps }) => path.steps.every((step, index) => steps[index] === step)),
    )
    if (holds) throw refuseRoot(attempt)
  }
}

export function refuseRoot(attempt: FileAttempt): Error {
  return refusal(attempt, 'fs.path', {
    because: 'the policy itself names it or a folder in it',
    howToAsk: 'Use what lies in it.',
  })
}

/** What is told of an entry. */
export function toFacts(stats: EntryStats): FileFacts {
  const type = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'folder'
      : stats.isSymbolicLink()
        ? 'link'
        : 'other'
  return {
    type,
    bytes: stats.size,
    modifiedAt: new Date(stats.mtimeMs).toISOString(),
    mode: stats.mode & 0o7777,
  }
}

function enterLast(
  scope: FileScope,
  attempt: FileAttempt,
  { folder, name }: { readonly folder: HeldEntry; readonly name: string | undefined },
): HeldEntry {
  if (name === undefined) return folder
  return enter(scope, { folder, step: name, attempt, create: false })
}

async function readNames(
  scope: FileScope,
  folder: HeldEntry,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
): Promise<string[]> {
  const names: string[] = []
  const opened = scope.fs.opendirSync(folder.at)
  try {
    while (names.length < limit) {
      const entry = opened.readSync()
      if (entry === null) break
      names.push(entry.name)
      if (names.length % batchEntries === 0) await pause(signal)
    }
  } finally {
    opened.closeSync()
  }
  return names
}

async function describeEntries(
  scope: FileScope,
  folder: HeldEntry,
  {
    names,
    signal,
  }: { readonly names: readonly string[]; readonly signal: AbortSignal | undefined },
): Promise<(FolderEntry | { readonly name: string })[]> {
  const entries: (FolderEntry | { readonly name: string })[] = []
  for (const [index, name] of names.entries()) {
    if (index % batchEntries === batchEntries - 1) await pause(signal)
    try {
      entries.push({ name, ...toFacts(scope.fs.lstatSync(`${folder.at}/${name}`)) })
    } catch (error) {
      // It went away meanwhile, or its name is not valid Unicode.
      if (systemCode(error).code !== 'ENOENT') throw error
      entries.push({ name })
    }
  }
  return entries
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  signal?.throwIfAborted()
}
