import { compileSteps } from './compile-steps.ts'
import { ComputeError, type ComputeIssue } from './compute-error.ts'
import { type ComputeLimits, resolveLimits } from './compute-limits.ts'
import type { ComputeLogic } from './compute-logic.ts'
import { prepareArguments } from './load-arguments.ts'
import { readProgram } from './read-program.ts'

/** How a program is checked and bounded. */
export interface ComputeOptions {
  /**
   * Names of the arguments the program will get. With it every other name that is read before a step
   * assigns it is an error at compile time; without it such a name is an error when it is reached.
   */
  readonly inputs?: readonly string[]
  /** Bounds that differ from the defaults. */
  readonly limits?: Partial<ComputeLimits>
}

/** A checked program, ready to run any number of times. */
export interface CompiledCompute {
  /**
   * Runs the program. Deterministic and synchronous; it reads each argument it needs once and changes none.
   * The result is plain JSON data of its own.
   *
   * @param args - plain JSON values by name; names the program does not read are not looked at
   * @throws {ComputeError} unknown_variable, unknown_key, type, bad_argument, division_by_zero, overflow, precision or limit
   */
  run(args: Readonly<Record<string, unknown>>): unknown
  /** The arguments the program may read, in reading order. */
  readonly inputsUsed: readonly string[]
  /** Steps in the whole program, those of both branches of a condition included. */
  readonly stepCount: number
}

/**
 * Checks a program completely and compiles it.
 *
 * @param logic - the program; a private copy is taken, so that changing it later changes nothing
 * @param options - names of the arguments, and limits
 * @throws {ComputeError} with every problem of the program in `issues`
 */
export function compileCompute(logic: ComputeLogic, options: ComputeOptions = {}): CompiledCompute {
  return compileWithCopy(logic, options).compiled
}

/** The same, with the private copy of the program that was compiled. */
export function compileWithCopy(
  logic: ComputeLogic,
  options: ComputeOptions,
): { readonly compiled: CompiledCompute; readonly copy: ComputeLogic } {
  const limits = resolveLimits(options.limits)
  const program = readProgram(logic, { limits, inputs: options.inputs })
  const { names } = program
  const code = compileSteps(program)
  const inputsUsed = program.inputSlots.map((slot) => names[slot] ?? '')
  const load = prepareArguments(names, inputsUsed, { limits, root: 'args' })
  const compiled: CompiledCompute = {
    run: (args) => code(load(args)),
    inputsUsed: Object.freeze(inputsUsed),
    stepCount: program.stepCount,
  }
  return { compiled, copy: program.logic }
}

/**
 * Checks a program without keeping it.
 *
 * @param logic - anything; usually JSON that a person or a model wrote
 * @param options - names of the arguments, and limits
 * @returns every problem found, an empty list for a program that {@link compileCompute} takes
 * @throws {ComputeError} bad_argument, bad_name or reserved_name when the options themselves are wrong
 */
export function checkCompute(
  logic: unknown,
  options: ComputeOptions = {},
): readonly ComputeIssue[] {
  const limits = resolveLimits(options.limits)
  try {
    readProgram(logic, { limits, inputs: options.inputs })
    return []
  } catch (error) {
    if (ComputeError.is(error) && !error.path.startsWith('options.')) return error.issues
    throw error
  }
}
