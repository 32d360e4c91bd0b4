import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import type { Pool } from 'pg'
import { type CallReader, createCallReader, readable } from './call-reader.ts'
import type { LogSettings } from './log-settings.ts'
import { withClient } from './pooled-client.ts'

/**
 * The reader of a log in PGlite. It does not speak through the pool, whose adapter does not understand what drizzle's
 * driver for node-postgres sends, but it holds the pool's only client meanwhile: there is one session, and what a writer
 * sends into the middle of a read would replace the read's statement.
 */
export function createPgliteReader(
  database: PGlite,
  pool: Pool,
  settings: LogSettings,
): CallReader {
  const reader = createCallReader(drizzle(database), settings)
  const timeoutMs = settings.limits.writeTimeoutMs
  const alone = <Result>(read: () => Promise<Result>, signal?: AbortSignal): Promise<Result> =>
    readable(() => withClient(pool, { timeoutMs }, read), signal)
  return {
    // Who gives up waiting does not end the read, so that the client is kept until it has ended.
    query: ({ signal, ...query } = {}) => alone(() => reader.query(query), signal),
    get: (callId) => alone(() => reader.get(callId)),
    readOutput: (callId) => alone(() => reader.readOutput(callId)),
    statistics: (query) => alone(() => reader.statistics(query)),
  }
}
