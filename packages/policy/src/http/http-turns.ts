/** Waits for a turn; what it gives ends the turn. */
export type TakeTurn = (signal: AbortSignal) => Promise<() => void>

/** Lets so many go on at once; others wait for one of them to end. */
export function createTurns(limit: number): TakeTurn {
  let running = 0
  const waiting = new Set<() => void>()
  const end = (): void => {
    const [next] = waiting
    // The turn is handed on, so nobody who comes later is quicker.
    if (next === undefined) running -= 1
    else next()
  }
  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        waiting.delete(goOn)
        reject(signal.reason as Error)
      }
      const goOn = (): void => {
        waiting.delete(goOn)
        signal.removeEventListener('abort', stop)
        resolve()
      }
      waiting.add(goOn)
      signal.addEventListener('abort', stop, { once: true })
    })
  return async (signal) => {
    signal.throwIfAborted()
    if (running < limit) running += 1
    else await wait(signal)
    return end
  }
}
