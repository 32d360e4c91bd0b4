import type { Client } from 'pg'
import { backendPid, requestCancel } from './postgres-cancel.ts'
import { unavailable } from './postgres-client.ts'
import { readServerError } from './sql-answer.ts'
import { type SqlAnswer, SqlExchange } from './sql-exchange.ts'
import type { SqlPlan } from './sql-plan.ts'
import type { SqlLimits } from './sql-tool.ts'

type DataListener = (chunk: Buffer) => void

/**
 * One connection. pg opens it, signs in and resets it; while a statement runs, its bytes come here instead, because pg
 * would hold whatever arrives, however big.
 */
export class PostgresSession {
  readonly client: Client
  /** The server's own limit that this connection began with, in milliseconds. */
  readonly statementTimeoutMs: number
  #usable = true
  #running: { readonly exchange: SqlExchange; fail(error: Error): void } | undefined
  #lost: Error | undefined
  #cancelling: Promise<void> = Promise.resolve()

  constructor(client: Client, statementTimeoutMs: number) {
    this.client = client
    this.statementTimeoutMs = statementTimeoutMs
    client.on('error', (error: Error) => this.#lose(error))
    client.on('end', () => this.#lose(new Error('the server closed the connection')))
  }

  get pid(): number {
    return backendPid(this.client)
  }

  get usable(): boolean {
    return this.#usable
  }

  /** Sends a statement and reads its answer. @throws {ToolError} SQL_UNAVAILABLE when the connection is lost. */
  run(plan: SqlPlan, limits: SqlLimits): Promise<SqlAnswer> {
    const { stream } = this.client.connection
    return new Promise((resolve, reject) => {
      if (!this.#usable) {
        reject(this.#lost ?? new Error('the connection was closed'))
        return
      }
      const exchange = new SqlExchange({
        limits,
        ownStatements: plan.ownStatements,
        peer: { send: (bytes) => stream.write(bytes), cancel: () => void this.cancel() },
      })
      const theirs = stream.listeners('data') as DataListener[]
      const feed: DataListener = (chunk) => {
        exchange.feed(chunk)
        if (exchange.answer === undefined) return
        giveBack()
        resolve(exchange.answer)
      }
      const giveBack = (): void => {
        this.#running = undefined
        stream.off('data', feed)
        for (const listener of theirs) stream.on('data', listener)
      }
      for (const listener of theirs) stream.off('data', listener)
      stream.on('data', feed)
      this.#running = {
        exchange,
        fail: (error) => {
          giveBack()
          reject(exchange.error === undefined ? error : readServerError(exchange.error, limits))
        },
      }
      stream.write(plan.bytes)
    })
  }

  /** Asks the server to cancel the statement that runs now. */
  async cancel(): Promise<void> {
    const request = requestCancel(this.client)
    this.#cancelling = Promise.all([this.#cancelling, request]).then(() => undefined)
    await request
  }

  /** Makes the session as new: nothing of a call is left to the next. A session that cannot is of no more use. */
  async reset(status: string, timeoutMs: number): Promise<void> {
    const timer = setTimeout(() => this.destroy(), timeoutMs)
    try {
      // A request that is still on its way would hit the next call's statement.
      await this.#cancelling
      if (status !== 'I') await this.client.query('ROLLBACK')
      await this.client.query('DISCARD ALL')
    } catch {
      this.destroy()
    } finally {
      clearTimeout(timer)
    }
  }

  /** Tells whether the connection keeps the process alive. */
  keepAlive(keeps: boolean): void {
    const { client } = this as unknown as { client: { ref(): void; unref(): void } }
    if (keeps) client.ref()
    else client.unref()
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.#usable = false
    this.client.connection.stream.destroy()
  }

  /** Says goodbye to the server. */
  async end(): Promise<void> {
    this.#usable = false
    await this.client.end().catch(() => undefined)
  }

  #lose(error: Error): void {
    this.#usable = false
    this.#lost ??= unavailable(error)
    this.#running?.fail(this.#lost)
  }
}
