import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import { type CallReader, createCallReader } from './call-reader.ts'
import type { LogSettings } from './log-settings.ts'

/** The reader of a log in Postgres. */
export function createPostgresReader(pool: Pool, settings: LogSettings): CallReader {
  return createCallReader(drizzle(pool), settings)
}
