import type { ClientBase } from 'pg'
import { logError } from './log-error.ts'
import {
  createLedger,
  type Migration,
  migrations as ownMigrations,
  runMigrations,
} from './migration.ts'

/** A migration that the database has. */
export interface AppliedMigration {
  readonly id: number
  readonly name: string
  readonly hash: string
  /** Milliseconds since the epoch, by the server's clock. */
  readonly appliedAt: number
}

/** How the schema of a database stands against this package. */
export interface MigrationStatus {
  readonly schema: string
  readonly applied: readonly AppliedMigration[]
  /** What `migrate` would apply, in order, with the SQL as it would run. */
  readonly pending: readonly { readonly id: number; readonly name: string; readonly sql: string }[]
}

/** What the migrator works with; tests pass migrations of their own. */
export interface MigratorOptions {
  readonly schema: string
  readonly migrations?: readonly Migration[]
}

/**
 * Reads which migrations are applied and which are pending; changes nothing.
 *
 * @throws {ToolError} LOG_SCHEMA_NEWER, LOG_SCHEMA_CHANGED when the database does not fit this package.
 */
export async function readMigrationStatus(
  client: ClientBase,
  { schema, migrations = ownMigrations }: MigratorOptions,
): Promise<MigrationStatus> {
  const applied = await readApplied(client, schema)
  assertFit(applied, migrations, schema)
  const pending = migrations
    .filter(({ id }) => !applied.some((entry) => entry.id === id))
    .map(({ id, name, sql }) => ({ id, name, sql: sql.replaceAll('{schema}', schema) }))
  return { schema, applied, pending }
}

/**
 * Applies what is pending, in one transaction, under a lock that all hosts of the database share.
 *
 * @throws {ToolError} LOG_SCHEMA_NEWER, LOG_SCHEMA_CHANGED when the database does not fit this package;
 * LOG_DATABASE_UNSUPPORTED when its encoding is not UTF-8.
 */
export async function applyMigrations(
  client: ClientBase,
  options: MigratorOptions,
): Promise<MigrationStatus> {
  const before = await readMigrationStatus(client, options)
  if (before.pending.length === 0) return before
  await assertEncoding(client)
  const { schema, migrations = ownMigrations } = options
  await client.query('begin')
  try {
    await client.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      `toolcrib migrate ${schema}`,
    ])
    await createLedger(client, schema)
    // Another host may have been quicker while this one waited for the lock.
    const { pending } = await readMigrationStatus(client, options)
    const due = migrations.filter(({ id }) => pending.some((entry) => entry.id === id))
    await runMigrations(client, schema, due)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  return readMigrationStatus(client, options)
}

async function readApplied(client: ClientBase, schema: string): Promise<AppliedMigration[]> {
  const found = await client.query<{ found: string | null }>(`select to_regclass($1) as found`, [
    `${schema}.call_log_migrations`,
  ])
  if (found.rows[0]?.found === null) return []
  const { rows } = await client.query<AppliedMigration>(
    `select id, name, hash, (extract(epoch from applied_at) * 1000)::float8 as "appliedAt" from ${schema}.call_log_migrations order by id`,
  )
  return rows
}

function assertFit(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
  schema: string,
): void {
  for (const { id, name, hash } of applied) {
    const own = known.find((migration) => migration.id === id)
    if (own === undefined)
      throw logError(
        'LOG_SCHEMA_NEWER',
        `Schema "${schema}" has migration ${id} (${name}), which this version of the package does not know. Install the newer version that applied it.`,
        { data: { schema, id, name } },
      )
    if (own.hash !== hash)
      throw logError(
        'LOG_SCHEMA_CHANGED',
        `Migration ${id} (${name}) of schema "${schema}" was applied with hash ${hash}, and this package has ${own.hash}. Restore the released migration, or use another schema.`,
        { data: { schema, id, name, appliedHash: hash, ownHash: own.hash } },
      )
  }
}

async function assertEncoding(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('show server_encoding')
  const encoding = rows[0]?.server_encoding
  if (encoding !== 'UTF8')
    throw logError(
      'LOG_DATABASE_UNSUPPORTED',
      `The database has encoding ${encoding}, and the log needs UTF8. Create the database with encoding UTF8.`,
      { data: { encoding: encoding ?? 'unknown' } },
    )
}
