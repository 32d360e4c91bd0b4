import type { EntryStats, FileAccess, HeldEntry } from '../file-access.ts'
import { type FileAttempt, failure, refusal } from '../file-attempt.ts'
import type { FileSystemCalls } from '../file-system-calls.ts'
import { findMountFault } from './file-mounts.ts'
import {
  type AbsolutePath,
  isWithin,
  joinPath,
  type PathPlatform,
  readPath,
} from './path-lexical.ts'
import { findProtectedStep } from './path-protected.ts'

/** An allowed file or folder, held for as long as the guard lives. */
export interface AllowedRoot {
  readonly access: 'read' | 'write'
  /** The folder; for a single file the one that it lies in. */
  readonly held: HeldEntry
  /** The name of the single file. */
  readonly fileName: string | undefined
  /** The paths that stand for it: its real one, and the one that the policy named. */
  readonly paths: readonly AbsolutePath[]
}

/** A place that is never reached, also not by another name. */
export interface DeniedPlace {
  readonly paths: readonly AbsolutePath[]
  readonly held: HeldEntry | undefined
}

/** What a guard is made of. */
export interface FileScope {
  readonly fs: FileSystemCalls
  readonly access: FileAccess
  readonly platform: PathPlatform
  readonly base: AbsolutePath | undefined
  readonly roots: readonly AllowedRoot[]
  readonly denied: readonly DeniedPlace[]
  readonly maxReadBytes: number
  readonly maxWriteBytes: number
  /** Must allow everything too. */
  readonly outer: FileScope | undefined
}

/** A path that the policy allows by its text, with the allowed root that it lies in. */
export interface FileTarget {
  readonly root: AllowedRoot
  /** Below the root; empty for the root itself. */
  readonly steps: readonly string[]
  /** The real path, if no link is in it. */
  readonly path: AbsolutePath
}

/** Finds the allowed root of a path. @throws {ToolPolicyViolation} fs.path, fs.protected */
export function locate(scope: FileScope, attempt: FileAttempt): FileTarget {
  const path = readPath(attempt.path, scope)
  if ('fault' in path) {
    const howToAsk = 'Give the path of a file or folder as plain text, such as "notes/a.txt".'
    throw refusal(attempt, 'fs.path', { because: path.fault, howToAsk })
  }
  const found = findRoot(scope, attempt.access, path)
  if (found === undefined) throw refusal(attempt, 'fs.path')
  const { root, steps } = found
  const real = { ...path, ...realPathOf(root, steps) }
  if (isDenied(scope, path) || isDenied(scope, real)) throw refuseDenied(attempt)
  const above = real.steps.at(-1 - steps.length)
  const name = findProtectedStep(steps, attempt.access, above)
  if (name !== undefined) {
    const howToAsk = `An operator can allow exactly this file by naming it in fs_${attempt.access}.`
    throw refusal(attempt, 'fs.protected', { howToAsk })
  }
  // The walk begins at the real place of the root and follows no link, so the text is where it really leads.
  if (scope.outer !== undefined) locate(scope.outer, { ...attempt, path: joinPath(real) })
  return { root, steps, path: real }
}

/** Whether the policy, without those around it, gives this kind of access to a path that it gives another kind to. */
export function allows(scope: FileScope, path: AbsolutePath, access: 'read' | 'write'): boolean {
  return findRoot(scope, access, path) !== undefined
}

/** The real path of an allowed root or of what lies below it. */
function realPathOf(
  root: AllowedRoot,
  steps: readonly string[],
): Omit<AbsolutePath, 'namesFolder'> {
  const real = root.paths[0] as AbsolutePath
  return steps.length === 0 ? real : { prefix: real.prefix, steps: [...real.steps, ...steps] }
}

/** Refuses a link, what is denied, and file systems that may not be entered. */
export function checkEntry(scope: FileScope, attempt: FileAttempt, entry: HeldEntry): void {
  if (entry.stats.isSymbolicLink()) {
    const howToAsk = 'Name the file that it leads to, if that lies where the policy allows.'
    throw refusal(attempt, 'fs.symlink', { howToAsk })
  }
  checkPlace(scope, attempt, entry)
}

/** Refuses everything but a plain file of one name. */
export function checkFile(scope: FileScope, attempt: FileAttempt, entry: HeldEntry): void {
  checkEntry(scope, attempt, entry)
  if (entry.stats.isDirectory()) {
    throw failure(attempt, 'FILE_IS_FOLDER', { advice: 'Name a file in it.' })
  }
  checkFileStats(attempt, entry.stats)
}

/** Refuses what is no plain file, and files with several names. */
export function checkFileStats(attempt: FileAttempt, stats: EntryStats): void {
  if (!stats.isFile()) {
    throw refusal(attempt, 'fs.special', { howToAsk: 'Nothing can allow it; use a plain file.' })
  }
  if (stats.nlink > 1) {
    const howToAsk = 'Ask somebody to replace it by a copy of its own; nothing else can allow it.'
    throw refusal(attempt, 'fs.hardlink', { howToAsk })
  }
}

function checkPlace(scope: FileScope, attempt: FileAttempt, entry: HeldEntry): void {
  for (const { held } of scope.denied) {
    if (held !== undefined && isSamePlace(entry.stats, held.stats)) throw refuseDenied(attempt)
  }
  const because = findMountFault(scope.fs, entry)
  if (because !== undefined) throw refusal(attempt, 'fs.special', { because })
}

function refuseDenied(attempt: FileAttempt): Error {
  const howToAsk = "It belongs to the host's own data; no policy can allow it."
  return refusal(attempt, 'fs.path', { because: 'it is set apart', howToAsk })
}

/** Whether both are one entry of the same disk. */
export function isSamePlace(left: EntryStats, right: EntryStats): boolean {
  return left.ino === right.ino && left.dev === right.dev
}

function isDenied(scope: FileScope, path: AbsolutePath): boolean {
  return scope.denied.some((place) =>
    place.paths.some((denied) => isWithin(path, denied, isSameName)),
  )
}

function findRoot(
  scope: FileScope,
  access: 'read' | 'write',
  path: AbsolutePath,
): { readonly root: AllowedRoot; readonly steps: readonly string[] } | undefined {
  let best: AbsolutePath | undefined
  let root: AllowedRoot | undefined
  const isSame = scope.platform === 'windows' ? isSameName : undefined
  for (const candidate of scope.roots) {
    if (candidate.access !== access) continue
    for (const known of candidate.paths) {
      if (best !== undefined && known.steps.length <= best.steps.length) continue
      if (isWithin(path, known, isSame)) [best, root] = [known, candidate]
    }
  }
  if (best === undefined || root === undefined) return undefined
  return { root, steps: path.steps.slice(best.steps.length) }
}

/** As a file system without case and with composed or decomposed accents sees it. */
export function isSameName(left: string, right: string): boolean {
  return left === right || fold(left) === fold(right)
}

function fold(name: string): string {
  // Capitals first: "ß" and "SS", "ς" and "σ" are one name to some file systems.
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}
