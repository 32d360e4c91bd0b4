import type { ToolDefinition } from '@toolcrib/registry'

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
  readonly rowCount: number
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** Rows were left out because of a limit. */
  readonly truncated: boolean
}

/** A database for the agent alone. */
export interface SqlDatabase {
  run(statement: SqlStatement, limits: SqlLimits, signal: AbortSignal): Promise<SqlOutcome>
  close(): Promise<void>
}

/** How the sql tool works. */
export interface SqlToolOptions {
  /** @default 30_000 */
  readonly timeoutMs?: number
  /** @default 1_000 */
  readonly maxRows?: number
  /** Over all rows, in bytes of JSON. @default 1_048_576 */
  readonly maxBytes?: number
  /** Refuses what would change something. @default false */
  readonly readOnly?: boolean
}

export function createSqlTool(
  _database: SqlDatabase,
  _options: SqlToolOptions = {},
): ToolDefinition {
  throw new Error('being built')
}
