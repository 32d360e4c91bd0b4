import { resolve } from 'node:path'
import { policyError } from '../error-catalogue.ts'
import type { FileAccess, HeldEntry } from './file-access.ts'
import { refusal, systemCode } from './file-attempt.ts'
import type { FileGuardOptions } from './file-guard.ts'
import { openFileAccess } from './open-file-access.ts'
import { findMountFault, isKernelPath } from './paths/file-mounts.ts'
import {
  type AllowedRoot,
  type DeniedPlace,
  type FileScope,
  isSameName,
} from './paths/file-scope.ts'
import { type FileSystemCalls, nodeFileSystem } from './file-system-calls.ts'
import { type AbsolutePath, isWithin, type PathPlatform, readPath } from './paths/path-lexical.ts'
import { quotePath } from '../policies/path-quote.ts'

/** What tests exchange. */
export interface FileGuardInternals {
  readonly fs?: FileSystemCalls
  /** Uses paths where descriptors could be used. @default false */
  readonly forcePaths?: boolean
  /** What the new guard must stay within. */
  readonly outer?: FileScope
}

const defaultBytes = 1_048_576
const platform: PathPlatform = process.platform === 'win32' ? 'windows' : 'posix'

/** Opens everything that a policy names. @throws {ToolError} POLICY_INVALID @throws {ToolPolicyViolation} fs.special */
export function openScope(options: FileGuardOptions, internals: FileGuardInternals): FileScope {
  const { fs = nodeFileSystem, forcePaths = false, outer } = internals
  checkShape(options)
  const access = chooseAccess(fs, forcePaths)
  const opened: HeldEntry[] = []
  const opener: Opener = { fs, access, opened, start: resolve(options.baseFolder ?? '.') }
  try {
    const denied = (options.denied ?? []).map((path) => openDenied(opener, path))
    const roots = (['read', 'write'] as const).flatMap((right) =>
      (options[right] ?? []).flatMap((path, index) => {
        const field = `${right}[${index}]`
        if (outer !== undefined && isMissing(opener, field, path)) return []
        const root = openRoot(opener, { path, right, field, denied, outer })
        return root === undefined ? [] : [root]
      }),
    )
    const maxReadBytes = readLimit('maxReadBytes', options.maxReadBytes)
    const maxWriteBytes = readLimit('maxWriteBytes', options.maxWriteBytes)
    return {
      fs,
      access,
      platform,
      base: findBase(opener, options.baseFolder, roots),
      roots,
      denied: [...denied, ...(outer?.denied ?? [])],
      maxReadBytes: Math.min(maxReadBytes, outer?.maxReadBytes ?? Infinity),
      maxWriteBytes: Math.min(maxWriteBytes, outer?.maxWriteBytes ?? Infinity),
      outer,
    }
  } catch (error) {
    for (const entry of opened) access.release(entry)
    throw error
  }
}

function checkShape(options: FileGuardOptions): void {
  for (const field of ['read', 'write', 'denied', 'baseFolder'] as const) {
    const value: unknown = options[field]
    const isRight = field === 'baseFolder' ? typeof value === 'string' : Array.isArray(value)
    if (value === undefined || isRight) continue
    const wanted = field === 'baseFolder' ? 'a path' : 'a list of paths'
    throw policyError(
      'POLICY_INVALID',
      `The file policy cannot be used: ${field} must be ${wanted}, not a ${typeof value}.`,
      { data: { field } },
    )
  }
}

/** Lets go of everything that is held open. */
export function closeScope({ access, roots, denied, outer }: FileScope): void {
  const own = denied.filter((place) => outer?.denied.includes(place) !== true)
  for (const { held } of [...roots, ...own]) if (held !== undefined) access.release(held)
}

function isMissing(opener: Opener, field: string, path: string): boolean {
  const named = toText(readNamed(opener, field, path))
  return (
    findReal(opener, named, (because, cause) => invalid(field, path, because, cause)) === undefined
  )
}

