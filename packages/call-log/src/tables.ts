import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  pgSchema,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ToolCallStatus } from '@toolcrib/registry'

/** The kinds of rows: `s` started, `e` ended (the terminal row), `l` a result that came late. */
export type CallRowKind = 's' | 'e' | 'l'

const singleByte = customType<{ data: CallRowKind }>({ dataType: () => '"char"' })

/**
 * Describes the tables of the call log for drizzle, in a schema of that name, so that programs can query them.
 * They are read-only for everybody but this package: the database refuses UPDATE, DELETE and TRUNCATE.
 *
 * @example
 * const { toolCalls } = createCallLogTables('my_schema')
 * await drizzle(pool).select().from(toolCalls).where(eq(toolCalls.kind, 's')).limit(10)
 */
export function createCallLogTables(schemaName: string = 'toolcrib') {
  const table = (schemaName === 'public' ? pgTable : pgSchema(schemaName).table) as typeof pgTable
  /** One row when a call starts, one when it ends, one for a late result. */
  const toolCalls = table(
    'tool_calls',
    {
      /** UUIDv7; the id of the start row, and the partition key. */
      callId: uuid('call_id').notNull(),
      kind: singleByte('kind').notNull(),
      /** The start row's id, on every other row of the call. */
      parentId: uuid('parent_id').generatedAlwaysAs(
        sql`case when kind = 's' then null else call_id end`,
      ),
      namespace: text('namespace').notNull(),
      toolName: text('tool_name').notNull(),
      status: text('status').$type<ToolCallStatus>().notNull(),
      hostId: uuid('host_id').notNull(),
      /** When it happened by the host's clock. */
      at: timestamp('at', { withTimezone: true }).notNull(),
      /** When it was stored by the server's clock. */
      createdAt: timestamp('created_at', { withTimezone: true })
        .notNull()
        .default(sql`clock_timestamp()`),
      toolVersion: bigint('tool_version', { mode: 'number' }),
      toolHash: text('tool_hash'),
      approvalId: text('approval_id'),
      principalKind: text('principal_kind'),
      principalId: text('principal_id'),
      /** JSON text; of a large one the beginning. */
      input: text('input'),
      /** JSON text; of a large one the beginning. */
      output: text('output'),
      outputBytes: bigint('output_bytes', { mode: 'number' }),
      truncated: boolean('truncated'),
      durationMs: doublePrecision('duration_ms'),
      errorCode: text('error_code'),
      /** JSON text: code, message, data. */
      error: text('error'),
      mayStillBeRunning: boolean('may_still_be_running'),
      traceId: text('trace_id'),
      spanId: text('span_id'),
      parentCallId: text('parent_call_id'),
      sessionId: text('session_id'),
      toolCallId: text('tool_call_id'),
      /** On a terminal row: when its call started. */
      startedAt: timestamp('started_at', { withTimezone: true }),
      /** On a terminal row: the call was refused before its tool ran. */
      refused: boolean('refused'),
    },
    (columns) => [primaryKey({ columns: [columns.callId, columns.kind] })],
  )
  /** The whole of inputs (kind `s`) and outputs (kinds `e` and `l`) that are too large for a row. */
  const toolCallTexts = table(
    'tool_call_texts',
    {
      callId: uuid('call_id').notNull(),
      kind: singleByte('kind').notNull(),
      content: text('content').notNull(),
    },
    (columns) => [primaryKey({ columns: [columns.callId, columns.kind] })],
  )
  /** One row for every log that was opened on a process. */
  const hosts = table('hosts', {
    hostId: uuid('host_id').primaryKey(),
    name: text('name').notNull(),
    pid: integer('pid').notNull(),
    lockKey: bigint('lock_key', { mode: 'bigint' }).notNull(),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
    lastSeen: timestamp('last_seen', { withTimezone: true }).notNull(),
    stoppedAt: timestamp('stopped_at', { withTimezone: true }),
    sweptAt: timestamp('swept_at', { withTimezone: true }),
    /** When the oldest call started that had not ended at the last sign of life. */
    oldestOpenAt: timestamp('oldest_open_at', { withTimezone: true }),
  })
  return { toolCalls, toolCallTexts, hosts }
}

/** The tables in the default schema, `toolcrib`. */
export const { toolCalls, toolCallTexts, hosts } = createCallLogTables()
