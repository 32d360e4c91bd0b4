/** How long large texts may keep the event loop in one turn, in milliseconds. */
const maxSpentMs = 10

let spentMs = 0
let isDue = false
const waiting: (() => void)[] = []

/** Whether this turn of the event loop has no time left for a large text, or others wait for theirs. */
export function isTurnSpent(): boolean {
  return spentMs >= maxSpentMs || waiting.length > 0
}

/**
 * Waits for a turn of the event loop that has time for a large text. Many calls may ask at the same moment for something that
 * takes long to read or to write, and one thread serves them all: each gets a turn of its own.
 */
export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    begin()
  })
}

/** Says that this turn has worked on a large text since a moment of `performance.now()`. */
export function spendTurn(since: number): void {
  spentMs += performance.now() - since
  begin()
}

function begin(): void {
  if (isDue) return
  isDue = true
  setImmediate(() => {
    isDue = false
    spentMs = 0
    waiting.shift()?.()
    if (waiting.length > 0) begin()
  })
}
