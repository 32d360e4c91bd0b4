import { builtInToolError } from '../error-catalogue.ts'
import { unavailable } from './postgres/postgres-client.ts'
import { guardDrizzlePool } from './sql-drizzle-pool.ts'
import { readServerError, timeoutError } from './sql-answer.ts'
import type { SqlDatabase, SqlLimits, SqlOutcome, SqlStatement } from './sql-tool.ts'
import { toJsonValue } from './sql-drizzle-values.ts'

interface DrizzleTransaction {
  execute(query: never): PromiseLike<unknown>
}

/** What is used of a drizzle instance for Postgres, with whichever driver. */
export interface DrizzleLike {
  // Written as a method with the widest argument, so that every driver's instance fits.
  execute(query: never): PromiseLike<unknown>
  transaction(
    work: (transaction: DrizzleTransaction) => Promise<unknown>,
    config?: { accessMode?: 'read only' | 'read write' },
  ): Promise<unknown>
}

/** Tells a database of ours from a drizzle instance. */
export function isSqlDatabase(database: SqlDatabase | DrizzleLike): database is SqlDatabase {
  return 'run' in database && typeof database.run === 'function' && 'close' in database
}

/**
 * Runs statements on a drizzle instance of the host's own. It fences little: the role, the tables and the session are
 * the application's, nothing is cancelled on the server, and limits hold only after everything was received. Several
 * statements are refused by sending even a statement without params through the extended protocol where the driver
 * takes that hint; a plain `pg` driver does not for statements without params.
 *
 * @throws {ToolError} SQL_OPTION_INVALID when `database` is no drizzle instance.
 */
export function createDrizzleDatabase(database: DrizzleLike): SqlDatabase {
  if (typeof database?.execute !== 'function' || typeof database.transaction !== 'function')
    throw builtInToolError(
      'SQL_OPTION_INVALID',
      'createSqlTool takes a database of createPostgresDatabase or createEmbeddedDatabase, or a drizzle instance for Postgres with execute() and transaction().',
    )
  guardDrizzlePool(database)
  return {
    note: 'This database is the application’s own: its tables are real, and a statement that takes too long is not cancelled.',
    run: async (statement, limits, signal) => {
      signal.throwIfAborted()
      const running = execute(database, statement, limits)
      return readResult(await untilTimeout(running, limits, signal), limits)
    },
    close: () => Promise.resolve(),
  }
}

/** What drizzle asks of a query: that it can say its text and params. Made so, no part of drizzle need be loaded. */
function asQuery({ query, params }: SqlStatement): never {
  const built = { toQuery: () => ({ sql: query, params: [...params] }) }
  return { getSQL: () => built } as never
}

function execute(
  database: DrizzleLike,
  statement: SqlStatement,
  { readOnly }: SqlLimits,
): PromiseLike<unknown> {
  if (!readOnly) return database.execute(asQuery(statement))
  return database.transaction(
    async (transaction) => await transaction.execute(asQuery(statement)),
    { accessMode: 'read only' },
  )
}

/** Stops waiting when the time is up or the caller gives up; the statement itself runs on. */
async function untilTimeout(
  running: PromiseLike<unknown>,
  limits: SqlLimits,
  signal: AbortSignal,
): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  const timer = setTimeout(
    () => reject(timeoutError(limits, { mayStillRun: true })),
    limits.timeoutMs,
  )
  signal.addEventListener('abort', abort, { once: true })
  const readable = Promise.resolve(running).catch((error: unknown) => {
    throw translate(error, limits)
  })
  try {
    return await Promise.race([readable, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** drizzle wraps the driver's error, which has the server's fields under names of its own. */
function translate(error: unknown, limits: SqlLimits): Error {
  const found = (error as { cause?: unknown }).cause ?? error
  const fields = found as Record<string, unknown>
  if (typeof fields['code'] !== 'string' || !/^[0-9A-Z]{5}$/.test(fields['code']))
    return unavailable(found)
  const text = (name: string, letter: string): [string, string][] => {
    const value = fields[name]
    return typeof value === 'string' ? [[letter, value]] : []
  }
  return readServerError(
    Object.fromEntries([
      ...text('code', 'C'),
      ...text('message', 'M'),
      ...text('routine', 'R'),
      ...text('position', 'P'),
      ...text('detail', 'D'),
      ...text('hint', 'H'),
      ...text('constraint', 'n'),
    ]),
    limits,
  )
}

interface DriverResult {
  readonly rows?: readonly Record<string, unknown>[]
  readonly rowCount?: number | null
  readonly affectedRows?: number
  readonly count?: number | null
}

/** Drivers differ: an object with `rows`, or the rows themselves with a `count`. */
function readResult(result: unknown, limits: SqlLimits): SqlOutcome {
  const found = result as DriverResult
  if (Array.isArray(result) && result.some((one: unknown) => isDriverResult(one)))
    throw builtInToolError(
      'SQL_SEVERAL_STATEMENTS',
      'query held several statements, and this database ran them all. Give one statement a call.',
    )
  const all = (Array.isArray(result) ? result : (found.rows ?? [])) as Record<string, unknown>[]
  const rows: Record<string, unknown>[] = []
  let bytes = 2
  for (const one of all.slice(0, limits.maxRows)) {
    const row = toJsonValue(one) as Record<string, unknown>
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    if (bytes > limits.maxBytes) break
    rows.push(row)
  }
  const counted = found.rowCount ?? found.affectedRows ?? found.count
  return {
    rowCount: counted === undefined || counted === null || counted === 0 ? all.length : counted,
    rows,
    truncated: rows.length < all.length,
  }
}

function isDriverResult(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'rows' in value && 'command' in value
}
