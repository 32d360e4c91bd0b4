import type { Pool, PoolClient } from 'pg'

/** Limits of one use of a client. */
export interface ClientUse {
  /** How long getting the client and the work may take together, in milliseconds. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Takes a client from the pool, works with it, gives it back. When the time is up or the signal is aborted, the
 * connection is cut, because its state is unknown.
 */
export async function withClient<T>(
  pool: Pool,
  { timeoutMs, signal }: ClientUse,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const onAbort = (): void => stop(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(
    () => stop(new Error(`the database did not answer within ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    const client = await Promise.race([connect(pool, stopped), stopped])
    let broken = true
    try {
      const result = await Promise.race([work(client), stopped])
      broken = false
      return result
    } catch (error) {
      // A statement that the server refused leaves the connection sound.
      broken = !isServerError(error) || isConnectionLost(error)
      throw error
    } finally {
      client.release(broken)
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** A client that arrives after the wait for it was given up goes straight back. */
async function connect(pool: Pool, stopped: Promise<never>): Promise<PoolClient> {
  let late = false
  stopped.catch(() => {
    late = true
  })
  const client = await pool.connect()
  if (late) client.release()
  return client
}

/** The five-character code that the server gave an error; undefined when the error is not the server's. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as object)
    ? code
    : undefined
}

function isServerError(error: unknown): boolean {
  return sqlState(error) !== undefined
}

/** Classes 08 and 57P: the server is going away or has gone. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined || state.startsWith('08') || state.startsWith('57P')
}

/** Tells whether the server refused what a row holds, rather than being unable to serve. */
export function isRowRefused(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && ['22', '23', '54', 'P0'].includes(state.slice(0, 2))
}
