import type { Client } from 'pg'
import { backendPid, requestCancel } from './postgres-cancel.ts'
import { unavailable } from './postgres-client.ts'
import { readServerError } from '../sql-answer.ts'
import { type SqlAnswer, SqlExchange } from '../sql-exchange.ts'
import type { SqlPlan } from '../sql-plan.ts'
import type { SqlLimits } from '../sql-tool.ts'
import { encodeOwnStatement, encodeSync } from '../sql-wire.ts'

type DataListener = (chunk: Buffer) => void

interface Reading {
  readonly exchange: SqlExchange
  resolve(answer: SqlAnswer): void
  fail(error: Error): void
}

/**
 * One connection. pg opens it, signs in and resets it; while a statement runs, its bytes come here instead, because pg
 * would hold whatever arrives, however big.
 */
export class PostgresSession {
  readonly client: Client
  /** The server's own limit that this connection began with, in milliseconds. */
  readonly statementTimeoutMs: number
  #usable = true
  readonly #readings: Reading[] = []
  #isReset: Promise<boolean> = Promise.resolve(true)
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

  /**
   * Sends a statement, and right behind it what resets the session; gives the statement's answer as soon as it is there.
   *
   * @throws {ToolError} SQL_UNAVAILABLE when the connection is lost.
   */
  async run(plan: SqlPlan, limits: SqlLimits): Promise<SqlAnswer> {
    if (!this.#usable) throw this.#lost ?? unavailable(new Error('the connection was closed'))
    const { stream } = this.client.connection
    this.#takeOver()
    const answering = this.#read(plan.ownStatements, limits)
    this.#isReset = this.#readReset(plan.reset, limits)
    // One exchange for all of it: every further one costs the server and this process a turn.
    const reset =
      plan.reset.length === 0 ? [] : [...plan.reset.map(encodeOwnStatement), encodeSync()]
    stream.write(Buffer.concat([plan.bytes, ...reset]))
    const answer = await answering
    // A COPY from the client swallows what was sent behind it, and nobody knows where the protocol stands.
    if (answer.copy) this.destroy()
    return answer
  }

  async #readReset(statements: readonly string[], limits: SqlLimits): Promise<boolean> {
    if (statements.length === 0) return false
    try {
      return (await this.#read(statements.length, limits)).error === undefined
    } catch {
      return false
    }
  }

  #read(ownStatements: number, limits: SqlLimits): Promise<SqlAnswer> {
    return new Promise((resolve, reject) => {
      const peer = { cancel: () => void this.cancel() }
      const exchange = new SqlExchange({ limits, ownStatements, peer })
      const fail = (error: Error): void =>
        reject(exchange.error === undefined ? error : readServerError(exchange.error, limits))
      this.#readings.push({ exchange, resolve, fail })
    })
  }

  /** From now on the server's bytes come here, until all answers are read. */
  #takeOver(): void {
    const { stream } = this.client.connection
    const theirs = stream.listeners('data') as DataListener[]
    const feed: DataListener = (chunk) => {
      let bytes = chunk
      for (;;) {
        const reading = this.#readings[0]
        if (reading === undefined) break
        reading.exchange.feed(bytes)
        if (reading.exchange.answer === undefined) return
        bytes = reading.exchange.rest
        this.#readings.shift()
        reading.resolve(reading.exchange.answer)
      }
      stream.off('data', feed)
      for (const listener of theirs) {
        stream.on('data', listener)
        // What the server said unasked behind its answers; a part of a message must not get lost.
        if (bytes.length > 0) listener(bytes)
      }
    }
    for (const listener of theirs) stream.off('data', listener)
    stream.on('data', feed)
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
      if (await this.#isReset) return
      if (!this.#usable) return
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
    // An idle connection does not keep the process alive, and one that waited for its end would then end without it.
    this.keepAlive(true)
    await this.client.end().catch(() => undefined)
  }

  #lose(error: Error): void {
    this.#usable = false
    this.#lost ??= unavailable(error)
    for (const reading of this.#readings.splice(0)) reading.fail(this.#lost)
  }
}
