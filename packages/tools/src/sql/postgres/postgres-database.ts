import { type KnownOptions, assertOptions } from '@toolcrib/registry'
import { endsSoon, terminateBackend, type Terminator } from './postgres-cancel.ts'
import { checkConnectionString, openClient } from './postgres-client.ts'
import { PostgresPool } from './postgres-pool.ts'
import { defaultHostSchemas, requireUnprivilegedRole } from './postgres-role.ts'
import { PostgresSession } from './postgres-session.ts'
import { readAnswer, timeoutError } from '../sql-answer.ts'
import type { SqlAnswer } from '../sql-exchange.ts'
import { needsParameterTypes } from '../sql-params.ts'
import { planDescription, planStatement } from '../sql-plan.ts'
import { checkCount } from '../sql-option.ts'
import type { SqlDatabase, SqlLimits, SqlOutcome, SqlStatement } from '../sql-tool.ts'

/** Options of {@link createPostgresDatabase}. */
export interface PostgresDatabaseOptions {
  /** The agent's own database and role, see {@link createAgentDatabase}. */
  readonly connectionString: string
  /**
   * The connection string of an administrator, who ends statements that do not let themselves be cancelled. It is used
   * for nothing else, and only then.
   */
  readonly terminate?: string
  /** Statements that run at once; further ones wait. @default 4 */
  readonly maxConnections?: number
  /** How long opening a connection may take, in milliseconds. @default 10_000 */
  readonly connectTimeoutMs?: number
  /** How long a statement waits for a lock, in milliseconds. @default 5_000 */
  readonly lockTimeoutMs?: number
  /** A connection that is not used for so long is closed, in milliseconds. @default 30_000 */
  readonly idleTimeoutMs?: number
  /** How long a cancelled statement has to end before its connection is closed, in milliseconds. @default 500 */
  readonly cancelGraceMs?: number
  /** Schemas with the host's own tables; a database that has one is refused. @default ['toolcrib'] */
  readonly hostSchemas?: readonly string[]
  /** Takes a role with any privileges; then nothing of what it may do is fenced. @default false */
  readonly allowPrivilegedRole?: boolean
}

/** The server cancels on its own a little after this process, for the case that this process hangs. */
const serverMarginMs = 1000
const resetTimeoutMs = 5000
const terminateWaitMs = 2000

const postgresDatabaseOptionNames: KnownOptions<PostgresDatabaseOptions> = {
  connectionString: true,
  terminate: true,
  maxConnections: true,
  connectTimeoutMs: true,
  lockTimeoutMs: true,
  idleTimeoutMs: true,
  cancelGraceMs: true,
  hostSchemas: true,
  allowPrivilegedRole: true,
}

/**
 * A database on a Postgres server (14 or later), for the agent alone. Connects at the first statement. Every statement
 * runs through the extended protocol, so that it is one; afterwards its session is reset. The peer dependency `pg` must
 * be installed.
 *
 * @throws {ToolError} SQL_OPTION_INVALID. Its `run` throws SQL_ROLE_PRIVILEGED, SQL_UNAVAILABLE and the codes of a
 * statement.
 */
export function createPostgresDatabase(options: PostgresDatabaseOptions): SqlDatabase {
  assertOptions<PostgresDatabaseOptions>(
    'createPostgresDatabase',
    options,
    postgresDatabaseOptionNames,
  )
  checkConnectionString(options.connectionString, 'connectionString')
  if (options.terminate !== undefined) checkConnectionString(options.terminate, 'terminate')
  return new PostgresDatabase(options)
}

class PostgresDatabase implements SqlDatabase {
  readonly #options: PostgresDatabaseOptions
  readonly #pool: PostgresPool
  readonly #viewer: Terminator
  readonly #terminator: Terminator | undefined
  readonly #cancelGraceMs: number
  #statementTimeoutMs = 30_000

