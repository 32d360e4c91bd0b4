import { type RowPlace, checkRow, hasRowShape, isBatchEnd } from './audit-line.ts'
import type { StoreFile } from './store-file-system.ts'

/** What reading a whole `audit.jsonl` gave. */
export interface AuditScan {
  /** Where each row starts; one more entry for where the last whole batch ends. */
  readonly offsets: number[]
  /** What is wrong with rows, by sequence. */
  readonly problems: Map<number, string>
  /** The place of the next row: its number, and the hash before it. */
  readonly next: RowPlace
  /** The very bytes that were checked, row by row, where they were to be kept. */
  readonly rows: Buffer[]
  /** The file's length; behind the last offset lies an unfinished write. */
  readonly size: number
}

const lineBreak = 10
const chunkBytes = 4 * 1_024 * 1_024

/** Reads a log from its first byte, checks each row, and finds where the last whole batch ends. */
export async function scanAudit(
  file: StoreFile,
  genesis: string,
  { keepRows = false }: { readonly keepRows?: boolean } = {},
): Promise<AuditScan> {
  const scanner = new Scanner(genesis, keepRows)
  const { size } = await file.stat()
  let rest: Buffer = Buffer.alloc(0)
  let position = 0
  while (position < size) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - position))
    // oxlint-disable-next-line no-await-in-loop -- one chunk after the other keeps memory bounded
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) break
    const bytes = chunk.subarray(0, bytesRead)
    const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    rest = scanner.take(joined, position - rest.length)
    position += bytesRead
  }
  return scanner.finish(position)
}

interface OpenRow {
  readonly end: number
  readonly next: RowPlace
  readonly problem?: string
  /** The row is broken and holds bytes that never reached the disk. */
  readonly zeros: boolean
}

class Scanner {
  readonly #offsets: number[] = [0]
  readonly #problems = new Map<number, string>()
  #next: RowPlace
  /** Rows since the last end of a batch: not committed until their batch ends. */
  #open: OpenRow[] = []
  #lastBatch: { rows: number; nextBefore: RowPlace; zeros: boolean } | undefined

  readonly #keepRows: boolean
  readonly #rows: Buffer[] = []

  constructor(genesis: string, keepRows: boolean) {
    this.#next = { sequence: 1, previous: genesis }
    this.#keepRows = keepRows
  }

  /** Takes all whole lines of some bytes that start at `base`; gives what is left. */
  take(bytes: Buffer, base: number): Buffer {
    let start = 0
    for (;;) {
      const end = bytes.indexOf(lineBreak, start)
      if (end === -1) return bytes.subarray(start)
      this.#takeLine(bytes.subarray(start, end), base + end + 1)
      start = end + 1
    }
  }

  #takeLine(line: Buffer, end: number): void {
    const { next, problem } = checkRow(line, this.#open.at(-1)?.next ?? this.#next)
    const zeros = problem !== undefined && line.includes(0)
    if (this.#keepRows) this.#rows.push(line)
    this.#open.push({ end, next, zeros, ...(problem === undefined ? {} : { problem }) })
    // Without the form of a row nothing can be said about the batch. What follows decides.
    if (hasRowShape(line) && isBatchEnd(line)) this.#commit()
  }

  #commit(): void {
    const zeros = this.#open.some((row) => row.zeros)
    this.#lastBatch = { rows: this.#open.length, nextBefore: this.#next, zeros }
    for (const row of this.#open) {
      if (row.problem !== undefined) this.#problems.set(this.#offsets.length, row.problem)
      this.#offsets.push(row.end)
      this.#next = row.next
    }
    this.#open = []
  }

  finish(size: number): AuditScan {
    // A power cut can leave zeros where a page was not written yet. The last batch was then never acknowledged.
    if (this.#lastBatch?.zeros === true) {
      const { nextBefore, rows } = this.#lastBatch
      this.#offsets.length -= rows
      this.#next = nextBefore
      for (const sequence of this.#problems.keys())
        if (sequence >= this.#offsets.length) this.#problems.delete(sequence)
    }
    this.#rows.length = Math.min(this.#rows.length, this.#offsets.length - 1)
    return {
      offsets: this.#offsets,
      problems: this.#problems,
      next: this.#next,
      rows: this.#rows,
      size,
    }
  }
}
