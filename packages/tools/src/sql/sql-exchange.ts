import { type SqlRow, SqlRows, type SqlRowLimits } from './sql-rows.ts'

/** The fields of an error message of the server, by their one-letter names. */
export type ServerError = Readonly<Record<string, string>>

/** What the server answered to one statement. */
export interface SqlAnswer {
  readonly rows: readonly SqlRow[]
  readonly truncated: boolean
  /** How the server names what it did, `INSERT 0 3`; undefined when it was stopped before the end. */
  readonly tag: string | undefined
  readonly error: ServerError | undefined
  /** The text held no statement. */
  readonly empty: boolean
  /** The statement was a COPY from or to the client. */
  readonly copy: boolean
  /** The statement was asked to stop because it sent too much. */
  readonly flooded: boolean
  /** The types of the parameters, where they were asked for. */
  readonly parameterTypes: readonly number[]
  /** `I` outside of a transaction, `T` inside, `E` inside a failed one. */
  readonly status: string
}

/** What an exchange asks of its connection. */
interface ExchangePeer {
  /** Cancels the running statement; its rest is not wanted. */
  cancel(): void
}

/** How {@link SqlExchange} works. */
export interface ExchangeOptions {
  readonly limits: SqlRowLimits
  /** How many statements of our own run before the caller's. */
  readonly ownStatements: number
  readonly peer: ExchangePeer
}

/** Messages that say nothing to a call. Dropping them unread also bounds floods of notices. */
const ignored = new Set(['A', 'N', 'S', 'd', 'c', '1', '2', '3', 'n'])
/** Of a message that is no row, more than this is not kept: an error's text can be of any size. */
const maxMessageBytes = 1_048_576
/** What a statement may send in rows that nobody keeps, before it is cancelled. */
const maxDroppedBytes = 16_777_216

/**
 * Reads the server's answer to one statement. Rows beyond the limits are skipped while they arrive, so that memory stays
 * bounded whatever the server sends; the protocol stays in step.
 */
export class SqlExchange {
  readonly #options: ExchangeOptions
  readonly #rows: SqlRows
  #pending: Buffer = Buffer.alloc(0)
  #skip = 0
  #room: number
  #dropped = 0
  #ownLeft: number
  #tag: string | undefined
  #error: ServerError | undefined
  #empty = false
  #copy = false
  #flooded = false
  #parameterTypes: readonly number[] = []
  #answer: SqlAnswer | undefined

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#rows = new SqlRows(options.limits)
    this.#ownLeft = options.ownStatements
    // A value can be longer on the wire than as JSON, but not by much.
    this.#room = 2 * options.limits.maxBytes + 65_536
  }

  /** The answer, once the server is ready for the next statement. */
  get answer(): SqlAnswer | undefined {
    return this.#answer
  }

  /** What the server sent after the answer. */
  get rest(): Buffer {
    return this.#pending
  }

  /** The error that the server sent, also when it closed the connection after it. */
  get error(): ServerError | undefined {
    return this.#error
  }

  /** Takes what the server sent. After the answer it takes no more; what came behind it is `rest`. */
  feed(chunk: Buffer): void {
    const skipped = Math.min(this.#skip, chunk.length)
    this.#skip -= skipped
    const fresh = chunk.subarray(skipped)
    let buffer = this.#pending.length === 0 ? fresh : Buffer.concat([this.#pending, fresh])
    while (buffer.length >= 5 && this.#answer === undefined) {
      const type = String.fromCharCode(buffer[0] ?? 0)
      const length = buffer.readUInt32BE(1) - 4
      const wanted = this.#wanted(type, length)
      if (buffer.length - 5 < wanted) break
      if (wanted > 0 || length === 0) this.#handle(type, buffer.subarray(5, 5 + wanted))
      else if (type === 'D') this.#drop(length)
      const end = 5 + length
      this.#skip = Math.max(0, end - buffer.length)
      buffer = buffer.subarray(Math.min(end, buffer.length))
    }
    this.#pending = buffer
  }

  /** How much of a message is needed; asking twice changes nothing. */
  #wanted(type: string, length: number): number {
    if (ignored.has(type)) return 0
    if (type !== 'D') return Math.min(length, maxMessageBytes)
    return this.#ownLeft > 0 || this.#rows.truncated || length > this.#room ? 0 : length
  }

  #drop(length: number): void {
    if (this.#ownLeft > 0) return
    this.#rows.cut()
    this.#dropped += length
    if (this.#dropped > maxDroppedBytes) this.#stop()
  }

  #stop(): void {
    if (this.#flooded) return
    this.#flooded = true
    this.#options.peer.cancel()
  }

  #handle(type: string, body: Buffer): void {
    switch (type) {
      case 'D':
        this.#room -= body.length
        this.#rows.add(body)
        break
      case 'T':
        this.#rows.describe(body)
        break
      case 't':
        this.#parameterTypes = Array.from({ length: body.readUInt16BE(0) }, (_, index) =>
          body.readUInt32BE(2 + 4 * index),
        )
        break
      case 'C':
        if (this.#ownLeft > 0) this.#ownLeft -= 1
        else this.#tag = body.toString('utf8', 0, body.length - 1)
        break
      case 's':
        this.#rows.cut()
        break
      case 'I':
        this.#empty = true
        break
      case 'E':
        this.#error ??= readError(body)
        break
      case 'G':
        // The server now takes whatever comes for data. There will be no sensible answer, so this is the end.
        this.#copy = true
        this.#finish('?')
        break
      case 'H':
      case 'W':
        this.#copy = true
        this.#options.peer.cancel()
        break
      case 'Z':
        this.#finish(body.toString('latin1', 0, 1))
        break
      default:
    }
  }

  #finish(status: string): void {
    this.#answer = {
      rows: this.#rows.rows,
      truncated: this.#rows.truncated,
      tag: this.#tag,
      error: this.#error,
      empty: this.#empty,
      copy: this.#copy,
      flooded: this.#flooded,
      parameterTypes: this.#parameterTypes,
      status,
    }
  }
}

function readError(body: Buffer): ServerError {
  const fields: [string, string][] = []
  let position = 0
  while (position < body.length && body[position] !== 0) {
    const found = body.indexOf(0, position + 1)
    const end = found < 0 ? body.length : found
    fields.push([
      String.fromCharCode(body[position] ?? 0),
      body.toString('utf8', position + 1, end),
    ])
    position = end + 1
  }
  return Object.fromEntries(fields)
}
