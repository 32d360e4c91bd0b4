import { Duplex } from 'node:stream'

/** What a stream needs of the database behind it. */
export interface EmbeddedPeer {
  /** Begins a connection; rejects when there is no database. */
  open(stream: EmbeddedStream): Promise<void>
  /** Sends a whole request. */
  send(stream: EmbeddedStream, bytes: Uint8Array): void
  /** Says that nobody waits for answers any more. */
  close(stream: EmbeddedStream): void
}

/** How much of an answer is handed out in one turn of the event loop. */
const sliceBytes = 131_072

const headerBytes = 5
const [query, sync, terminate] = [0x51, 0x53, 0x58]

/** The server's welcome: no password, a few settings that clients expect, ready. */
const welcome = Buffer.concat([
  message('R', Buffer.alloc(4)),
  ...Object.entries({
    client_encoding: 'UTF8',
    server_version: '18.0',
    standard_conforming_strings: 'on',
  }).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
  message('Z', Buffer.from('I')),
])

function message(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write(type)
  header.writeInt32BE(4 + content.length, 1)
  return Buffer.concat([header, content])
}

/**
 * A connection to an embedded database, as pg expects a socket. Messages are collected until the server would answer,
 * and large answers are handed out in slices, so that reading them holds nothing up.
 */
export class EmbeddedStream extends Duplex {
  readonly #peer: EmbeddedPeer
  #isWelcomed = false
  #received: Buffer = Buffer.alloc(0)
  #complete = 0
  #answers: Buffer[] = []
  #scheduled = false

  constructor(peer: EmbeddedPeer) {
    super({ autoDestroy: true, emitClose: true })
    this.#peer = peer
  }

  /** Called by pg with an address, which there is none of. */
  connect(): this {
    this.#peer.open(this).then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    )
    return this
  }

  // What sockets have and this needs nothing of.
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }

  /** Takes a part of an answer. */
  accept(bytes: Uint8Array): void {
    const answer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let start = 0; start < answer.length; start += sliceBytes)
      this.#answers.push(answer.subarray(start, start + sliceBytes))
    if (!this.#scheduled) this.#handOut()
  }

  override _read(): void {
    // Answers come when they come.
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    if (!this.#isWelcomed) this.#welcome()
    this.#sendComplete()
    done()
  }

  override _final(done: () => void): void {
    done()
    this.destroy()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#peer.close(this)
    this.#answers = []
    done(error)
  }

  #handOut(): void {
    this.#scheduled = false
    const next = this.#answers.shift()
    if (next === undefined || this.destroyed) return
    this.push(next)
    if (this.#answers.length === 0) return
    this.#scheduled = true
    setImmediate(() => this.#handOut())
  }

  /** The first message has no type; whoever connects is let in. */
  #welcome(): void {
    if (this.#received.length < 4) return
    const length = this.#received.readInt32BE(0)
    if (this.#received.length < length) return
    this.#received = this.#received.subarray(length)
    this.#isWelcomed = true
    this.push(welcome)
  }

  #sendComplete(): void {
    while (this.#isWelcomed && this.#received.length >= this.#complete + headerBytes) {
      const type = this.#received[this.#complete]
      const end = this.#complete + 1 + this.#received.readInt32BE(this.#complete + 1)
      if (this.#received.length < end) return
      this.#complete = end
      if (type === terminate) {
        this.destroy()
        return
      }
      if (type !== query && type !== sync) continue
      // A copy, because the chunk may be a part of memory that others use.
      this.#peer.send(this, new Uint8Array(this.#received.subarray(0, end)))
      this.#received = this.#received.subarray(end)
      this.#complete = 0
    }
  }
}
