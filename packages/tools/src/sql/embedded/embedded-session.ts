import { Worker } from 'node:worker_threads'
import { builtInToolError } from '../../error-catalogue.ts'
import type { EmbeddedReply, EmbeddedRequest, EmbeddedStart } from './embedded-message.ts'
import { aftermathOf } from '../sql-answer.ts'
import type { SqlAnswer } from '../sql-exchange.ts'

/** The worker's own memory, without that of the embedded machine, in MiB. */
const workerMemoryMb = 256

/** In MiB: so much that the server's own limit of 2 MB, which gives an error, comes before the thread's, which ends the server. */
const workerStackMb = 64

interface Pending {
  resolve(answer: SqlAnswer): void
  reject(error: unknown): void
}

/** One worker thread with one embedded database in it. It takes one statement at a time. */
export class EmbeddedSession {
  readonly #worker: Worker
  #idle = Promise.withResolvers<void>()
  readonly #exited = Promise.withResolvers<void>()
  #pending: Pending | undefined
  #ended: Error | undefined
  readonly #aftermath: string

  constructor(start: EmbeddedStart) {
    this.#aftermath = aftermathOf(start.dataFolder === undefined)
    // From its sources the package runs as TypeScript, built as JavaScript; the worker is of the same kind.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.#worker = new Worker(new URL(`./embedded-worker.${extension}`, import.meta.url), {
      name: 'toolcrib sql',
      workerData: start,
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      // Nobody reads these, because reading would keep the process alive; the thread writes nothing to them.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: workerMemoryMb, stackSizeMb: workerStackMb },
    })
    this.#idle.promise.catch(() => undefined)
    this.#worker.on('message', (reply: EmbeddedReply) => this.#take(reply))
    this.#worker.on('error', (error) => this.#fail(error.message))
    this.#worker.on('exit', () => {
      this.#fail('its thread ended')
      this.#exited.resolve()
    })
  }

  get usable(): boolean {
    return this.#ended === undefined
  }

  /** Resolves when a statement can run. @throws {ToolError} SQL_UNAVAILABLE */
  idle(): Promise<void> {
    return this.#idle.promise
  }

  /** Runs a statement, on an idle session. @throws {ToolError} SQL_UNAVAILABLE when the database breaks down over it. */
  run(request: EmbeddedRequest): Promise<SqlAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) {
        reject(this.#ended)
        return
      }
      this.#worker.ref()
      this.#pending = { resolve, reject }
      this.#idle = Promise.withResolvers()
      this.#idle.promise.catch(() => undefined)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
      this.#worker.postMessage(request)
    })
  }

  /** Ends the thread, whatever it does, and resolves when it is gone. */
  async end(): Promise<void> {
    this.#fail('it was closed')
    // Else a program with nothing else to do would end before this resolves.
    this.#worker.ref()
    await this.#worker.terminate()
    await this.#exited.promise
  }

  #take(reply: EmbeddedReply): void {
    if (reply.type === 'idle') {
      // An idle database does not keep the process alive; one that is being ended does.
      if (this.#ended === undefined) this.#worker.unref()
      this.#idle.resolve()
    } else if (reply.type === 'answer') {
      this.#pending?.resolve(reply.answer)
      this.#pending = undefined
    } else this.#fail(reply.reason)
  }

  #fail(reason: string): void {
    if (this.#ended !== undefined) return
    this.#ended = builtInToolError(
      'SQL_UNAVAILABLE',
      `The embedded database broke down: ${reason.replace(/\.$/, '')}. ${this.#aftermath}`,
    )
    this.#idle.reject(this.#ended)
    this.#pending?.reject(this.#ended)
    this.#pending = undefined
  }
}
