import { type IssueCollector, issueAt, type Problem, type Site } from '../language/compute-issue.ts'
import type { ComputeIssue } from '../language/compute-error.ts'

/** Gathers what the checks find. While it is silent it takes nothing: a fold's value is gone through several times. */
export class CheckReport {
  readonly warnings: ComputeIssue[] = []
  silent = 0
  readonly #collector: IssueCollector

  constructor(collector: IssueCollector) {
    this.#collector = collector
  }

  /** Whether it takes no more warnings: a hundred are enough. */
  get isFull(): boolean {
    return this.silent > 0 || this.warnings.length >= 100
  }

  /** Notes an error at a character of a text. */
  error(site: Site, offset: number, problem: Problem): void {
    if (this.silent === 0) this.#collector.add(issueAt(site, offset, problem))
  }

  /** Notes an error that has no place in a text. */
  errorAtPath(path: string, problem: Problem): void {
    this.#collector.addAt(path, problem)
  }

  /** Notes a warning, at a character where it is about a text. */
  warn(site: Site, offset: number | undefined, problem: Problem): void {
    if (this.isFull) return
    const issue =
      offset === undefined ? { ...problem, path: site.path } : issueAt(site, offset, problem)
    this.warnings.push({ ...issue, severity: 'warning' })
  }
}
