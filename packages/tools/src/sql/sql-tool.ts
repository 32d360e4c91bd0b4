import {
  defineTool,
  type ToolContext,
  type ToolDefinition,
  type ToolRisk,
  type KnownOptions,
  assertOptions,
} from '@toolcrib/registry'
import { z } from 'zod'
import { assertNamedByCallers } from '../caller-policy.ts'
import { checkCount } from './sql-option.ts'
import { createDrizzleDatabase, type DrizzleLike, isSqlDatabase } from './sql-drizzle.ts'

/** One statement of the agent. */
export interface SqlStatement {
  readonly query: string
  readonly params: readonly unknown[]
}

/** What a statement may use up. */
export interface SqlLimits {
  readonly timeoutMs: number
  readonly maxRows: number
  readonly maxBytes: number
  readonly readOnly: boolean
}

/** What a statement gave; values are JSON. */
export interface SqlOutcome {
  /** Rows given, or changed; with `truncated` there may be more. */
  readonly rowCount: number
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Rows were left out because of a limit. */
  readonly truncated: boolean
  /** The statement sent so much that it was cancelled; what it changed was undone. */
  readonly rolledBack?: boolean
}

/** A database for the agent alone. */
export interface SqlDatabase {
  /**
   * What models and people should know about this database, a sentence or two; stands in the tool's description.
   *
   * @default none
   */
  readonly note?: string
  run(statement: SqlStatement, limits: SqlLimits, signal: AbortSignal): Promise<SqlOutcome>
  close(): Promise<void>
}

/** How the sql tool works. */
export interface SqlToolOptions {
  /** In milliseconds, with the wait for a free connection. @default 30_000 */
  readonly timeoutMs?: number
  /** @default 1_000 */
  readonly maxRows?: number
  /** Over all rows, in bytes of JSON. @default 1_048_576 */
  readonly maxBytes?: number
  /** Refuses what would change something. @default false */
  readonly readOnly?: boolean
  /** @default 'sql' */
  readonly name?: string
  /** @default 'low' when it only reads, else 'medium' */
  readonly risk?: ToolRisk
}

/** What the sql tool takes. */
export interface SqlToolInput {
  readonly query: string
  readonly params?: readonly unknown[] | undefined
}

/** What the sql tool gives. `truncated` and `rolledBack` are there only where they are true. */
export interface SqlToolOutput {
  readonly query: string
  readonly rowCount: number
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly truncated?: true
  readonly rolledBack?: true
}

/** What a statement that ignores its limit is given to end, before the invoker gives up on the call. */
const endingMs = 6000
const maxQueryLength = 262_144
const maxParams = 1000

/** An object as it is. A record's schema would drop a key named `__proto__`. */
const plainObject = z
  .unknown()
  .refine(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .meta({ type: 'object' }) as z.ZodType<Readonly<Record<string, unknown>>>

const inputSchema: z.ZodType<SqlToolInput> = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(maxQueryLength)
    .refine((query) => !query.includes('\0'), 'must not hold a NUL character')
    .describe('One SQL statement of Postgres, with $1, $2 … where params belong'),
  params: z
    .array(
      z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(z.unknown()), plainObject]),
    )
    .max(maxParams)
    .optional()
    .describe('Values for $1, $2 …; objects are sent as JSON, arrays as arrays or JSON as needed'),
})

const outputSchema: z.ZodType = z.strictObject({
  query: z.string(),
  rowCount: z.number(),
  rows: z.array(plainObject),
  truncated: z.literal(true).optional(),
  rolledBack: z.literal(true).optional(),
})

const sqlToolOptionNames: KnownOptions<SqlToolOptions> = {
  timeoutMs: true,
  maxRows: true,
  maxBytes: true,
  readOnly: true,
  name: true,
  risk: true,
}

/**
 * The sql tool: one statement a call, on a database for the agent alone, from `createPostgresDatabase` or
 * `createEmbeddedDatabase`.
 *
 * A drizzle instance of your own works too, but is hardly fenced: its statements run as your application's role, on your
 * tables, in a session that is shared and not reset; they are not cancelled on the server when their time is up (the call
 * only stops waiting), limits on rows and bytes hold only after everything was received, and read-only means a
 * transaction that the statement itself can end. Use it with trusted statements only.
 *
 * @throws {ToolError} SQL_OPTION_INVALID
 */
export function createSqlTool(
  database: SqlDatabase | DrizzleLike,
  options: SqlToolOptions = {},
): ToolDefinition<SqlToolInput, SqlToolOutput> {
  assertOptions<SqlToolOptions>('createSqlTool', options, sqlToolOptionNames)
  const { readOnly = false, name = 'sql' } = options
  const limits: SqlLimits = {
    timeoutMs: checkCount('timeoutMs', options.timeoutMs ?? 30_000),
    maxRows: checkCount('maxRows', options.maxRows ?? 1000),
    maxBytes: checkCount('maxBytes', options.maxBytes ?? 1_048_576),
    readOnly,
  }
  const target = isSqlDatabase(database) ? database : createDrizzleDatabase(database)
  return defineTool({
    name,
    description: describe(limits, target.note),
    inputSchema,
    outputSchema,
    timeoutMs: limits.timeoutMs + endingMs,
    risk: options.risk ?? (readOnly ? 'low' : 'medium'),
    annotations: {
      title: readOnly ? 'Query the SQL database' : 'Run SQL',
      readOnlyHint: readOnly,
      destructiveHint: !readOnly,
      idempotentHint: readOnly,
      openWorldHint: false,
    },
    describeCall: ({ query }) => `${readOnly ? 'Query' : 'Run SQL'}: ${firstLine(query)}`,
    // Somebody may call it without an invoker, and so without a context.
    execute: async ({ query, params = [] }, signal, context?: ToolContext) => {
      assertNamedByCallers(context)
      const outcome = await target.run({ query, params }, limits, signal)
      return {
        query,
        rowCount: outcome.rowCount,
        rows: [...outcome.rows],
        ...(outcome.truncated ? { truncated: true as const } : {}),
        ...(outcome.rolledBack === true ? { rolledBack: true as const } : {}),
      }
    },
  })
}

function describe(limits: SqlLimits, note: string | undefined): string {
  return [
    limits.readOnly
      ? 'Runs one SQL query (Postgres) that only reads.'
      : 'Runs one SQL statement (Postgres): queries, changes and DDL.',
    'Each call is a transaction and a session of its own: BEGIN, SET, temporary tables and prepared statements do not outlive it.',
    `Gives at most ${limits.maxRows} rows and ${limits.maxBytes} bytes of JSON; "truncated" says that there was more.`,
    'numeric, dates, times, intervals, ranges and whole numbers beyond 2^53 come as text, bytea as \\x and hexadecimal.',
    ...(note === undefined ? [] : [note]),
  ].join(' ')
}

const maxDescribed = 160

function firstLine(query: string): string {
  const lines = query.split(/[\r\n]+/).map((line) => line.trim())
  const [first = '', ...others] = lines.filter((line) => line !== '')
  const text = first.length > maxDescribed ? first.slice(0, maxDescribed) : first
  return text.length < first.length || others.length > 0 ? `${text} …` : text
}
