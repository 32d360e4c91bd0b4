import { createHash } from 'node:crypto'
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