function chooseAccess(fs: FileSystemCalls, forcePaths: boolean): FileAccess {
  try {
    return openFileAccess({ fs, forcePaths })
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
  readonly outer: FileScope | undefined
}

/** @returns undefined where a link leads away from what the outer guard has under that name */
function openRoot(
  opener: Opener,
  { path, right, field, denied, outer }: RootRequest,
): AllowedRoot | undefined {
  const { named, real } = resolveNamed(opener, field, path)
  if (outer !== undefined && leadsAway(outer, named, real)) return undefined
  const realText = toText(real)
  if (real.steps.length === 0) throw invalid(field, path, 'it is a whole disk; name a folder in it')
  if (isKernelPath(realText)) {
    throw refuseSpecial({ path, right, field }, 'leads to devices or into the kernel')
  }
  const blocker = denied.find((place) => place.paths.some((inner) => isWithin(real, inner)))
  if (blocker !== undefined) throw invalid(field, path, 'it lies in a denied folder')
  const entry = hold(opener, field, realText)
  if (findMountFault(opener.fs, entry) !== undefined) {
    throw refuseSpecial({ path, right, field }, 'lies on a file system of the kernel')
  }
  const paths = [real, named]
  if (entry.stats.isDirectory()) return { access: right, held: entry, fileName: undefined, paths }
  if (!entry.stats.isFile()) {
    throw refuseSpecial({ path, right, field }, 'is neither a file nor a folder')
  }
  const folder = hold(opener, field, toText({ ...real, steps: real.steps.slice(0, -1) }))
  opener.opened.splice(opener.opened.indexOf(entry), 1)
  opener.access.release(entry)
  return { access: right, held: folder, fileName: real.steps.at(-1), paths }
}

/**
 * Whether a path has links where the outer guard would follow none: below its own folders. Whoever may write there could
 * otherwise say what a name of the inner policy means.
 */
function leadsAway({ roots }: FileScope, named: AbsolutePath, real: AbsolutePath): boolean {
  const places = roots.flatMap(({ paths }) =>
    paths
      .filter((known) => isWithin(named, known))
      .map((known) => [...(paths[0]?.steps ?? []), ...named.steps.slice(known.steps.length)]),
  )
  const isThere = (steps: readonly string[]): boolean =>
    isSameName(steps.join('/'), real.steps.join('/'))
  return places.length > 0 && !places.some(isThere)
}

function refuseSpecial(
  { path, right, field }: Pick<RootRequest, 'path' | 'right' | 'field'>,
  because: string,
): Error {
  return refusal({ verb: 'use', path, access: right }, 'fs.special', {
    because: `${field} of the file policy ${because}`,
    howToAsk: 'Nothing can allow it; name a folder of plain files.',
  })
}

function openDenied(opener: Opener, path: string, index = 0): DeniedPlace {
  const field = `denied[${index}]`
  const named = readNamed(opener, field, path)
  // What is denied may come later; then the place where it would be stands for it.
  for (let length = named.steps.length; length >= 0; length -= 1) {
    const above = toText({ ...named, steps: named.steps.slice(0, length) })
    const real = findReal(opener, above, (because, cause) => invalid(field, path, because, cause))
    if (real === undefined) continue
    if (length === named.steps.length) {
      return { paths: [named, readNamed(opener, field, real)], held: hold(opener, field, real) }
    }
    const start = readNamed(opener, field, real)
    const steps = [...start.steps, ...named.steps.slice(length)]
    return { paths: [named, { ...start, steps }], held: undefined }
  }
  return { paths: [named], held: undefined }
}

/** The path without links; undefined where nothing is. */
function findReal(
  { fs }: Opener,
  path: string,
  fail: (because: string, cause: unknown) => Error,
): string | undefined {
  try {
    return fs.realpathSync.native(path)
  } catch (cause) {
    const { code = '' } = systemCode(cause)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw fail('it cannot be opened', cause)
    if (isLink(fs, path)) throw fail('a link in it leads to nothing', cause)
    return undefined
  }
}

function isLink(fs: FileSystemCalls, path: string): boolean {
  try {
    return fs.lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
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
