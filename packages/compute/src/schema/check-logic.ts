import { inspectProgram } from '../check/inspect-program.ts'
import { ComputeError, type ComputeIssue } from '../language/compute-error.ts'
import { defaultLimits } from '../language/compute-limits.ts'
import type { ComputeLogic } from '../language/compute-logic.ts'

/** What the complete check found, with a copy of the program where it found no error. */
export type CheckedLogic =
  | { readonly logic: ComputeLogic; readonly errors: readonly [] }
  | { readonly logic: undefined; readonly errors: readonly ComputeIssue[] }

/** Checks a program completely, with the default limits. Warnings are no errors. */
export function checkLogic(value: unknown): CheckedLogic {
  try {
    const { program, errors } = inspectProgram(value, { limits: defaultLimits, inputs: undefined })
    return errors.length > 0 ? { logic: undefined, errors } : { logic: program.logic, errors: [] }
  } catch (error) {
    if (!ComputeError.is(error)) throw error
    return { logic: undefined, errors: error.issues }
  }
}