  constructor(options: PostgresDatabaseOptions) {
    const connectTimeoutMs = checkCount('connectTimeoutMs', options.connectTimeoutMs ?? 10_000)
    this.#options = options
    this.#cancelGraceMs = checkCount('cancelGraceMs', options.cancelGraceMs ?? 500)
    this.#viewer = { connectionString: options.connectionString, connectTimeoutMs }
    this.#terminator =
      options.terminate === undefined
        ? undefined
        : { connectionString: options.terminate, connectTimeoutMs }
    const lockTimeoutMs = checkCount('lockTimeoutMs', options.lockTimeoutMs ?? 5000)
    this.#pool = new PostgresPool({
      maxConnections: checkCount('maxConnections', options.maxConnections ?? 4),
      idleTimeoutMs: checkCount('idleTimeoutMs', options.idleTimeoutMs ?? 30_000),
      open: (signal) => this.#open({ ...this.#viewer, lockTimeoutMs }, signal),
    })
  }

  async run(statement: SqlStatement, limits: SqlLimits, signal: AbortSignal): Promise<SqlOutcome> {
    signal.throwIfAborted()
    this.#statementTimeoutMs = limits.timeoutMs + serverMarginMs
    const ending = new AbortController()
    const end = (): void => ending.abort(signal.reason)
    const timer = setTimeout(
      () => ending.abort(timeoutError(limits, { mayStillRun: false })),
      limits.timeoutMs,
    )
    signal.addEventListener('abort', end, { once: true })
    try {
      const session = await this.#pool.acquire(ending.signal)
      return readAnswer(
        await this.#runOn(session, { statement, limits, ending: ending.signal, caller: signal }),
        limits,
      )
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }

  async #open(
    settings: Terminator & { readonly lockTimeoutMs: number },
    signal: AbortSignal,
  ): Promise<PostgresSession> {
    const statementTimeoutMs = this.#statementTimeoutMs
    const client = await openClient({ ...settings, statementTimeoutMs }, signal)
    try {
      if (this.#options.allowPrivilegedRole !== true)
        await requireUnprivilegedRole(client, this.#options.hostSchemas ?? defaultHostSchemas)
      return new PostgresSession(client, statementTimeoutMs)
    } catch (error) {
      client.connection.stream.destroy()
      throw error
    }
  }

  async #runOn(session: PostgresSession, call: Call): Promise<SqlAnswer> {
    let status = '?'
    let stopped: Promise<boolean> | undefined
    const signal = call.ending
    const answering = this.#exchange(session, call)
    const settled = answering.then(
      () => true,
      () => true,
    )
    const stop = (): void => {
      stopped = this.#stop(session, settled)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    try {
      const answer = await answering
      status = answer.status
      if (!signal.aborted || answer.error?.['C'] !== '57014') return answer
      throw signal.reason
    } catch (error) {
      if (stopped === undefined) throw error
      const ended = await stopped
      if (ended || call.caller.aborted) throw signal.reason
      throw timeoutError(call.limits, { mayStillRun: true })
    } finally {
      signal.removeEventListener('abort', stop)
      this.#takeBack(session, { status, stopped })
    }
  }

  async #exchange(session: PostgresSession, { statement, limits }: Call): Promise<SqlAnswer> {
    if (session.statementTimeoutMs !== limits.timeoutMs + serverMarginMs)
      await session.client.query(`SET statement_timeout = ${limits.timeoutMs + serverMarginMs}`)
    if (!needsParameterTypes(statement.params))
      return session.run(planStatement(statement, limits), limits)
    const description = await session.run(planDescription(statement), limits)
    if (description.error !== undefined) return description
    return session.run(planStatement(statement, limits, description.parameterTypes), limits)
  }

  /** Ends what a session does, by ever stronger means. Tells whether it is sure that it ended. */
  async #stop(session: PostgresSession, settled: Promise<boolean>): Promise<boolean> {
    const settlesIn = (ms: number): Promise<boolean> => Promise.race([settled, pause(ms)])
    // The first request can arrive before the statement does.
    for (const share of [0.2, 0.8]) {
      await session.cancel()
      if (await settlesIn(this.#cancelGraceMs * share)) return true
    }
    if (this.#terminator !== undefined) {
      await terminateBackend(session.client, this.#terminator).catch(() => undefined)
      if (await settlesIn(terminateWaitMs)) return true
    }
    session.destroy()
    return endsSoon(session.pid, this.#viewer)
  }

  /** The result does not wait for the reset. */
  #takeBack(session: PostgresSession, { status, stopped }: Ending): void {
    void (async () => {
      await stopped
      if (session.usable) await session.reset(status, resetTimeoutMs)
      this.#pool.release(session)
    })()
  }
}

interface Call {
  readonly statement: SqlStatement
  readonly limits: SqlLimits
  /** Aborts when the time is up or the caller gives up. */
  readonly ending: AbortSignal
  readonly caller: AbortSignal
}

interface Ending {
  readonly status: string
  readonly stopped: Promise<boolean> | undefined
}

function pause(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms)
  })
}
