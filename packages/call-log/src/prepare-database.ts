import { ToolError } from '@toolcrib/registry'
import type { Pool, PoolClient } from 'pg'
import { describeCause, logError } from './log-error.ts'
import type { LogSettings } from './log-settings.ts'
import { applyMigrations, readMigrationStatus } from './migrator.ts'
import { createPartitions } from './partitions.ts'
import { withClient } from './pooled-client.ts'

// Another host may be migrating; waiting for it takes longer than a write.
const prepareTimeoutMs = 60_000

/** Migrates, or checks that nothing is to be migrated, and makes the partitions that are due. */
export async function prepareDatabase(pool: Pool, settings: LogSettings): Promise<void> {
  const { schema, signal } = settings
  await available(() =>
    withClient(pool, { timeoutMs: prepareTimeoutMs, signal }, async (client) => {
      await bringUpToDate(client, settings)
      await createPartitions(client, { schema, now: settings.now(), daysAhead: settings.daysAhead })
    }),
  )
}

async function bringUpToDate(client: PoolClient, { schema, migrate }: LogSettings): Promise<void> {
  if (migrate) {
    await applyMigrations(client, { schema })
    return
  }
  const { pending } = await readMigrationStatus(client, { schema })
  if (pending.length > 0)
    throw logError(
      'LOG_SCHEMA_OLDER',
      `Schema "${schema}" lacks ${pending.length} migrations, the first is ${pending[0]?.id} (${pending[0]?.name}). Apply them, or open the log with migrate: true.`,
      { data: { schema, pending: pending.length } },
    )
}

/** Names failures to reach or prepare the database. */
export async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (ToolError.is(error) || (error as { name?: unknown }).name === 'AbortError') throw error
    throw logError(
      'LOG_DATABASE_UNAVAILABLE',
      `The database of the call log could not be reached or prepared: ${describeCause(error)}. Check that it runs and that its user may create a schema.`,
      { cause: error },
    )
  }
}
