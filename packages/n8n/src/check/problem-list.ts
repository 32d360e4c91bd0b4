import type { WorkflowProblem } from '../workflow-check.ts'
import type { WorkflowProblemCode } from './problem-codes.ts'
import { findSecrets } from './secret-patterns.ts'

/** More are hidden by their form only, which takes bounded time. */
const maxHidden = 200

/** A problem as a check reports it. */
export type NewProblem = Omit<WorkflowProblem, 'severity' | 'code'> & {
  readonly code: WorkflowProblemCode
}

/** Collects problems, bounded: what is beyond is counted only. */
export class ProblemList {
  readonly #limit: number
  readonly #errors: WorkflowProblem[] = []
  readonly #warnings: WorkflowProblem[] = []
  readonly #hidden = new Set<string>()
  #errorCount = 0
  #warningCount = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  error(problem: NewProblem): void {
    this.#errorCount += 1
    if (this.#errors.length < this.#limit) this.#errors.push({ severity: 'error', ...problem })
  }

  warn(problem: NewProblem): void {
    this.#warningCount += 1
    if (this.#warnings.length < this.#limit)
      this.#warnings.push({ severity: 'warning', ...problem })
  }

  /** Keeps a secret out of all texts that are handed out. */
  hide(secret: string): void {
    if (this.#hidden.size < maxHidden) this.#hidden.add(secret)
  }

  /** A text without the secrets that were found, also where a message shows only the beginning of one. */
  clean(text: string): string {
    let cleaned = text
    for (const secret of this.#hidden) {
      cleaned = cleaned.replaceAll(secret, '…')
      const escaped = JSON.stringify(secret).slice(1, -1)
      if (escaped !== secret) cleaned = cleaned.replaceAll(escaped, '…')
    }
    for (const { value } of findSecrets(cleaned)) cleaned = cleaned.replaceAll(value, '…')
    return cleaned
  }

  get hasErrors(): boolean {
    return this.#errorCount > 0
  }

  /** Errors first, in the order in which they were found. */
  report(): { readonly problems: readonly WorkflowProblem[]; readonly omittedProblems?: number } {
    const problems = [...this.#errors, ...this.#warnings].slice(0, this.#limit).map((problem) => ({
      ...problem,
      path: this.clean(problem.path),
      message: this.clean(problem.message),
      ...(problem.node !== undefined && { node: this.clean(problem.node) }),
      ...(problem.fix !== undefined && { fix: this.clean(problem.fix) }),
    }))
    const omitted = this.#errorCount + this.#warningCount - problems.length
    return omitted === 0 ? { problems } : { problems, omittedProblems: omitted }
  }
}
