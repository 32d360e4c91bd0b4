import { toolsmakerError } from '../error-catalogue.ts'
import { type RowPlace, checkRow } from './audit-line.ts'
import type { RowIndex } from './row-index.ts'
import type { StoreFile } from './store-file-system.ts'

/**
 * Is handed each row that was read; `bytes` is absent where it is not the row that was checked. `eventStart` is where the event
 * begins, where checking the row has told that.
 */
export type TakeRow = (sequence: number, bytes: Buffer | undefined, eventStart?: number) => void

/** How much of the log is read at once, in bytes. */
const blockBytes = 4 * 1_024 * 1_024

/**
 * Reads rows of a log by their places. Each is checked when it is read for the first time, and by its hash at each later time: so
 * what was judged is what was checked, whatever somebody writes into the file in between.
 */
export class RowReader {
  readonly #file: StoreFile
  readonly #rows: RowIndex
  /** Where the first row that was not checked should stand. */
  #place: RowPlace
  #turn: Promise<void> = Promise.resolve()
  /** Holds one block after the other while rows are read for the first time. */
  #buffer = Buffer.alloc(0)

  constructor(file: StoreFile, rows: RowIndex, genesis: string) {
    this.#file = file
    this.#rows = rows
    this.#place = { sequence: 1, previous: genesis }
  }

  /** Reads rows, both included, in order. */
  read(first: number, last: number, take: TakeRow): Promise<void> {
    if (last <= this.#rows.checked) return this.#read(first, last, take)
    // Rows are checked in their order, by one reader after the other.
    return this.#afterTurn(async () => {
      const unchecked = this.#rows.checked + 1
      const inBuffer = (bytes: number): Buffer => this.#inBuffer(bytes)
      if (unchecked < first) await this.#read(unchecked, first - 1, () => undefined, inBuffer)
      await this.#read(first, last, take, inBuffer)
      if (this.#rows.checked === this.#rows.count) this.#buffer = Buffer.alloc(0)
    })
  }

  /** Checks all rows; gives the place of the next one. */
  async checkAll(): Promise<RowPlace> {
    const { checked, count } = this.#rows
    if (checked < count) await this.read(count, count, () => undefined)
    return this.#place
  }

  /** Adds rows that were written just now, when all before them were checked. */
  add(rows: readonly { readonly length: number; readonly digest: string }[], next: RowPlace): void {
    for (const { digest, length } of rows) {
      this.#rows.push(this.#rows.end + length)
      this.#rows.note({ digest })
    }
    this.#place = next
  }

  async #afterTurn(read: () => Promise<void>): Promise<void> {
    const before = this.#turn
    const turn = Promise.withResolvers<void>()
    this.#turn = turn.promise
    try {
      await before
      await read()
    } finally {
      turn.resolve()
    }
  }

  #inBuffer(bytes: number): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafe(Math.max(bytes, blockBytes))
    return this.#buffer.subarray(0, bytes)
  }

  // oxlint-disable-next-line max-params -- where the bytes go is an aside
  async #read(
    first: number,
    last: number,
    take: TakeRow,
    allocate: (bytes: number) => Buffer = (bytes) => Buffer.allocUnsafe(bytes),
  ): Promise<void> {
    for (let next = first; next <= last;) {
      const end = this.#endOfBlock(next, last)
      const start = this.#rows.startOf(next)
      const block = allocate(this.#rows.endOf(end) - start)
      // oxlint-disable-next-line no-await-in-loop -- one block after the other keeps memory bounded
      await this.#fill(block, start)
      for (let sequence = next; sequence <= end; sequence += 1) {
        const from = this.#rows.startOf(sequence) - start
        const bytes = block.subarray(from, this.#rows.endOf(sequence) - start - 1)
        if (sequence > this.#rows.checked) take(sequence, bytes, this.#check(bytes))
        else take(sequence, this.#rows.isSame(sequence, bytes) ? bytes : undefined)
      }
      next = end + 1
    }
  }

  /** Checks the next row; tells where its event begins, if that is known. */
  #check(bytes: Buffer): number | undefined {
    const { digest, eventStart, next, problem } = checkRow(bytes, this.#place)
    this.#rows.note(digest === undefined ? { problem: problem ?? '', bytes } : { digest })
    this.#place = next
    return eventStart
  }

  /** The last of the rows from `first` on that are read at once. */
  #endOfBlock(first: number, last: number): number {
    const limit = this.#rows.startOf(first) + blockBytes
    let end = first
    while (end < last && this.#rows.endOf(end + 1) <= limit) end += 1
    return end
  }

  async #fill(bytes: Buffer, start: number): Promise<void> {
    let done = 0
    while (done < bytes.length) {
      // oxlint-disable-next-line no-await-in-loop -- a short read is continued where it stopped
      const { bytesRead } = await this.#file.read(
        bytes,
        done,
        Math.min(bytes.length - done, 2 ** 30),
        start + done,
      )
      if (bytesRead === 0)
        throw toolsmakerError('STORE_INVALID', 'audit.jsonl is shorter than what was written.')
      done += bytesRead
    }
  }
}
