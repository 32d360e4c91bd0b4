import { type RowPlace, beginsLog, hasRowShape, isBatchEnd } from './audit-line.ts'
import { RowIndex } from './row-index.ts'
import { RowReader } from './row-reader.ts'
import type { StoreFile } from './store-file-system.ts'

/** Where the rows of a log lie. No row of it was checked or is kept. */
export interface FoundRows {
  /** The rows of the whole batches. */
  readonly rows: RowIndex
  /** The file's length; behind the last row lies an unfinished write. */
  readonly size: number
  /** The file is empty, or begins as a log of this namespace does. */
  readonly isLog: boolean
}

const lineBreak = 10
const chunkBytes = 4 * 1_024 * 1_024

/** Reads a log from its first byte, and finds where each row lies and where the last whole batch ends. */
export async function findRows(file: StoreFile, genesis: string): Promise<FoundRows> {
  const rows = new RowIndex()
  const { size } = await file.stat()
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size))
  let isLog = true
  let position = 0
  while (position < size) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk after the other keeps memory bounded
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) break
    const bytes = buffer.subarray(0, bytesRead)
    if (position === 0) isLog = beginsLog(bytes, genesis)
    for (let end = bytes.indexOf(lineBreak); end !== -1; end = bytes.indexOf(lineBreak, end + 1))
      rows.push(position + end + 1)
    position += bytesRead
  }
  if (isLog) await keepWholeBatches(file, rows)
  return { rows, size: position, isLog }
}

/** Forgets the rows behind the last end of a batch: their batch was never acknowledged. */
async function keepWholeBatches(file: StoreFile, rows: RowIndex): Promise<void> {
  let hasZeros = false
  let isInBatch = false
  for (let sequence = rows.count; sequence > 0; sequence -= 1) {
    // oxlint-disable-next-line no-await-in-loop -- the batch at the end, row by row
    const bytes = await readRow(file, rows, sequence)
    const isEnd = hasRowShape(bytes) && isBatchEnd(bytes)
    if (isEnd && isInBatch) {
      // A power cut can leave zeros where a page was not written yet. That batch was never acknowledged either.
      if (hasZeros) rows.truncate(sequence)
      return
    }
    if (isEnd) rows.truncate(sequence)
    isInBatch ||= isEnd
    // Zeros behind the last end of a batch are of an unfinished write.
    hasZeros = isInBatch && (hasZeros || bytes.includes(0))
  }
  // Without the end of a batch, or with zeros in the only one, nothing of it counts.
  if (!isInBatch || hasZeros) rows.truncate(0)
}

async function readRow(file: StoreFile, rows: RowIndex, sequence: number): Promise<Buffer> {
  const start = rows.startOf(sequence)
  const bytes = Buffer.alloc(rows.endOf(sequence) - 1 - start)
  await file.read(bytes, 0, bytes.length, start)
  return bytes
}

/** What reading a whole `audit.jsonl` again gave. */
export interface AuditScan extends FoundRows {
  /** The place of the next row: its number, and the hash before it. */
  readonly next: RowPlace
}

/** Reads a log from its first byte and checks each row. */
export async function scanAudit(file: StoreFile, genesis: string): Promise<AuditScan> {
  const found = await findRows(file, genesis)
  const reader = new RowReader(file, found.rows, genesis)
  return { ...found, next: await reader.checkAll() }
}
