import type { Pool, PoolClient } from 'pg'

const guarded = new WeakSet<PoolClient>()
const ignore = (): void => undefined

function guard(client: PoolClient): void {
  if (guarded.has(client)) return
  guarded.add(client)
  client.on('error', ignore)
}

/**
 * Listens for the loss of every connection of a pool for as long as each lives. The pool itself listens only while a
 * connection lies idle; an error that nobody hears ends the process, and the server may cut a connection (failover,
 * administrator, pooler) while it is checked out, while it is given back, and in the very message that opens it.
 * Nothing is hidden: whoever waits for an answer on such a connection gets the error.
 *
 * @param onLost Hears of idle connections that were lost.
 * @returns Stops listening on the pool; connections that are out stay guarded.
 */
export function guardPool(pool: Pool, onLost: (error: Error) => void): () => void {
  pool.on('connect', guard)
  // Connections that the pool had before.
  pool.on('acquire', guard)
  pool.on('error', onLost)
  return () => {
    pool.off('connect', guard)
    pool.off('acquire', guard)
    pool.off('error', onLost)
  }
}
