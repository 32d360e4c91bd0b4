import { Worker } from 'node:worker_threads'
import type {
  EmbeddedReply,
  EmbeddedRequest,
  EmbeddedStart,
  EmbeddedThread,
} from './pglite-message.ts'
import { compiledServer } from './pglite-server.ts'
import { type EmbeddedPeer, EmbeddedStream } from './pglite-stream.ts'

/** How long closing waits for the database to end in good order, in milliseconds. */
const closeMs = 10_000

/**
 * An embedded database in a thread of its own. When the thread ends by itself, everything that waits for it fails at
 * once; a database in a folder is opened again for whoever connects next, one in memory is lost.
 */
export class EmbeddedDatabase implements EmbeddedPeer {
  readonly #start: EmbeddedStart
  readonly #streams: Map<number, EmbeddedStream> = new Map()
  #connections = 0
  /** The thread that is there or begins; undefined when the last one was lost. */
  #thread: Promise<Worker> | undefined
  #current: Worker | undefined
  /** Settles when the last thread is gone: two must never hold one folder. */
  #gone: Promise<void> = Promise.resolve()
  #lost: Error | undefined
  #waiting = 0
  #isClosed = false

  private constructor(start: EmbeddedStart) {
    this.#start = start
  }

  /** Opens a database; rejects when that fails. */
  static async open(start: EmbeddedStart): Promise<EmbeddedDatabase> {
    const database = new EmbeddedDatabase(start)
    database.#thread = database.#begin(start)
    await database.#thread
    return database
  }

  /** A new connection, as a socket for pg. */
  connect(): EmbeddedStream {
    return new EmbeddedStream(this)
  }

  async open(stream: EmbeddedStream): Promise<void> {
    if (this.#isClosed) throw new Error('the embedded database is closed')
    if (this.#thread === undefined && this.#start.dataFolder === undefined)
      throw this.#lost ?? new Error('the embedded database is not open')
    const again = { ...this.#start, isNew: false }
    this.#thread ??= this.#gone.then(() => this.#begin(again))
    const thread = await this.#thread
    if (stream.destroyed) return
    this.#connections += 1
    this.#streams.set(this.#connections, stream)
    this.#post(thread, { type: 'open', connection: this.#connections })
  }

  send(stream: EmbeddedStream, bytes: Uint8Array): void {
    const connection = this.#numberOf(stream)
    // A stream that is not among them has been destroyed with its thread.
    if (connection === undefined || this.#thread === undefined) return
    void this.#thread.then((thread) => this.#post(thread, { type: 'send', connection, bytes }))
  }

  close(stream: EmbeddedStream): void {
    const connection = this.#numberOf(stream)
    if (connection !== undefined) this.#streams.delete(connection)
  }

  /** Closes the database, also when it does not answer. */
  async end(): Promise<void> {
    this.#isClosed = true
    const thread = await this.#thread?.catch(() => undefined)
    if (thread === undefined) return
    const closed = Promise.withResolvers<void>()
    const timer = setTimeout(closed.resolve, closeMs)
    thread.once('exit', closed.resolve)
    thread.on('message', (reply: EmbeddedReply) => {
      if (reply.type === 'done' && this.#waiting === 0) closed.resolve()
    })
    this.#post(thread, { type: 'close' })
    await closed.promise
    clearTimeout(timer)
    // Else a program with nothing else to do would end before this resolves.
    thread.ref()
    await thread.terminate()
  }

  #numberOf(stream: EmbeddedStream): number | undefined {
    for (const [connection, entry] of this.#streams) if (entry === stream) return connection
    return undefined
  }

  #post(thread: Worker, request: EmbeddedRequest): void {
    this.#waiting += 1
    // Only a thread that is asked for something keeps the process alive.
    if (this.#waiting === 1) thread.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
    thread.postMessage(request)
  }

  async #begin(start: EmbeddedStart): Promise<Worker> {
    const workerData: EmbeddedThread = { ...start, server: await compiledServer() }
    const ready = Promise.withResolvers<Worker>()
    // From its sources the package runs as TypeScript, built as JavaScript; the worker is of the same kind.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const thread = new Worker(new URL(`./pglite-worker.${extension}`, import.meta.url), {
      name: 'toolcrib call log',
      workerData,
      argv: [],
      execArgv: [],
      stdin: false,
      // Nobody reads these, because reading would keep the process alive; the thread writes nothing to them.
      stdout: true,
      stderr: true,
    })
    this.#current = thread
    this.#waiting = 0
    const gone = Promise.withResolvers<void>()
    this.#gone = gone.promise
    const lose = (reason: string): void => {
      const error = new Error(`the embedded database broke down: ${reason}`)
      ready.reject(error)
      if (this.#current === thread) this.#lose(error)
    }
    thread.on('message', (reply: EmbeddedReply) => {
      if (reply.type === 'data') this.#streams.get(reply.connection)?.accept(reply.bytes)
      else if (reply.type === 'done') {
        this.#waiting -= 1
        if (this.#waiting === 0) thread.unref()
      } else if (reply.type === 'failed') lose(reply.reason)
      else {
        thread.unref()
        ready.resolve(thread)
      }
    })
    thread.on('error', (error) => lose(error.message))
    thread.on('exit', () => {
      lose('its thread ended')
      gone.resolve()
    })
    return ready.promise
  }

  #lose(error: Error): void {
    this.#thread = undefined
    this.#current = undefined
    this.#lost = error
    const streams = [...this.#streams.values()]
    this.#streams.clear()
    for (const stream of streams) stream.destroy(error)
  }
}
