import { ComputeError, type ComputeIssue } from '../src/language/compute-error.ts'
import { type ComputeLimits, resolveLimits } from '../src/language/compute-limits.ts'
import type { Program } from '../src/language/program.ts'
import { readProgram } from '../src/read/read-program.ts'
import { loadArguments } from '../src/walk/load-arguments.ts'
import { type WalkObserver, walkProgram } from '../src/walk/walk-program.ts'

/** What a test may say beside the program. */
export interface WalkOptions {
  readonly args?: unknown
  readonly limits?: Partial<ComputeLimits>
  readonly observer?: WalkObserver
}

/** A program as it was read, without the checks that come after reading. */
export function programOf(logic: object, limits?: Partial<ComputeLimits>): Program {
  const { program, collector } = readProgram(logic, resolveLimits(limits))
  collector.throwIfAny()
  return program
}

/** Runs a program by the walker alone. Every name may be an argument. */
export function walkLogic(logic: object, options: WalkOptions = {}): unknown {
  const program = programOf(logic, options.limits)
  const slots = program.names.map((_, slot) => slot)
  const args = 'args' in options ? options.args : {}
  return walkProgram(program, loadArguments(program, slots, args), options.observer)
}

/** The value of one expression. */
export function walkExpression(
  expression: string,
  { program = {}, ...options }: WalkOptions & { readonly program?: object } = {},
): unknown {
  const logic = { ...program, steps: [{ op: 'return', value: expression }] }
  return walkLogic(logic, options)
}

/** The first problem that running something comes to; fails the test if there is none. */
export function issueOf(run: () => unknown): ComputeIssue {
  try {
    run()
  } catch (error) {
    if (ComputeError.is(error)) return error.issues[0]
    throw error
  }
  throw new Error('it ran without a problem')
}

/** The same as `code path@offset`. */
export function problemOf(run: () => unknown): string {
  const { code, path, offset } = issueOf(run)
  return `${code} ${path}${offset === undefined ? '' : `@${offset}`}`
}
