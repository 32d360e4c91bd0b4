import type { ComputeIssue } from '../language/compute-error.ts'
import { errorOf, inReadingOrder } from '../language/compute-issue.ts'
import { type ComputeLimits, resolveLimits } from '../language/compute-limits.ts'
import type { Program } from '../language/program.ts'
import { ownField } from '../read/copy-program.ts'
import { readProgram } from '../read/read-program.ts'
import { checkProgram } from './check-program.ts'
import { resolveInputs } from './known-inputs.ts'

/** How a program is checked and bounded. */
export interface ComputeOptions {
  /**
   * Names of the arguments the program will get. With it every other name that is read before a step
   * assigns it is an error at compile time; without it such a name is an error when it is reached.
   * A program that declares its inputs needs no such list.
   */
  readonly inputs?: readonly string[]
  /** Bounds that differ from the defaults. */
  readonly limits?: Partial<ComputeLimits>
}

/** {@link ComputeOptions} after a look at them. */
export interface ComputeSettings {
  readonly limits: ComputeLimits
  readonly inputs: ReadonlySet<string> | undefined
}

/** What is known of a program before it runs. */
export interface Inspection {
  readonly program: Program
  /** Slots of the arguments that it may read, in reading order. */
  readonly inputSlots: readonly number[]
  /** Run units in the worst case, or undefined where a size is not known. */
  readonly units: number | undefined
  readonly errors: readonly ComputeIssue[]
  readonly warnings: readonly ComputeIssue[]
}

/**
 * Refuses options that are wrong.
 *
 * @throws {ComputeError} bad_argument, bad_name or reserved_name
 */
export function resolveOptions(options: ComputeOptions): ComputeSettings {
  assertKnownOptions(options)
  const limits = ownField(options, 'limits') as ComputeOptions['limits']
  const inputs = ownField(options, 'inputs') as ComputeOptions['inputs']
  return { limits: resolveLimits(limits), inputs: resolveInputs(inputs) }
}

const optionNames: readonly string[] = ['inputs', 'limits']

/** A misspelt option would silently leave a default in force. @throws {ComputeError} bad_argument */
function assertKnownOptions(options: ComputeOptions): void {
  if (typeof options !== 'object' || options === null) return
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !optionNames.includes(name))
      throw errorOf(`options.${name}`, {
        code: 'bad_argument',
        message: 'there is no such option',
        hint: `Use one of ${optionNames.join(', ')}.`,
      })
}

/**
 * Reads and checks a program completely, without running it.
 *
 * @throws {ComputeError} for what makes reading on pointless: no object at all, a limit that was passed, 100 problems
 */
export function inspectProgram(logic: unknown, { limits, inputs }: ComputeSettings): Inspection {
  const read = readProgram(logic, limits)
  const { inputSlots, units, warnings } = checkProgram(read, inputs)
  const { program, collector } = read
  const errors = inReadingOrder(collector.issues)
  return { program, inputSlots, units, errors, warnings: inReadingOrder(warnings) }
}
