import {
  type CompiledCompute,
  ComputeError,
  type ComputeLimits,
  type ComputeLogic,
  compileCompute,
} from '@toolcrib/compute'
import type { ProgramText } from './compute-job.ts'
import type { ComputeThread } from './compute-thread.ts'

/**
 * Run units that a run may take where it was called. A unit is half a microsecond at worst, and a run that ends with an error
 * is made twice.
 */
const unitsAtOnce = 50_000
/** Values inside the arguments with which a run may begin where it was called: each may have to be checked first. */
const valuesAtOnce = 20_000

/**
 * A program that never keeps the event loop for long: what is not soon over runs again from its beginning, in a thread.
 * Programs touch nothing, so that nobody can tell.
 */
export class ComputeProgram {
  readonly #short: CompiledCompute
  readonly #text: ProgramText
  readonly #thread: ComputeThread
  /** More units are allowed than may be taken at once. */
  readonly #mayTakeLonger: boolean

  /** @throws {ComputeError} with every problem of the program. */
  constructor(
    logic: ComputeLogic,
    {
      inputs,
      limits,
    }: { readonly inputs: readonly string[]; readonly limits: Partial<ComputeLimits> },
    thread: ComputeThread,
  ) {
    const allowed = limits.maxRunUnits ?? Infinity
    this.#mayTakeLonger = allowed > unitsAtOnce
    const maxRunUnits = Math.min(allowed, unitsAtOnce)
    this.#short = compileCompute(logic, { inputs, limits: { ...limits, maxRunUnits } })
    this.#text = { logic: JSON.stringify(logic), inputs, limits }
    this.#thread = thread
  }

  /**
   * Runs it: at once, or in the thread.
   *
   * @throws {ComputeError} what the program gives for these arguments.
   */
  run(input: Readonly<Record<string, unknown>>, signal: AbortSignal): unknown {
    if (countValues(input) > valuesAtOnce) return this.#thread.run(this.#text, input, signal)
    try {
      return this.#short.run(input)
    } catch (error) {
      if (!this.#mayTakeLonger || !ComputeError.is(error, 'limit')) throw error
      return this.#thread.run(this.#text, input, signal)
    }
  }
}

/** The values inside a value, at all levels; no more are counted than matter. */
function countValues(value: unknown, before = 0): number {
  if (typeof value !== 'object' || value === null) return before
  if (Array.isArray(value)) {
    let count = before + value.length
    for (let index = 0; index < value.length && count <= valuesAtOnce; index += 1)
      count = countValues(value[index], count)
    return count
  }
  let count = before
  for (const key in value) {
    count = countValues((value as Readonly<Record<string, unknown>>)[key], count + 1)
    if (count > valuesAtOnce) break
  }
  return count
}
