import type { WorkflowProblem } from '../workflow-check.ts'

/** Collects problems, bounded: what is beyond is counted only. */
export class ProblemList {
  readonly #limit: number
  readonly #errors: WorkflowProblem[] = []
  readonly #warnings: WorkflowProblem[] = []
  #errorCount = 0
  #warningCount = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  error(problem: Omit<WorkflowProblem, 'severity'>): void {
    this.#errorCount += 1
    if (this.#errors.length < this.#limit) this.#errors.push({ severity: 'error', ...problem })
  }

  warn(problem: Omit<WorkflowProblem, 'severity'>): void {
    this.#warningCount += 1
    if (this.#warnings.length < this.#limit)
      this.#warnings.push({ severity: 'warning', ...problem })
  }

  get hasErrors(): boolean {
    return this.#errorCount > 0
  }

  /** Errors first, in the order in which they were found. */
  report(): { readonly problems: readonly WorkflowProblem[]; readonly omittedProblems?: number } {
    const problems = [...this.#errors, ...this.#warnings].slice(0, this.#limit)
    const omitted = this.#errorCount + this.#warningCount - problems.length
    return omitted === 0 ? { problems } : { problems, omittedProblems: omitted }
  }
}
