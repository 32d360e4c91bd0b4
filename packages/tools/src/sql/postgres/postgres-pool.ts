import { builtInToolError } from '../../error-catalogue.ts'
import type { PostgresSession } from './postgres-session.ts'

/** How {@link PostgresPool} works. */
export interface PoolOptions {
  readonly maxConnections: number
  /** A connection that nobody wanted for so long is closed, in milliseconds. */
  readonly idleTimeoutMs: number
  open(signal: AbortSignal): Promise<PostgresSession>
}

interface Waiter {
  give(session: PostgresSession | undefined): void
}

/** A few connections, each used by one call at a time; whoever comes when all are in use waits in order. */
export class PostgresPool {
  readonly #options: PoolOptions
  readonly #idle: PostgresSession[] = []
  readonly #all = new Set<PostgresSession>()
  readonly #waiters: Waiter[] = []
  readonly #timers = new Map<PostgresSession, NodeJS.Timeout>()
  #opening = 0
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Gives a session; it comes back by `release` or `drop`. @throws {ToolError} SQL_UNAVAILABLE; the signal's reason */
  async acquire(signal: AbortSignal): Promise<PostgresSession> {
    for (;;) {
      signal.throwIfAborted()
      this.#assertOpen()
      const session = this.#takeIdle()
      if (session !== undefined) return session
      if (this.#all.size + this.#opening < this.#options.maxConnections) return this.#open(signal)
      const given = await this.#wait(signal)
      if (given !== undefined) return given
    }
  }

  /** Takes a session back. */
  release(session: PostgresSession): void {
    if (!session.usable || this.#closed) {
      this.drop(session)
      return
    }
    const waiter = this.#waiters.shift()
    if (waiter !== undefined) {
      waiter.give(session)
      return
    }
    // Idle connections do not keep the process alive.
    session.keepAlive(false)
    const timer = setTimeout(() => this.#expire(session), this.#options.idleTimeoutMs)
    timer.unref()
    this.#timers.set(session, timer)
    this.#idle.push(session)
  }

  /** Closes a session; whoever waits may open another. */
  drop(session: PostgresSession): void {
    session.destroy()
    this.#all.delete(session)
    this.#waiters.shift()?.give(undefined)
  }

  /** Ends every connection; calls that run fail. */
  async close(): Promise<void> {
    this.#closed = true
    for (const waiter of this.#waiters.splice(0)) waiter.give(undefined)
    const idle = this.#idle.splice(0)
    for (const session of this.#all) {
      clearTimeout(this.#timers.get(session))
      if (!idle.includes(session)) session.destroy()
    }
    this.#all.clear()
    await Promise.all(idle.map((session) => session.end()))
  }

  async #open(signal: AbortSignal): Promise<PostgresSession> {
    this.#opening += 1
    try {
      const session = await this.#options.open(signal)
      if (this.#closed) session.destroy()
      this.#assertOpen()
      this.#all.add(session)
      return session
    } catch (error) {
      this.#waiters.shift()?.give(undefined)
      throw error
    } finally {
      this.#opening -= 1
    }
  }

  #takeIdle(): PostgresSession | undefined {
    for (;;) {
      const session = this.#idle.pop()
      if (session === undefined) return undefined
      clearTimeout(this.#timers.get(session))
      this.#timers.delete(session)
      if (session.usable) {
        session.keepAlive(true)
        return session
      }
      this.#all.delete(session)
    }
  }

  #expire(session: PostgresSession): void {
    const index = this.#idle.indexOf(session)
    if (index < 0) return
    this.#idle.splice(index, 1)
    this.#timers.delete(session)
    this.#all.delete(session)
    void session.end()
  }

  #wait(signal: AbortSignal): Promise<PostgresSession | undefined> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        give: (session) => {
          signal.removeEventListener('abort', abort)
          resolve(session)
        },
      }
      const abort = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#waiters.push(waiter)
    })
  }

  #assertOpen(): void {
    if (!this.#closed) return
    throw builtInToolError('SQL_UNAVAILABLE', 'The database was closed by close().')
  }
}
