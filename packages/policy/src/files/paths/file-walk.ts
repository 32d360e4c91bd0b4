import { constants } from 'node:fs'
import type { HeldEntry } from '../file-access.ts'
import { EntryMovedError, type FileAttempt, failure, systemCode } from '../file-attempt.ts'
import { checkEntry, type FileScope, type FileTarget } from './file-scope.ts'

const maxLooks = 20

/** Where a target is: the folder that holds it, and its name there. */
export interface FoundPlace {
  readonly folder: HeldEntry
  /** Undefined for an allowed folder itself. */
  readonly name: string | undefined
}

export interface WalkOptions {
  readonly attempt: FileAttempt
  /** Makes folders that are missing. @default false */
  readonly createParents?: boolean | undefined
}

/**
 * Walks to the folder of a target, step by step, and calls `use` while that folder is held.
 *
 * @throws {ToolPolicyViolation} fs.symlink, fs.path, fs.special
 */
export async function withFolder<Value>(
  scope: FileScope,
  target: FileTarget & WalkOptions,
  use: (place: FoundPlace) => Value | Promise<Value>,
): Promise<Value> {
  const place = walk(scope, target)
  try {
    return await use(place)
  } finally {
    release(scope, target, place.folder)
  }
}

/** The same, without waiting. */
export function withFolderSync<Value>(
  scope: FileScope,
  target: FileTarget & WalkOptions,
  use: (place: FoundPlace) => Value,
): Value {
  const place = walk(scope, target)
  try {
    return use(place)
  } finally {
    release(scope, target, place.folder)
  }
}

/** Looks at what is in a folder, again if the way to it changed meanwhile. @throws EntryMovedError if it keeps changing */
export async function lookSteadily<Value>(
  scope: FileScope,
  folder: HeldEntry,
  use: () => Value | Promise<Value>,
): Promise<Value> {
  for (let tries = 0; tries < maxLooks; tries += 1) {
    const before = scope.access.confirm(folder)
    const value = await use()
    if (scope.access.confirm(folder) === before) return value
  }
  throw new EntryMovedError('the folders of the path change too often')
}

/** Finds an entry; undefined where there is none. */
export function lookFor(scope: FileScope, folder: HeldEntry, name: string): HeldEntry | undefined {
  try {
    return scope.access.look(folder, name)
  } catch (error) {
    if (systemCode(error).code === 'ENOENT') return undefined
    throw error
  }
}

function walk(
  scope: FileScope,
  { root, steps, attempt, createParents }: FileTarget & WalkOptions,
): FoundPlace {
  if (root.fileName !== undefined) {
    if (steps.length > 0) throw failure(attempt, 'FILE_NOT_FOLDER')
    return { folder: root.held, name: root.fileName }
  }
  let folder = root.held
  try {
    for (const step of steps.slice(0, -1)) {
      const next = enter(scope, { folder, step, attempt, create: createParents === true })
      if (folder !== root.held) scope.access.release(folder)
      folder = next
    }
  } catch (error) {
    if (folder !== root.held) scope.access.release(folder)
    throw error
  }
  return { folder, name: steps.at(-1) }
}

/** Opens a folder in a folder, and makes it first where that is wanted. */
export function enter(
  scope: FileScope,
  step: {
    readonly folder: HeldEntry
    readonly step: string
    readonly attempt: FileAttempt
    readonly create: boolean
  },
): HeldEntry {
  const entry = find(scope, step)
  try {
    checkEntry(scope, step.attempt, entry)
    if (entry.stats.isDirectory()) return entry
    throw failure(step.attempt, 'FILE_NOT_FOLDER')
  } catch (error) {
    scope.access.release(entry)
    throw error
  }
}

function find(scope: FileScope, step: Parameters<typeof enter>[1]): HeldEntry {
  const found = step.create ? lookFor(scope, step.folder, step.step) : undefined
  if (found !== undefined) return found
  if (step.create) {
    scope.access.confirm(step.folder)
    try {
      scope.fs.mkdirSync(`${step.folder.at}/${step.step}`)
    } catch (error) {
      // Somebody else made it meanwhile; what it is will be seen.
      if (systemCode(error).code !== 'EEXIST') throw error
    }
  }
  return scope.access.look(step.folder, step.step)
}

function release(scope: FileScope, { root }: FileTarget, folder: HeldEntry): void {
  if (folder !== root.held) scope.access.release(folder)
}

/** Makes what was renamed into or removed from a folder survive a power cut, as far as the system can. */
export async function syncFolder(scope: FileScope, folder: HeldEntry): Promise<void> {
  let descriptor: number
  try {
    descriptor = scope.fs.openSync(`${folder.at}/.`, constants.O_RDONLY)
  } catch {
    // Windows opens no folders; others open none that they may not list.
    return
  }
  await syncAndClose(scope, descriptor).catch((error: unknown) => {
    const { code } = systemCode(error)
    if (code === 'EIO' || code === 'ENOSPC' || code === 'EDQUOT') throw error
  })
}

async function syncAndClose(scope: FileScope, descriptor: number): Promise<void> {
  try {
    await syncFile(scope, descriptor)
  } finally {
    scope.fs.closeSync(descriptor)
  }
}

/** Waits until a file is on the disk. */
export function syncFile(scope: FileScope, descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    scope.fs.fsync(descriptor, (error) => (error === null ? resolve() : reject(error)))
  })
}
