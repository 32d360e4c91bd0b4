import { ComputeError, type ComputeErrorCode, type ComputeIssue } from './compute-error.ts'
import { escapeText } from '../text/quote-text.ts'

/** A text of the program and where it stands. Everything compiled from it reports against it. */
export interface Site {
  readonly path: string
  readonly text: string
}

/** What went wrong at a site. */
export interface Problem {
  readonly code: ComputeErrorCode
  readonly message: string
  readonly hint: string
}

const snippetReach = 20
const mostIssues = 100

function snippetAt(text: string, offset: number): string {
  const start = Math.max(0, offset - snippetReach)
  const end = Math.min(text.length, offset + snippetReach)
  const before = start > 0 ? '…' : ''
  const after = end < text.length ? '…' : ''
  return before + escapeText(text.slice(start, end)).replaceAll(String.raw`\"`, '"') + after
}

/** An issue at a character of a text. */
export function issueAt(site: Site, offset: number, problem: Problem): ComputeIssue {
  const snippet = snippetAt(site.text, offset)
  return { severity: 'error', ...problem, path: site.path, offset, snippet }
}

/** A ComputeError for one problem at a character of a text. */
export function errorAt(site: Site, offset: number, problem: Problem): ComputeError {
  return new ComputeError([issueAt(site, offset, problem)])
}

/** A ComputeError for one problem of a value. */
export function errorOf(path: string, problem: Problem): ComputeError {
  return new ComputeError([{ severity: 'error', ...problem, path }])
}

/** A text that sorts as steps are read: numbers by size, `else` after all other branches, the program as a whole last. */
function orderOf({ path }: ComputeIssue): string {
  if (!path.startsWith('steps')) return ''
  const place = path.slice(0, path.lastIndexOf(']') + 1) || '~'
  return place.replace(/\d+/g, (digits) => digits.padStart(7, '0')).replaceAll('.else', '.~')
}

/** Issues in reading order; those of one step in the order in which they were found. */
export function inReadingOrder(issues: readonly ComputeIssue[]): readonly ComputeIssue[] {
  if (issues.length < 2) return issues
  const sorted = issues.map((issue) => ({ issue, order: orderOf(issue) }))
  sorted.sort((one, other) => (one.order < other.order ? -1 : Number(one.order > other.order)))
  return sorted.map(({ issue }) => issue)
}

/** Gathers the problems of a program, so that an author sees all of them at once. */
export class IssueCollector {
  readonly issues: ComputeIssue[] = []

  /** Notes a problem of a value and lets the reader go on. */
  addAt(path: string, problem: Problem): void {
    this.add({ severity: 'error', ...problem, path })
  }

  /** Notes a problem and lets the reader go on. */
  add(issue: ComputeIssue): void {
    this.issues.push(issue)
    if (this.issues.length >= mostIssues) this.throwIfAny()
  }

  /** Notes a problem that makes reading on pointless or costly. */
  stop(path: string, problem: Problem): never {
    this.issues.push({ severity: 'error', ...problem, path })
    throw new ComputeError(this.issues as [ComputeIssue, ...ComputeIssue[]])
  }

  /** Runs something that throws a ComputeError at its first problem, and notes that problem. */
  attempt<Result>(read: () => Result): Result | undefined {
    try {
      return read()
    } catch (error) {
      if (!ComputeError.is(error)) throw error
      for (const issue of error.issues) this.add(issue)
      return undefined
    }
  }

  /** Throws what was gathered. */
  throwIfAny(): void {
    throwIssues(inReadingOrder(this.issues))
  }
}

/** Throws one error for all issues, if there are any. */
export function throwIssues([first, ...rest]: readonly ComputeIssue[]): void {
  if (first !== undefined) throw new ComputeError([first, ...rest])
}
