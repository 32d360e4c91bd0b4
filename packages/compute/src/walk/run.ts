import { ComputeError } from '../language/compute-error.ts'
import { errorAt, type Site } from '../language/compute-issue.ts'
import type { Program } from '../language/program.ts'
import { Decimal } from '../values/decimal.ts'
import { Fault } from '../values/fault.ts'
import { describeType, hostReadError } from '../values/json-value.ts'
import { RunBudget } from './run-budget.ts'

/** The state of one run. */
export class Run {
  readonly program: Program
  /** The variables by slot; undefined means not assigned. One slot more than there are names holds the arguments, for hints only. */
  readonly frame: unknown[]
  readonly budget: RunBudget
  /** Arrays the program made. Their items need no more checks; everything else comes from outside. */
  readonly made: Set<object> = new Set<object>()

  constructor(program: Program, frame: unknown[]) {
    this.program = program
    this.frame = frame
    this.budget = new RunBudget(program.limits)
  }
}

/** A number of a run: in decimal mode of either kind. */
export type Numeric = number | Decimal

/** Whether a value is a number of the language. */
export const isNumeric = (value: unknown): value is Numeric =>
  typeof value === 'number' || value instanceof Decimal

/** The type of a value in the words of the language. */
export const typeOf = (value: unknown): string =>
  isNumeric(value) ? 'number' : describeType(value)

/**
 * Runs what knows nothing of its place in the program, and gives its problems that place. The path of a
 * ComputeError that has one stays. What else is thrown comes from the caller's getters and proxies.
 */
export function atPlace<Result>(site: Site, offset: number, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof Fault) throw errorAt(site, offset, error)
    const placed = hostReadError(error, '', 'bad_argument')
    const [{ code, message, hint }] = placed.issues
    throw ComputeError.is(error) && error.path !== ''
      ? error
      : errorAt(site, offset, { code, message, hint })
  }
}
