import { ComputeError, type ComputeErrorCode } from '../language/compute-error.ts'
import { Fault } from '../values/fault.ts'

/**
 * Why the fast engine leaves a run to the walker: the code of what the walker probably reports, or
 *
 * - `no_number`: arithmetic was given no number, or gave Infinity or NaN
 * - `nested`: a getter of the arguments runs a program inside another one's run
 * - `caller`: a getter or a proxy of the arguments threw
 * - `stack`: the stack of calls was used up
 * - `too_large`: the program is larger than the engine's code may be
 * - `unexpected`: none of these, which is a defect of this package
 */
export type GiveUpReason =
  | ComputeErrorCode
  | 'no_number'
  | 'nested'
  | 'caller'
  | 'stack'
  | 'too_large'
  | 'unexpected'

/** Thrown where the engine gives up: the walker then runs the program and finds the words for what is wrong. */
export class GiveUp {
  readonly reason: GiveUpReason

  constructor(reason: GiveUpReason) {
    this.reason = reason
  }
}

/** The reason of what ended a run in the engine; undefined for an exception that is no way to give up. */
export function reasonOf(error: unknown): GiveUpReason | undefined {
  if (error instanceof GiveUp) return error.reason
  if (error instanceof Fault || ComputeError.is(error)) return error.code
  return isStackOverflow(error) ? 'stack' : undefined
}

/** Counts of one program. Most programs never give up, and keep nothing. */
export class GiveUpCounts {
  #counts: Map<GiveUpReason, number> | undefined

  add(reason: GiveUpReason): void {
    this.#counts ??= new Map()
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1)
  }

  /** A copy: how many runs, by reason. */
  read(): Readonly<Partial<Record<GiveUpReason, number>>> {
    return Object.fromEntries(this.#counts ?? [])
  }
}

/** Is told of each exception that is no way to give up. The tests of this package throw it on. */
export const unexpected: { handle: (error: unknown) => void } = { handle: () => undefined }

/** Engines of JavaScript word it differently. */
function isStackOverflow(error: unknown): boolean {
  try {
    return error instanceof Error && /call stack|too much recursion/.test(error.message)
  } catch {
    // A caller's getter may throw a proxy.
    return false
  }
}
