import { resolve } from 'node:path'
import { policyError } from './error-catalogue.ts'
import type { FileAccess, HeldEntry } from './file-access.ts'
import { systemCode } from './file-attempt.ts'
import { createDescriptorAccess } from './file-descriptor-access.ts'
import type { FileGuardOptions } from './file-guard.ts'
import { findMountFault, isKernelPath } from './file-mounts.ts'
import { createPathAccess } from './file-path-access.ts'
import type { AllowedRoot, DeniedPlace, FileScope } from './file-scope.ts'
import { type FileSystemCalls, nodeFileSystem } from './file-system-calls.ts'
import { type AbsolutePath, isWithin, type PathPlatform, readPath } from './path-lexical.ts'
import { quotePath } from './path-quote.ts'

/** What tests exchange. */
export interface FileGuardInternals {
  readonly fs?: FileSystemCalls
  /** Uses paths where descriptors could be used. @default false */
  readonly forcePaths?: boolean
}

const defaultBytes = 1_048_576
const platform: PathPlatform = process.platform === 'win32' ? 'windows' : 'posix'

/** Opens everything that a policy names. @throws {ToolError} POLICY_INVALID */
export function openScope(options: FileGuardOptions, internals: FileGuardInternals): FileScope {
  const { fs = nodeFileSystem, forcePaths = false } = internals
  const access = chooseAccess(fs, forcePaths)
  const opened: HeldEntry[] = []
  const opener: Opener = { fs, access, opened, start: resolve(options.baseFolder ?? '.') }
  try {
    const denied = (options.denied ?? []).map((path) => openDenied(opener, path))
    const roots = (['read', 'write'] as const).flatMap((right) =>
      (options[right] ?? []).map((path, index) =>
        openRoot(opener, { path, right, field: `${right}[${index}]`, denied }),
      ),
    )
    return {
      fs,
      access,
      platform,
      base: findBase(opener, options.baseFolder, roots),
      roots,
      denied,
      maxReadBytes: readLimit('maxReadBytes', options.maxReadBytes),
      maxWriteBytes: readLimit('maxWriteBytes', options.maxWriteBytes),
    }
  } catch (error) {
    for (const entry of opened) access.release(entry)
    throw error
  }
}

/** Lets go of everything that is held open. */
export function closeScope({ access, roots, denied }: FileScope): void {
  for (const { held } of [...roots, ...denied]) if (held !== undefined) access.release(held)
}

function chooseAccess(fs: FileSystemCalls, forcePaths: boolean): FileAccess {
  try {
    return (forcePaths ? undefined : createDescriptorAccess(fs)) ?? createPathAccess(fs)
  } catch (cause) {
    throw policyError(
      'POLICY_INVALID',
      `The file policy cannot be used: the system opens nothing at the moment (${systemCode(cause).code ?? String(cause)}). Close files, or raise the limit of open ones.`,
      { cause },
    )
  }
}

interface Opener {
  readonly fs: FileSystemCalls
  readonly access: FileAccess
  readonly opened: HeldEntry[]
  /** What relative paths of the policy start from. */
  readonly start: string
}

interface RootRequest {
  readonly path: string
  readonly right: 'read' | 'write'
  readonly field: string
  readonly denied: readonly DeniedPlace[]
}

function openRoot(opener: Opener, { path, right, field, denied }: RootRequest): AllowedRoot {
  const { named, real } = resolveNamed(opener, field, path)
  const realText = toText(real)
  if (real.steps.length === 0) throw invalid(field, path, 'it is a whole disk; name a folder in it')
  if (isKernelPath(realText)) throw invalid(field, path, 'it leads to devices or into the kernel')
  const blocker = denied.find((place) => place.paths.some((inner) => isWithin(real, inner)))
  if (blocker !== undefined) throw invalid(field, path, 'it lies in a denied folder')
  const entry = hold(opener, field, realText)
  const fault = findMountFault(opener.fs, entry)
  if (fault !== undefined) throw invalid(field, path, fault)
  const paths = [real, named]
  if (entry.stats.isDirectory()) return { access: right, held: entry, fileName: undefined, paths }
  if (!entry.stats.isFile()) throw invalid(field, path, 'it is neither a file nor a folder')
  const folder = hold(opener, field, toText({ ...real, steps: real.steps.slice(0, -1) }))
  opener.opened.splice(opener.opened.indexOf(entry), 1)
  opener.access.release(entry)
  return { access: right, held: folder, fileName: real.steps.at(-1), paths }
}

