import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { callLogMigration } from './migrations/0001-call-log.ts'
import { readsMigration } from './migrations/0002-reads.ts'

/** A step of the schema. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text before the schema's name was put in, 64 hexadecimal digits. */
  readonly hash: string
}

const defineMigration = (id: number, name: string, sql: string): Migration => ({
  id,
  name,
  sql,
  hash: createHash('sha256').update(sql).digest('hex'),
})

/** Every migration, in order. What was released is never edited. */
export const migrations: readonly Migration[] = [
  defineMigration(1, 'call-log', callLogMigration),
  defineMigration(2, 'reads', readsMigration),
]

/** Makes the schema, where it is missing, with the table of the migrations that it has. */
export async function createLedger(client: ClientBase, schema: string): Promise<void> {
  await client.query(`create schema if not exists ${schema}`)
  await client.query(
    `create table if not exists ${schema}.call_log_migrations (id integer primary key, name text not null, hash text not null, applied_at timestamptz not null default clock_timestamp())`,
  )
}

/** Runs migrations in their order and enters them. */
export async function runMigrations(
  client: ClientBase,
  schema: string,
  pending: readonly Migration[],
): Promise<void> {
  for (const { id, name, sql, hash } of pending) {
    // oxlint-disable-next-line no-await-in-loop -- migrations build on each other
    await client.query(sql.replaceAll('{schema}', schema))
    // oxlint-disable-next-line no-await-in-loop -- see above
    await client.query(
      `insert into ${schema}.call_log_migrations (id, name, hash) values ($1, $2, $3)`,
      [id, name, hash],
    )
  }
}
