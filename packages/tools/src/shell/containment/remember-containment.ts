import { type ContainmentRequest, chooseContainment } from './choose-containment.ts'
import type { Containment } from './containment.ts'

/** How long something weaker is made do with before what is better is tried again, in milliseconds. */
const retryAfterMs = 30_000

/** What stands in for the clock and for trying in tests. */
export interface RememberingSources {
  /** Milliseconds that never go back. @default performance.now */
  readonly now?: () => number
  /** @default chooseContainment */
  readonly choose?: (request: ContainmentRequest) => Promise<Containment>
}

/**
 * Chooses a containment at the first call and keeps it. One that was taken for lack of a better one is kept for 30 s: a
 * trial also fails for want of descriptors, processes or time, and that passes.
 *
 * @returns what gives the containment. It rejects with the reason of its signal as soon as that is aborted.
 * @throws {ToolError} CONTAINMENT_UNAVAILABLE, from what is returned; the next call tries again.
 */
export function rememberContainment(
  request: ContainmentRequest,
  { now = () => performance.now(), choose = chooseContainment }: RememberingSources = {},
): (signal: AbortSignal) => Promise<Containment> {
  let chosen: Promise<Containment> | undefined
  let keptUntil = Infinity
  const tryOut = async (): Promise<Containment> => {
    keptUntil = Infinity
    try {
      const containment = await choose(request)
      if (request.containment === 'best' && containment.name !== 'bubblewrap')
        keptUntil = now() + retryAfterMs
      return containment
    } catch (error) {
      // What is missing may be installed meanwhile.
      chosen = undefined
      throw error
    }
  }
  return async (signal) => {
    if (now() >= keptUntil) chosen = undefined
    chosen ??= tryOut()
    return await unlessAborted(chosen, signal)
  }
}

async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop!: () => void
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
