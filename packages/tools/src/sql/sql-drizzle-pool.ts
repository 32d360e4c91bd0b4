interface Connection {
  on(event: 'error', listener: () => void): unknown
}

/** A pool of node-postgres, as drizzle has it under `$client`. */
interface ConnectionPool {
  on(event: 'connect' | 'acquire', listener: (connection: Connection) => void): unknown
}

const guardedPools = new WeakSet<object>()
const guardedConnections = new WeakSet<object>()

/**
 * Listens for the loss of each connection that a drizzle instance takes from a pool: drizzle does not listen while a
 * transaction runs, and an error that nobody hears ends the process. The statement that runs fails with it all the same.
 */
export function guardDrizzlePool(database: object): void {
  const pool = (database as { readonly $client?: unknown }).$client
  if (!isPool(pool) || guardedPools.has(pool)) return
  guardedPools.add(pool)
  pool.on('connect', guard)
  // Connections that the pool had before.
  pool.on('acquire', guard)
}

/** Other drivers and single connections have no count of connections. */
function isPool(value: unknown): value is ConnectionPool {
  return (
    typeof value === 'object' &&
    value !== null &&
    'totalCount' in value &&
    typeof (value as Partial<ConnectionPool>).on === 'function'
  )
}

function guard(connection: Connection): void {
  if (guardedConnections.has(connection)) return
  guardedConnections.add(connection)
  connection.on('error', () => undefined)
}
