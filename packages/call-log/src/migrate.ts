import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import type { Pool } from 'pg'
import { applyMigrations, type MigrationStatus, readMigrationStatus } from './migrator.ts'
import { withClient } from './pooled-client.ts'
import { openPool } from './postgres-call-log.ts'
import { available } from './prepare-database.ts'
import { checkSchemaName } from './schema-name.ts'

/** Which database, and how to treat it. */
export interface MigrateOptions {
  readonly pool?: Pool
  readonly connectionString?: string
  /** @default 'toolcrib' */
  readonly schema?: string
  /** Only say what would be applied. @default false */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

const migrateTimeoutMs = 600_000

const migrateOptionNames: KnownOptions<MigrateOptions> = {
  pool: true,
  connectionString: true,
  schema: true,
  dryRun: true,
  signal: true,
}

/**
 * Applies pending migrations without opening a log, for deployments that do so in a step of its own; with `dryRun` it
 * lists them and changes nothing. Gives how the schema stands afterwards.
 *
 * @throws {ToolError} LOG_OPTION_INVALID, LOG_DATABASE_UNAVAILABLE, LOG_DATABASE_UNSUPPORTED, LOG_SCHEMA_NEWER, LOG_SCHEMA_CHANGED.
 */
export async function migrate(options: MigrateOptions): Promise<MigrationStatus> {
  assertOptions<MigrateOptions>('migrate', options, migrateOptionNames)
  const { dryRun = false, signal } = options
  const schema = checkSchemaName(options.schema ?? 'toolcrib')
  const { pool, release } = openPool(options, 1)
  try {
    return await available(() =>
      withClient(pool, { timeoutMs: migrateTimeoutMs, signal }, (client) =>
        dryRun ? readMigrationStatus(client, { schema }) : applyMigrations(client, { schema }),
      ),
    )
  } finally {
    await release()
  }
}

/**
 * Tells which migrations are applied and which are pending; changes nothing.
 *
 * @throws {ToolError} as {@link migrate} does.
 */
export function migrationStatus(options: Omit<MigrateOptions, 'dryRun'>): Promise<MigrationStatus> {
  return migrate({ ...options, dryRun: true })
}
