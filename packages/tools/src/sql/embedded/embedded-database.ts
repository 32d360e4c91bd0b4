import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { type FolderLock, lockFolder } from '@toolcrib/folder-lock'
import { keepConfiguration, restoreConfiguration } from './embedded-folder.ts'
import { EmbeddedSession } from './embedded-session.ts'
import { builtInToolError } from '../../error-catalogue.ts'
import { endedError, lostError, readAnswer } from '../sql-answer.ts'
import type { SqlAnswer } from '../sql-exchange.ts'
import { checkCount } from '../sql-option.ts'
import { needsParameterTypes } from '../sql-params.ts'
import { planDescription, planStatement, type SqlPlan } from '../sql-plan.ts'
import type { SqlDatabase, SqlLimits, SqlOutcome, SqlStatement } from '../sql-tool.ts'

/** Options of {@link createEmbeddedDatabase}. */
export interface EmbeddedDatabaseOptions {
  /**
   * The folder that keeps the database; made if it is missing. Without it the data lives in memory, and is lost when a
   * statement has to be ended or breaks the server: its error says so, and the next call fails with SQL_DATABASE_LOST.
   */
  readonly directory?: string
  /**
   * The memory of the embedded machine, in bytes; a statement that needs more fails. From 268435456 (256 MiB); PGlite
   * takes no more than 2 GiB. What a statement writes to the machine's own /tmp comes on top.
   *
   * @default 1_073_741_824
   */
  readonly maxMemoryBytes?: number
}

const embeddedDatabaseOptionNames: KnownOptions<EmbeddedDatabaseOptions> = {
  directory: true,
  maxMemoryBytes: true,
}

/**
 * An embedded Postgres (PGlite) for the agent alone, in a thread of its own that starts with the first statement. It runs
 * one statement at a time. A statement that is out of time is ended with its thread; the next one starts a new thread on
 * the same folder. Starting takes a second or more, the first time some seconds, which does not count as the statement's
 * time. The peer dependency `@electric-sql/pglite` must be installed.
 *
 * The folder belongs to this process from the first statement until `close`. The data survives a killed process, but not
 * a power cut: PGlite does not flush to the disk.
 *
 * @throws {ToolError} SQL_OPTION_INVALID.
 *
 * Its `run` throws {FolderLockedError} FOLDER_LOCKED when another process owns the folder, SQL_UNAVAILABLE,
 * SQL_DATABASE_LOST, and the codes of a statement.
 */
export function createEmbeddedDatabase(options: EmbeddedDatabaseOptions = {}): SqlDatabase {
  assertOptions<EmbeddedDatabaseOptions>(
    'createEmbeddedDatabase',
    options,
    embeddedDatabaseOptionNames,
  )
  const maxMemoryBytes = checkCount('maxMemoryBytes', options.maxMemoryBytes ?? 1_073_741_824)
  if (maxMemoryBytes < minMemoryBytes)
    throw builtInToolError(
      'SQL_OPTION_INVALID',
      `Option maxMemoryBytes must be at least ${minMemoryBytes}, with less the machine does not start, and is ${maxMemoryBytes}.`,
      { data: { option: 'maxMemoryBytes' } },
    )
  return new EmbeddedDatabase(options.directory, maxMemoryBytes)
}

const resetTimeoutMs = 2000
const minMemoryBytes = 268_435_456

class EmbeddedDatabase implements SqlDatabase {
  readonly #directory: string | undefined
  readonly #maxMemoryBytes: number
  #lock: FolderLock | undefined
  #session: EmbeddedSession | undefined
  #starting: Promise<EmbeddedSession> | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #closed = false
  /** Whether statements ran on a session that keeps nothing but memory. */
  #hasMemory = false

  constructor(directory: string | undefined, maxMemoryBytes: number) {
    this.#directory = directory
    this.#maxMemoryBytes = maxMemoryBytes
  }

