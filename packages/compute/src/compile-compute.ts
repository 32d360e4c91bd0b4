import {
  type ComputeOptions,
  inspectProgram,
  type Inspection,
  resolveOptions,
} from './check/inspect-program.ts'
import { ComputeError, type ComputeIssue } from './language/compute-error.ts'
import { throwIssues } from './language/compute-issue.ts'
import type { ComputeLogic } from './language/compute-logic.ts'
import type { ArgumentsOf, ResultOf } from './language/logic-types.ts'
import { compileEngine } from './engine/compile-engine.ts'
import { GiveUpCounts, type GiveUpReason } from './engine/give-up.ts'
import { readProgram } from './read/read-program.ts'
import { loadArguments } from './walk/load-arguments.ts'
import { walkProgram } from './walk/walk-program.ts'

/** A checked program, ready to run any number of times. */
export interface CompiledCompute<Arguments = Readonly<Record<string, unknown>>, Result = unknown> {
  /**
   * Runs the program. Deterministic and synchronous; it reads each argument it needs once and changes none.
   * The result is plain JSON data of its own.
   *
   * @param args - plain JSON values by name; names the program does not read are not looked at
   * @throws {ComputeError} unknown_variable, unknown_key, type, bad_argument, bad_value, bad_output, check_failed,
   *   division_by_zero, overflow, precision or limit
   */
  run(args: Arguments): Result
  /** The arguments the program may read, in reading order. */
  readonly inputsUsed: readonly string[]
  /** Steps in the whole program, those of all branches included. */
  readonly stepCount: number
  /** What is probably a mistake and refuses nothing, in reading order. */
  readonly warnings: readonly ComputeIssue[]
  /** What a run may cost at most. */
  readonly cost: {
    /** Run units in the worst case; undefined where a size it depends on is not declared. */
    readonly units: number | undefined
  }
  /**
   * How many runs so far were left to the walker, which gives the same but takes longer, by reason. `unexpected` counts
   * defects of this package.
   */
  readonly giveUps: Readonly<Partial<Record<GiveUpReason, number>>>
}

/**
 * Checks a program completely and compiles it.
 *
 * @param logic - the program; a private copy is taken, so that changing it later changes nothing
 * @param options - names of the arguments, and limits
 * @throws {ComputeError} with every problem of the program in `issues`
 */
export function compileCompute<const Logic extends ComputeLogic>(
  logic: Logic,
  options: ComputeOptions = {},
): CompiledCompute<ArgumentsOf<Logic>, ResultOf<Logic>> {
  const inspection = inspectProgram(logic, resolveOptions(options))
  // What a literal program declares is what the types say of it.
  return compileInspected(inspection) as CompiledCompute<ArgumentsOf<Logic>, ResultOf<Logic>>
}

/** Compiles a program that was read and checked. */
export function compileInspected(inspection: Inspection): CompiledCompute {
  const { program, inputSlots, units, errors, warnings } = inspection
  throwIssues(errors)
  const { names, stepCount, logic, limits } = program
  const giveUps = new GiveUpCounts()
  const engine = compileEngine(program, inputSlots, giveUps)
  // Only what the engine leaves to the walker needs the tree, which is read again from the copy: it would be most of the memory.
  let tree = engine === undefined ? program : undefined
  const walk = (args: unknown, frame: unknown[] | undefined): unknown => {
    tree ??= readProgram(logic, limits).program
    return walkProgram(tree, frame ?? loadArguments(tree, inputSlots, args))
  }
  const walkWhole = (args: unknown): unknown => {
    giveUps.add('too_large')
    return walk(args, undefined)
  }
  return {
    run: (args) => (engine === undefined ? walkWhole(args) : engine.run(args, walk)),
    inputsUsed: Object.freeze(inputSlots.map((slot) => names[slot] ?? '')),
    stepCount,
    warnings,
    cost: { units },
    get giveUps() {
      return giveUps.read()
    },
  }
}

/**
 * Checks a program without keeping it.
 *
 * @param logic - anything; usually JSON that a person or a model wrote
 * @param options - names of the arguments, and limits
 * @returns every problem found, errors first and then warnings, at most 100; {@link compileCompute} takes a program without errors
 * @throws {ComputeError} bad_argument, bad_name or reserved_name when the options themselves are wrong
 */
export function checkCompute(
  logic: unknown,
  options: ComputeOptions = {},
): readonly ComputeIssue[] {
  const settings = resolveOptions(options)
  try {
    const { errors, warnings } = inspectProgram(logic, settings)
    return [...errors, ...warnings].slice(0, 100)
  } catch (error) {
    if (ComputeError.is(error)) return error.issues
    throw error
  }
}
