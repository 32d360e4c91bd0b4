import { type ComputeOptions, inspectProgram, resolveOptions } from './check/inspect-program.ts'
import { type CompiledCompute, compileCompute, compileInspected } from './compile-compute.ts'
import type { ComputeLogic } from './language/compute-logic.ts'
import type { ArgumentsOf, ResultOf } from './language/logic-types.ts'

interface CacheEntry {
  readonly compiled: CompiledCompute
  readonly copy: ComputeLogic
}

const cache = new WeakMap<object, CacheEntry>()

/** Whether the caller's data still is what our copy of it says. */
function isUnchanged(copy: unknown, live: unknown): boolean {
  if (typeof copy !== 'object' || copy === null) return copy === live
  if (typeof live !== 'object' || live === null) return false
  const keys = Object.keys(copy)
  if (Array.isArray(copy) !== Array.isArray(live) || Object.keys(live).length !== keys.length) {
    return false
  }
  return keys.every(
    (key) =>
      Object.hasOwn(live, key) &&
      isUnchanged((copy as Record<string, unknown>)[key], (live as Record<string, unknown>)[key]),
  )
}

function isFresh(copy: unknown, live: unknown): boolean {
  try {
    return isUnchanged(copy, live)
  } catch {
    // A getter or a proxy threw: compiling again says so properly.
    return false
  }
}

function compileCached(logic: ComputeLogic): CompiledCompute {
  const known = cache.get(logic)
  if (known !== undefined && isFresh(known.copy, logic)) return known.compiled
  const inspection = inspectProgram(logic, resolveOptions({}))
  const compiled = compileInspected(inspection)
  cache.set(logic, { compiled, copy: inspection.program.logic })
  return compiled
}

/**
 * Runs a program in one call. Without options the compiled form is remembered for the program
 * object, and compiled again once the object has changed; with options it is compiled each time.
 * To run a program often, {@link compileCompute} is faster.
 *
 * @param logic - the program
 * @param args - plain JSON values by name
 * @param options - names of the arguments, and limits
 * @returns the value of the return step that was reached
 * @throws {ComputeError} every code {@link compileCompute} and its `run` can give
 */
export function evaluateComputeDSL<const Logic extends ComputeLogic>(
  logic: Logic,
  args: ArgumentsOf<Logic>,
  options?: ComputeOptions,
): ResultOf<Logic> {
  const compiled: CompiledCompute<never> =
    options === undefined ? compileCached(logic) : compileCompute(logic, options)
  return compiled.run(args as never) as ResultOf<Logic>
}
