import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { type CallReader, createCallReader } from './call-reader.ts'
import type { LogSettings } from './log-settings.ts'

/**
 * The reader of a log in PGlite. It goes past the pool, whose adapter does not understand what drizzle's driver for
 * node-postgres sends.
 */
export function createPgliteReader(database: PGlite, settings: LogSettings): CallReader {
  return createCallReader(drizzle(database), settings)
}
