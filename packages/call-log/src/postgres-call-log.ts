import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig, Pool } from 'pg'
import { createDurableCallLog, type DurableCallLog } from './durable-call-log.ts'
import { guardPool } from './guarded-pool.ts'
import { startHostPresence } from './host-presence.ts'
import { logError } from './log-error.ts'
import { checkRange, checkSettings, type DurableCallLogOptions } from './log-settings.ts'
import { OpenCalls } from './open-calls.ts'
import { withClient } from './pooled-client.ts'
import { available, prepareDatabase } from './prepare-database.ts'
import { sweepDeadHosts } from './sweep.ts'

/** Options of {@link createPostgresCallLog}: `pool` or `connectionString`, and what is common to durable logs. */
export interface PostgresCallLogOptions extends DurableCallLogOptions {
  /** A pool to write and read through; it stays the caller's. Needs room for `inflight` connections. */
  readonly pool?: Pool
  /** Where the database is; the log then has a pool of its own. */
  readonly connectionString?: string
  /** How many groups of rows may be on their way at once, 1 to 16. @default 2 */
  readonly inflight?: number
  /** How long a host must be silent before it counts as dead, in milliseconds. @default 15_000 */
  readonly graceMs?: number
  /** How often this host looks for dead ones, in milliseconds. @default graceMs */
  readonly sweepIntervalMs?: number
}

/** From this many rows on COPY beats INSERT. */
const copyFrom = 24
const sweepTimeoutMs = 60_000

const postgresCallLogOptionNames: KnownOptions<PostgresCallLogOptions> = {
  schema: true,
  namespace: true,
  hostName: true,
  now: true,
  logger: true,
  migrate: true,
  maxBatch: true,
  writeTimeoutMs: true,
  closeTimeoutMs: true,
  maxPendingRows: true,
  maxPendingBytes: true,
  maxTextBytes: true,
  retentionDays: true,
  daysAhead: true,
  longestCallMs: true,
  signal: true,
  pool: true,
  connectionString: true,
  inflight: true,
  graceMs: true,
  sweepIntervalMs: true,
}

/**
 * Opens a call log in Postgres: applies migrations, makes partitions, registers this host.
 *
 * @throws {ToolError} LOG_OPTION_INVALID, LOG_DATABASE_UNAVAILABLE, LOG_DATABASE_UNSUPPORTED, LOG_SCHEMA_NEWER,
 * LOG_SCHEMA_OLDER, LOG_SCHEMA_CHANGED; see `callLogErrorCatalogue`.
 */
export async function createPostgresCallLog(
  options: PostgresCallLogOptions,
): Promise<DurableCallLog> {
  assertOptions<PostgresCallLogOptions>(
    'createPostgresCallLog',
    options,
    postgresCallLogOptionNames,
  )
  const settings = checkSettings(options)
  const { schema, logger, now } = settings
  const { graceMs = 15_000 } = options
  const { sweepIntervalMs = graceMs } = options
  checkRange('graceMs', graceMs, [100, 86_400_000])
  checkRange('sweepIntervalMs', sweepIntervalMs, [10, 86_400_000])
  const { pool, release: close } = openPool(options, settings.limits.inflight, (error) =>
    logger.warn({ err: error }, 'An idle connection of the call log was lost.'),
  )
  try {
    await prepareDatabase(pool, settings)
    const hostId = randomUUID()
    const openCalls = new OpenCalls()
    const presence = await available(() =>
      startHostPresence({
        hostId,
        hostName: settings.hostName,
        schema,
        logger,
        now,
        graceMs,
        heartbeatMs: Math.ceil(graceMs / 4),
        oldestOpenAt: () => openCalls.oldestStart(),
        connect: () => connectAlone(pool, settings.limits.writeTimeoutMs),
      }),
    )
    const log = createDurableCallLog({
      pool,
      openCalls,
      hostId,
      presence,
      settings,
      copyFrom,
      sweep: () =>
        withClient(pool, { timeoutMs: sweepTimeoutMs }, (client) =>
          sweepDeadHosts(client, { schema, hostId, graceMs }),
        ),
      sweepIntervalMs,
      release: close,
    })
    return log
  } catch (error) {
    await close()
    throw error
  }
}

/** Takes the caller's pool, or makes one; the loss of a connection ends nobody. */
export function openPool(
  { pool, connectionString }: Pick<PostgresCallLogOptions, 'pool' | 'connectionString'>,
  inflight: number,
  onLost: (error: Error) => void = () => undefined,
): { pool: Pool; release: () => Promise<void> } {
  if ((pool === undefined) === (connectionString === undefined))
    throw logError('LOG_OPTION_INVALID', 'Give either pool or connectionString, and not both.', {
      data: { option: 'pool' },
    })
  if (pool !== undefined) {
    const unguard = guardPool(pool, onLost)
    return { pool, release: async () => unguard() }
  }
  const own = new Pool({
    connectionString,
    // Writers, and two for readers and the sweep.
    max: inflight + 2,
    connectionTimeoutMillis: 5000,
    application_name: 'toolcrib call log',
  })
  // For good: it may still hear of a connection that the server cuts while it says goodbye.
  guardPool(own, onLost)
  return { pool: own, release: () => own.end() }
}

/** A connection outside the pool, so that showing life never waits for work. */
async function connectAlone(pool: Pool, connectionTimeoutMillis: number): Promise<Client> {
  const client = new Client({
    ...pool.options,
    ...hiddenOptions(pool),
    connectionTimeoutMillis,
    keepAlive: true,
    query_timeout: connectionTimeoutMillis,
  })
  // Until its owner listens: an error that nobody hears ends the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  return client
}

/** The pool hides its secrets from a spread. */
function hiddenOptions({ options }: Pool): ClientConfig {
  const { password, ssl } = options
  return {
    ...(password === undefined ? {} : { password }),
    ...(ssl === undefined ? {} : { ssl }),
  }
}