function openDenied(opener: Opener, path: string, index = 0): DeniedPlace {
  const field = `denied[${index}]`
  const named = readNamed(opener, field, path)
  let real: string
  try {
    real = opener.fs.realpathSync.native(toText(named))
  } catch (error) {
    // What is denied may come later; then its path stands for it.
    if (systemCode(error).code === 'ENOENT') return { paths: [named], held: undefined }
    throw invalid(field, path, 'it cannot be opened', error)
  }
  return { paths: [named, readNamed(opener, field, real)], held: hold(opener, field, real) }
}

function findBase(
  opener: Opener,
  baseFolder: string | undefined,
  roots: readonly AllowedRoot[],
): AbsolutePath | undefined {
  if (baseFolder === undefined) {
    const folder = roots.find(({ fileName }) => fileName === undefined)
    if (folder !== undefined) return folder.paths[1]
    const path = roots[0]?.paths[1]
    return path === undefined ? undefined : { ...path, steps: path.steps.slice(0, -1) }
  }
  const { named, real } = resolveNamed(opener, 'baseFolder', baseFolder)
  // A link that leads into an allowed folder is followed once, here.
  const isKnown = (path: AbsolutePath): boolean =>
    roots.some(({ paths }) => paths.some((root) => isWithin(path, root) || isWithin(root, path)))
  return isKnown(named) ? named : real
}

function resolveNamed(
  opener: Opener,
  field: string,
  path: string,
): { readonly named: AbsolutePath; readonly real: AbsolutePath } {
  const named = readNamed(opener, field, path)
  try {
    const real = opener.fs.realpathSync.native(toText(named))
    return { named, real: readNamed(opener, field, real) }
  } catch (error) {
    if (systemCode(error).code === undefined) throw error
    const because =
      systemCode(error).code === 'ENOENT' ? 'it does not exist' : 'it cannot be opened'
    throw invalid(field, path, because, error)
  }
}

function readNamed({ start }: Opener, field: string, path: string): AbsolutePath {
  if (typeof path !== 'string' || path === '') throw invalid(field, path, 'it is not a path')
  const read = readPath(resolve(start, path), { platform })
  if ('fault' in read) throw invalid(field, path, read.fault)
  return { ...read, namesFolder: false }
}

function hold({ access, opened }: Opener, field: string, path: string): HeldEntry {
  try {
    const entry = access.openRoot(path)
    opened.push(entry)
    return entry
  } catch (error) {
    throw invalid(field, path, 'it cannot be opened', error)
  }
}

function toText({ prefix, steps }: AbsolutePath): string {
  return prefix + steps.join('/')
}

function readLimit(field: string, value: number = defaultBytes): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw policyError(
    'POLICY_INVALID',
    `The file policy cannot be used: ${field} must be a whole number of bytes, 0 or more, not ${String(value)}.`,
    { data: { field } },
  )
}

// oxlint-disable-next-line max-params -- four plain words for one sentence
function invalid(field: string, path: unknown, because: string, cause?: unknown): Error {
  return policyError(
    'POLICY_INVALID',
    `The file policy cannot be used: ${field} is ${quotePath(path)}, and ${because}. Name a file or folder that exists.`,
    { data: { field, path: quotePath(path) }, ...(cause === undefined ? {} : { cause }) },
  )
}
