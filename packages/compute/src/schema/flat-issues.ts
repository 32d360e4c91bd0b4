import { ComputeError, type ComputeIssue } from '../language/compute-error.ts'
import { IssueCollector } from '../language/compute-issue.ts'

/** Where a part of a program stands in its flat form. */
export interface FlatOrigin {
  /** Such as `steps[3]`. */
  readonly path: string
  /** Its name in messages, such as `step "s4"`. */
  readonly label: string
}

/** Gathers what is wrong with a flat program, and tells problems of the program it stands for in terms of the flat one. */
export class FlatIssues {
  readonly #collector = new IssueCollector()
  readonly #origins = new Map<string, FlatOrigin>()

  /** Notes a problem. */
  refuse(origin: FlatOrigin, message: string, hint: string): void {
    const { path, label } = origin
    const said = label === '' ? message : `${label}: ${message}`
    this.#collector.addAt(path, { code: 'bad_program', message: said, hint })
  }

  /** Remembers where the part at `path` of the program comes from. */
  trace(path: string, origin: FlatOrigin): void {
    this.#origins.set(path, origin)
  }

  /** The same issue, told about the flat form. */
  translate(issue: ComputeIssue): ComputeIssue {
    let longest = ''
    for (const path of this.#origins.keys()) {
      const next = issue.path.charAt(path.length)
      const isInside = issue.path.startsWith(path) && (next === '' || next === '.' || next === '[')
      if (isInside && path.length > longest.length) longest = path
    }
    const origin = this.#origins.get(longest)
    if (origin === undefined) return issue
    const path = origin.path + issue.path.slice(longest.length)
    return { ...issue, path, message: `${origin.label}: ${issue.message}` }
  }

  /** Throws what was gathered, if anything, and what is wrong with the program. */
  throwIfAny(errors: readonly ComputeIssue[] = []): void {
    this.#collector.throwIfAny()
    const [first, ...rest] = errors.map((issue) => this.translate(issue))
    if (first !== undefined) throw new ComputeError([first, ...rest])
  }
}
