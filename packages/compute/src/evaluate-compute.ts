import {
  type CompiledCompute,
  compileCompute,
  compileWithCopy,
  type ComputeOptions,
} from './compile-compute.ts'
import type { ComputeLogic } from './compute-logic.ts'

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
  const entry = compileWithCopy(logic, {})
  cache.set(logic, entry)
  return entry.compiled
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
export function evaluateComputeDSL(
  logic: ComputeLogic,
  args: Readonly<Record<string, unknown>>,
  options?: ComputeOptions,
): unknown {
  return (options === undefined ? compileCached(logic) : compileCompute(logic, options)).run(args)
}
