/** How long work may take, and who else may stop it. */
interface TimeLimit {
  /** In milliseconds, above 0. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** What it ends with when the time is up. */
  readonly late: () => Error
}

/**
 * Runs work under a signal that aborts when the time is up or when the given one does. The work has to heed the signal.
 *
 * @throws what `late` makes, or the reason of `signal`
 */
export async function withTimeLimit<Value>(
  work: (options: { readonly signal: AbortSignal }) => Promise<Value>,
  { timeoutMs, signal, late }: TimeLimit,
): Promise<Value> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const stop = (): void => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(late()), timeoutMs)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await work({ signal: controller.signal })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
