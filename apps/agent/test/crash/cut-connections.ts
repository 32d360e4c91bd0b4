import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'

/** How many connections were cut. */
export interface Cuts {
  count: number
}

const shortestMs = 20
const longestMs = 80

/** Has the server cut every connection but its own, again and again until `signal` is aborted. */
export async function cutConnections(
  connectionString: string,
  { cuts, signal }: { readonly cuts: Cuts; readonly signal: AbortSignal },
): Promise<void> {
  const administrator = new Client({ connectionString })
  await administrator.connect()
  try {
    while (!signal.aborted) {
      const { rowCount } = await administrator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where pid <> pg_backend_pid() and datname = current_database()`,
      )
      cuts.count += rowCount ?? 0
      await wait(shortestMs + Math.random() * (longestMs - shortestMs))
    }
  } finally {
    await administrator.end()
  }
}
