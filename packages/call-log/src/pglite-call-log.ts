import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from '@toolcrib/folder-lock'
import { Pool } from 'pg'
import { createDurableCallLog, type DurableCallLog } from './durable-call-log.ts'
import { guardPool } from './guarded-pool.ts'
import { registerHost, retireHost } from './host-presence.ts'
import { checkSettings, type DurableCallLogOptions, type LogSettings } from './log-settings.ts'
import { templateSchema } from './pglite-template.ts'
import { EmbeddedDatabase } from './pglite-thread.ts'
import { OpenCalls } from './open-calls.ts'
import { withClient } from './pooled-client.ts'
import { available, prepareDatabase } from './prepare-database.ts'
import { sweepEarlierHosts } from './sweep.ts'

/** Options of {@link createPgliteCallLog}. */
export interface PgliteCallLogOptions extends DurableCallLogOptions {
  /** The folder that holds the database; made if it is missing. Without it the log lives in memory. */
  readonly directory?: string
}

const pgliteCallLogOptionNames: KnownOptions<PgliteCallLogOptions> = {
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
  directory: true,
}

/**
 * Opens a call log in an embedded Postgres (PGlite). The folder belongs to this process until the log is closed or the
 * process ends. Calls that an earlier process left open become `interrupted` before this resolves.
 *
 * Survives a killed process, but not a power cut: PGlite does not flush to the disk.
 *
 * @throws {FolderLockedError} FOLDER_LOCKED when another process owns the folder.
 * @throws {ToolError} LOG_OPTION_INVALID, LOG_DATABASE_UNAVAILABLE, LOG_SCHEMA_NEWER, LOG_SCHEMA_OLDER,
 * LOG_SCHEMA_CHANGED; see `callLogErrorCatalogue`.
 */
export async function createPgliteCallLog(
  options: PgliteCallLogOptions = {},
): Promise<DurableCallLog> {
  assertOptions<PgliteCallLogOptions>('createPgliteCallLog', options, pgliteCallLogOptionNames)
  const { directory, signal, writeTimeoutMs = 60_000, daysAhead = 0 } = options
  // One session, which carries out one request after the other: a short limit would only count the wait for others.
  const settings = checkSettings({ ...options, writeTimeoutMs, daysAhead, inflight: 1 })
  const lock =
    directory === undefined
      ? undefined
      : await lockFolder(directory, {
          purpose: 'call log',
          ...(signal === undefined ? {} : { signal }),
        })
  try {
    const database = await available(() => openDatabase(lock?.path, settings))
    return await openEmbeddedLog(database, {
      settings,
      ...(lock === undefined ? {} : { directory: lock.path }),
      release: async () => {
        await database.end()
        await lock?.release()
      },
    })
  } catch (error) {
    await lock?.release()
    throw error
  }
}

/** What {@link openEmbeddedLog} needs beside the database. */
interface EmbeddedLog {
  readonly settings: LogSettings
  /** The folder that holds the database, where one does. */
  readonly directory?: string
  /** Lets go of the database. */
  readonly release: () => Promise<void>
}

/** Opens a call log in a database that is open, in a schema of its own. */
export async function openEmbeddedLog(
  database: EmbeddedDatabase,
  { directory, release: releaseDatabase, settings }: EmbeddedLog,
): Promise<DurableCallLog> {
  const { schema, hostName } = settings
  const pool = new Pool({
    stream: () => database.connect(),
    max: 1,
    idleTimeoutMillis: 0,
    ...unusedAddress,
  })
  guardPool(pool, (error) => settings.logger.warn({ err: error }, 'The embedded database failed.'))
  const release = async (): Promise<void> => {
    await pool.end()
    await releaseDatabase()
  }
  try {
    await prepareDatabase(pool, settings)
    const hostId = randomUUID()
    const openCalls = new OpenCalls()
    const timeoutMs = settings.limits.writeTimeoutMs
    const sweep = (): Promise<number> =>
      withClient(pool, { timeoutMs }, (client) => sweepEarlierHosts(client, { schema, hostId }))
    await available(async () => {
      await sweep()
      await withClient(pool, { timeoutMs }, (client) =>
        registerHost(client, { schema, hostId, hostName, lockKey: 0n }),
      )
      if (directory !== undefined) await writeFile(completeMark(directory), '')
    })
    return createDurableCallLog({
      pool,
      openCalls,
      hostId,
      settings,
      // PGlite's adapter takes no COPY.
      copyFrom: Infinity,
      presence: {
        assertAlive: () => undefined,
        // A database that is gone is closed all the same.
        stop: () =>
          withClient(pool, { timeoutMs }, (client) => retireHost(client, { schema, hostId })).catch(
            (error: unknown) =>
              settings.logger.warn({ err: error }, 'The end of this host could not be noted.'),
          ),
      },
      sweep,
      // The folder's lock proves that nobody else writes, so that one sweep at the start is enough.
      sweepIntervalMs: Infinity,
      release,
    })
  } catch (error) {
    await release()
    throw error
  }
}

const completeMark = (directory: string): string => join(directory, '.complete')

/** Given all the same, so that none of it comes from the environment. */
const unusedAddress = {
  host: 'embedded',
  port: 5432,
  user: 'postgres',
  password: 'none',
  database: 'postgres',
  ssl: false,
} as const

async function openDatabase(
  directory: string | undefined,
  { migrate, schema }: LogSettings,
): Promise<EmbeddedDatabase> {
  const hasTables = migrate && schema === templateSchema
  if (directory === undefined) return EmbeddedDatabase.open({ isNew: true, hasTables })
  const dataFolder = join(directory, 'postgres')
  const isNew = !existsSync(completeMark(directory))
  // What a start left behind that never came to its end; no row can have been logged into it.
  if (isNew) await rm(dataFolder, { recursive: true, force: true })
  return EmbeddedDatabase.open({ dataFolder, isNew, hasTables })
}
