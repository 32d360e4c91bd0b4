/** How long large texts may keep the event loop in one turn, in milliseconds. */
const maxSpentMs = 10

let spentMs = 0
let next: Promise<void> | undefined

/** Whether this turn of the event loop has no time left for a large text. */
export function isTurnSpent(): boolean {
  return spentMs >= maxSpentMs
}

/**
 * Waits until this turn of the event loop has time left for a large text. Many calls may ask at the same moment for something
 * that takes long to read or to write: one thread serves them all.
 */
export async function waitForTurn(): Promise<void> {
  while (isTurnSpent()) {
    next ??= new Promise((resolve) => {
      setImmediate(() => {
        spentMs = 0
        next = undefined
        resolve()
      })
    })
    // oxlint-disable-next-line no-await-in-loop -- others may have been faster
    await next
  }
}

/** Says that this turn has worked on a large text since a moment of `performance.now()`. */
export function spendTurn(since: number): void {
  spentMs += performance.now() - since
  // Whoever comes in a later turn finds the whole of it.
  if (next === undefined)
    setImmediate(() => {
      spentMs = 0
    })
}
