import { findWindowsFault } from './path-windows.ts'

/** Whose rules a path is read by. */
export type PathPlatform = 'posix' | 'windows'

/** An absolute path, taken apart and free of `.`, `..` and empty steps. */
export interface AbsolutePath {
  /** `/`, or a drive such as `C:/`. */
  readonly prefix: string
  readonly steps: readonly string[]
  /** Whether it ends in a way that only a folder's path may, such as with a slash. */
  readonly namesFolder: boolean
}

/** Why a text cannot be used as a path. */
export interface PathFault {
  readonly fault: string
}

/** Longer paths are refused before they are looked at, in UTF-16 code units. */
const maxPathLength = 4_096
/** Every step costs a call of the operating system. */
const maxSteps = 256

/**
 * Reads a path by its text alone: `a/../b` is `b` whether or not there is an `a`, so that no folder or link can change
 * where a path leads.
 */
export function readPath(
  path: unknown,
  { platform, base }: { readonly platform: PathPlatform; readonly base?: AbsolutePath | undefined },
): AbsolutePath | PathFault {
  if (typeof path !== 'string') return { fault: 'it is not a text' }
  if (path === '') return { fault: 'it is empty' }
  if (path.length > maxPathLength) return { fault: `it is longer than ${maxPathLength} characters` }
  const fault = findFault(path, platform)
  if (fault !== undefined) return { fault }
  const read = platform === 'windows' ? readWindows(path, base) : readPosix(path, base)
  if ('fault' in read || read.steps.length <= maxSteps) return read
  return { fault: `it has more than ${maxSteps} steps` }
}

/** Whether a path is another one or lies below it. */
export function isWithin(
  path: AbsolutePath,
  folder: AbsolutePath,
  isSameStep: (left: string, right: string) => boolean = Object.is,
): boolean {
  return (
    path.steps.length >= folder.steps.length &&
    isSameStep(path.prefix, folder.prefix) &&
    folder.steps.every((step, index) => isSameStep(step, path.steps[index] ?? ''))
  )
}

/** The path as text. */
export function joinPath({ prefix, steps }: AbsolutePath): string {
  return prefix + steps.join('/')
}

function findFault(path: string, platform: PathPlatform): string | undefined {
  // A path of plain ASCII without a colon and a backslash, as most are, needs no further look.
  if (platform === 'posix' && /^[ -9;-[\]-~]+$/u.test(path)) return undefined
  if (/\p{Cc}/u.test(path)) return 'it holds a control character'
  if (misleading.test(path)) {
    return 'it holds a line separator or a character that turns the reading direction'
  }
  if (!path.isWellFormed()) return 'it holds half of a character (a lone surrogate)'
  if (/^(?:file:|[a-z][a-z0-9+.-]+:\/\/)/iu.test(path)) return 'it is a URL, not a path'
  if (platform === 'windows') return findWindowsFault(path)
  // It means nothing here; whoever writes it wants to climb, and some other program may let it.
  return climbs.test(path) ? 'it climbs by backslashes; folders are separated by "/"' : undefined
}

/** What a person who is asked about a path would not see: marks that single letters need stay allowed. */
const misleading = /[\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u
const climbs = /\\\.\.(?:[\\/]|$)|(?:^|[\\/])\.\.\\/u

function readPosix(path: string, base: AbsolutePath | undefined): AbsolutePath | PathFault {
  if (path.startsWith('/')) return normalise('/', [], path)
  return base === undefined ? noBase : normalise(base.prefix, base.steps, path)
}

function readWindows(path: string, base: AbsolutePath | undefined): AbsolutePath | PathFault {
  const text = path.replaceAll('\\', '/')
  if (/^[a-z]:/iu.test(text)) return normalise(text.slice(0, 3), [], text.slice(3))
  return base === undefined ? noBase : normalise(base.prefix, base.steps, text)
}

const noBase: PathFault = {
  fault: 'it is relative, and there is no folder that it could start from',
}

function normalise(prefix: string, start: readonly string[], path: string): AbsolutePath {
  const steps = [...start]
  let last = ''
  for (last of path.split('/')) {
    if (last === '..') steps.pop()
    else if (last !== '' && last !== '.') steps.push(last)
  }
  return { prefix, steps, namesFolder: last === '' || last === '.' || last === '..' }
}
