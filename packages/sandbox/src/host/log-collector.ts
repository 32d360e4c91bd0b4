import type { GuestLog } from '../sandbox.ts'

const maxMessages = 10_000

/** Takes the messages of one call, up to a number and a size. */
export class LogCollector {
  #left: number
  #count = 0
  #logs: GuestLog[] = []
  #dropped = 0

  /** @param maxBytes of all messages together, in UTF-8 */
  constructor(maxBytes: number) {
    this.#left = maxBytes
  }

  /** @param readMessage gives the message if it has no more bytes than it is told */
  add(level: string | undefined, readMessage: (maxBytes: number) => string | undefined): void {
    const message = this.#count < maxMessages ? readMessage(this.#left) : undefined
    // Half a character becomes a whole one when it is read, which may take more bytes.
    const bytes = message === undefined ? 0 : Buffer.byteLength(message)
    if (message === undefined || bytes > this.#left) {
      this.#dropped += 1
      return
    }
    this.#count += 1
    this.#left -= bytes
    this.#logs.push({ level: isLevel(level) ? level : 'info', message })
  }

  /** What came since it was last asked, and how many were dropped since then. */
  take(): { logs: GuestLog[]; droppedLogs: number } {
    const taken = { logs: this.#logs, droppedLogs: this.#dropped }
    this.#logs = []
    this.#dropped = 0
    return taken
  }
}

function isLevel(level: string | undefined): level is GuestLog['level'] {
  return level === 'debug' || level === 'info' || level === 'warn' || level === 'error'
}
