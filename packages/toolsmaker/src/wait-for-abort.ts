/** Resolves when a signal is aborted, or when the time is over. */
export function waitForAbort(signal: AbortSignal, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, timeoutMs)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}

/** Waits for something that others wait for too, and stops waiting when the signal is aborted. */
export async function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
