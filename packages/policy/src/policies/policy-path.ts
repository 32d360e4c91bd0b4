import { showQuoted } from './describe-text.ts'

/** Characters that no honest path holds: control characters, halves of characters, and those that turn the reading direction. */
const refused = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]/u

/**
 * What is wrong with a path of a policy; `undefined` when nothing is. Paths are absolute or relative, with `/` between
 * folders, and say by themselves where they lead.
 */
export function describePathProblem(path: string): string | undefined {
  const problem = findProblem(path)
  return problem === undefined
    ? undefined
    : `${showQuoted(path.slice(0, 200))} is no path for a policy: ${problem}. Write for example "data/reports" or "/srv/reports".`
}

function findProblem(path: string): string | undefined {
  if (path.trim() === '') return 'it is empty'
  if (refused.test(path)) return 'it holds control characters or characters that turn the text'
  if (path.includes('\\')) return 'folders are separated by /, also on Windows'
  if (path.includes('*')) return 'paths are no patterns; a folder stands for everything in it'
  if (path.startsWith('~')) return '~ is not expanded; write the folder out'
  if (path.startsWith('//')) return 'it begins with //'
  if (/^[A-Za-z]:(?!\/)/.test(path)) return 'after a drive letter comes a /'
  if (path.split('/').includes('..')) return 'it may not climb with ".."'
  if (/^(?:[A-Za-z]:)?$/.test(normalisePath(path))) return 'it names a whole disk'
  return undefined
}

/** The path without empty steps, `.` and a `/` at its end; the root becomes empty and the base folder `.`. */
export function normalisePath(path: string): string {
  const steps = path.split('/').filter((step) => step !== '' && step !== '.')
  if (path.startsWith('/')) return steps.map((step) => `/${step}`).join('')
  return steps.join('/') || '.'
}

/** Whether a path of a policy lies in another or is it. Only compares: links are a matter of the file guard. */
export function isPathWithin(inner: string, outer: string): boolean {
  const path = normalisePath(inner)
  const folder = normalisePath(outer)
  if (path === folder || path.startsWith(`${folder}/`)) return true
  return folder === '.' && !isAbsolutePath(path)
}

function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:(?:\/|$)/.test(path)
}