  async run(statement: SqlStatement, limits: SqlLimits, signal: AbortSignal): Promise<SqlOutcome> {
    signal.throwIfAborted()
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = before.then(() => promise)
    try {
      await untilAborted(before, signal)
      const session = await untilAborted(this.#start(), signal)
      return await this.#runOn(session, { statement, limits, signal })
    } finally {
      resolve()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    // A start is not waited for, it may take long; what a first one leaves behind is removed by the next.
    await this.#session?.end()
    await this.#starting?.catch(() => undefined)
    await this.#lock?.release()
  }

  async #runOn(session: EmbeddedSession, call: Call): Promise<SqlOutcome> {
    const { limits, signal } = call
    signal.throwIfAborted()
    this.#hasMemory = this.#directory === undefined
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    // The thread does nothing else than this statement, so ending it is the way to end the statement.
    let stopping = false
    const stop = (reason: unknown): void => {
      stopping = true
      void session.end().finally(() => reject(reason))
    }
    const abort = (): void => stop(signal.reason)
    const timer = setTimeout(
      () => stop(endedError(limits, { isInMemory: this.#directory === undefined })),
      limits.timeoutMs,
    )
    signal.addEventListener('abort', abort, { once: true })
    try {
      const answering = exchange(session, call).catch((error: unknown) => {
        // An ended thread fails its statement, too; the reason for ending it says more.
        if (stopping) return stopped
        throw error
      })
      return readAnswer(await Promise.race([answering, stopped]), limits)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  /** One start serves all who wait for it, and goes on when they give up. */
  #start(): Promise<EmbeddedSession> {
    this.#starting ??= this.#renew().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  /** A session that does not get itself ready for the next statement is broken. */
  async #renew(): Promise<EmbeddedSession> {
    const session = this.#session
    if (session?.usable !== true) return this.#replace()
    const timer = setTimeout(() => void session.end(), resetTimeoutMs)
    try {
      await session.idle()
      return session
    } catch {
      await session.end()
      return this.#replace()
    } finally {
      clearTimeout(timer)
    }
  }

  /** A new session; first it is said that what was in the one before is gone, before anything runs without it. */
  async #replace(): Promise<EmbeddedSession> {
    this.#assertOpen()
    const isLost = this.#hasMemory
    this.#hasMemory = false
    if (isLost) throw lostError()
    return await this.#open()
  }

  async #open(): Promise<EmbeddedSession> {
    this.#assertOpen()
    const dataFolder = await this.#prepareFolder()
    this.#assertOpen()
    const session = new EmbeddedSession({
      ...(dataFolder === undefined ? {} : { dataFolder }),
      maxMemoryBytes: this.#maxMemoryBytes,
    })
    this.#session = session
    try {
      await session.idle()
    } catch (error) {
      await session.end()
      this.#assertOpen()
      throw error
    }
    if (this.#lock !== undefined) await keepConfiguration(this.#lock.path)
    return session
  }

  #assertOpen(): void {
    if (!this.#closed) return
    throw builtInToolError('SQL_UNAVAILABLE', 'The database was closed by close().')
  }

  async #prepareFolder(): Promise<string | undefined> {
    if (this.#directory === undefined) return undefined
    this.#lock ??= await lockFolder(this.#directory, { purpose: 'sql database' })
    return await restoreConfiguration(this.#lock.path)
  }
}

interface Call {
  readonly statement: SqlStatement
  readonly limits: SqlLimits
  readonly signal: AbortSignal
}

async function exchange(session: EmbeddedSession, { statement, limits }: Call): Promise<SqlAnswer> {
  const { maxRows, maxBytes } = limits
  const run = ({ bytes, ownStatements }: SqlPlan): Promise<SqlAnswer> =>
    session.run({ bytes, ownStatements, limits: { maxRows, maxBytes } })
  if (!needsParameterTypes(statement.params)) return await run(planStatement(statement, limits))
  const description = await run(planDescription(statement))
  await session.idle()
  if (description.error !== undefined) return description
  return await run(planStatement(statement, limits, description.parameterTypes))
}

async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
