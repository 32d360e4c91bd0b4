import { nextTurnOfLoop } from '../../limits/wait.ts'

/** How long one slice of a long work may take before everything else has its turn, in milliseconds. */
const sliceMs = 8

/** The work was given up, since nobody waits for it any more. */
export class WorkStopped extends Error {
  override readonly name: string = 'WorkStopped'
}

/**
 * Carries out a long work in slices, so that the event loop is never kept for long: timers fire, other calls go on, and the
 * deadline of this one is noticed in between.
 *
 * @param work pauses, by `yield`, after whatever takes well under a slice.
 * @param isStopped asked between two slices; the work is given up when it says so.
 * @throws {WorkStopped} when it was given up.
 * @throws whatever the work throws.
 */
export async function workInSlices<Result>(
  work: Generator<void, Result>,
  isStopped: () => boolean,
): Promise<Result> {
  for (;;) {
    const end = performance.now() + sliceMs
    do {
      const { done, value } = work.next()
      if (done === true) return value
    } while (performance.now() < end)
    // oxlint-disable-next-line no-await-in-loop -- the very purpose
    await nextTurnOfLoop()
    if (isStopped()) throw new WorkStopped('Nobody waits for the result any more.')
  }
}
