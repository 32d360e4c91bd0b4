import type { Logger } from '@toolcrib/registry'
import type { Pool } from 'pg'
import type { CallRow } from './call-row.ts'
import { createGroupWriter } from './group-writer.ts'
import { describeCause, logError } from './log-error.ts'
import { isConnectionLost, withClient } from './pooled-client.ts'
import { flushRows, type RowOutcome } from './row-flush.ts'
import type { RowStatements } from './row-statements.ts'

/** Limits of the writer. */
export interface WriterLimits {
  readonly maxBatch: number
  readonly inflight: number
  readonly writeTimeoutMs: number
  readonly closeTimeoutMs: number
  readonly maxPendingRows: number
  readonly maxPendingBytes: number
}

/** What the writer works with. */
export interface CallWriterOptions {
  readonly pool: Pool
  readonly statements: RowStatements
  readonly copyFrom: number
  readonly limits: WriterLimits
  readonly logger: Logger
  /** Called before start rows go out; rejects when this host must not start calls. */
  readonly assertAlive: () => Promise<void> | undefined
  /** Decides what becomes of a row whose key is there already; gives an error to fail the write with. */
  readonly resolvePresent: (row: CallRow, retried: boolean) => Promise<Error | undefined>
  /** Hears of start rows that failed: they may or may not have been stored. */
  readonly onStartLost: (row: CallRow) => void
  readonly random: () => number
}

/** Writes rows in groups; keeps terminal rows until they are durable. */
export interface CallWriter {
  /** Resolves when the row is durable. */
  write(row: CallRow): Promise<void>
  /** Waits for what is pending, for a bounded time; the rest is rejected. */
  close(): Promise<void>
}

interface Entry {
  readonly row: CallRow
  retried: boolean
  /** It went out to the server, so that an error does not prove that it is not stored. */
  sent: boolean
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

const maxBatchBytes = 8_388_608
const firstBackoffMs = 50
const lastBackoffMs = 5000

/** Makes the writer of one log. */
export function createCallWriter(options: CallWriterOptions): CallWriter {
  const { limits, logger } = options
  const pending = new Set<Entry>()
  let pendingBytes = 0
  let closed = false
  const drained = Promise.withResolvers<void>()

  const finish = (entry: Entry, error?: Error): void => {
    if (!pending.delete(entry)) return
    pendingBytes -= entry.row.bytes
    if (error === undefined) entry.resolve()
    else entry.reject(error)
    if (closed && pending.size === 0) drained.resolve()
  }
  const lose = (entry: Entry, error: Error): void => {
    if (entry.row.kind === 's') options.onStartLost(entry.row)
    finish(entry, error)
  }
  const retries = createRetryList(options.random, (entry) => group.add(entry))
  const settle = (entry: Entry, outcome: RowOutcome): void => {
    if (outcome.kind === 'written') finish(entry)
    else if (outcome.kind === 'refused') lose(entry, writeFailed(entry.row, outcome.error, 'no'))
    else
      void options.resolvePresent(entry.row, entry.retried).then(
        (error) => finish(entry, error),
        (error: unknown) => fail(entry, error),
      )
  }
  /** A call that has not started can be refused; one that has ended must be told, however long it takes. */
  const fail = (entry: Entry, error: unknown): void => {
    if (!pending.has(entry)) return
    if (entry.row.kind === 's')
      lose(entry, writeFailed(entry.row, error, entry.sent ? 'unknown' : 'no'))
    else retries.add(entry)
  }
  const flushOnce = async (group: readonly Entry[]): Promise<void> => {
    const entries = group.filter((entry) => pending.has(entry))
    if (entries.length === 0) return
    if (entries.some(({ row }) => row.kind === 's')) await options.assertAlive()
    await withClient(options.pool, { timeoutMs: limits.writeTimeoutMs }, (client) => {
      for (const entry of entries) entry.sent = true
      return flushRows(client, entries, { ...options, settle })
    })
  }
  const flush = async (entries: readonly Entry[]): Promise<void> => {
    try {
      await retryLostConnection(flushOnce, entries)
      retries.release()
    } catch (error) {
      const unsettled = entries.filter((entry) => pending.has(entry))
      logger.warn({ err: error, rows: unsettled.length }, 'Rows of the call log were not written.')
      for (const entry of unsettled) fail(entry, error)
    }
  }
  const group = createGroupWriter<Entry>({
    flush,
    maxBatch: limits.maxBatch,
    inflight: limits.inflight,
    maxBatchBytes,
    sizeOf: ({ row }) => row.bytes,
  })

  return {
    write: (row) => {
      if (closed)
        return Promise.reject(
          logError('LOG_CLOSED', 'The call log is closed and takes no more rows.'),
        )
      if (
        pending.size >= limits.maxPendingRows ||
        pendingBytes + row.bytes > limits.maxPendingBytes
      ) {
        if (row.kind === 's') options.onStartLost(row)
        return Promise.reject(queueFull(row, pending.size, limits))
      }
      return new Promise((resolve, reject) => {
        const entry: Entry = { row, retried: false, sent: false, resolve, reject }
        pending.add(entry)
        pendingBytes += row.bytes
        group.add(entry)
      })
    },
    close: async () => {
      closed = true
      if (pending.size > 0) await waitFor(drained.promise, limits.closeTimeoutMs)
      retries.stop()
      for (const entry of pending) finish(entry, closedEarly(entry.row))
    },
  }
}

/** A connection can have died while it lay in the pool: what fails at once on it is tried once more on a fresh one. */
async function retryLostConnection(
  flush: (entries: readonly Entry[]) => Promise<void>,
  entries: readonly Entry[],
): Promise<void> {
  const startedAt = performance.now()
  try {
    await flush(entries)
  } catch (error) {
    if (!isConnectionLost(error) || performance.now() - startedAt > 1000) throw error
    for (const entry of entries) entry.retried = true
    await flush(entries)
  }
}

/** Rows that wait for the database to come back. */
interface RetryList {
  add(entry: Entry): void
  /** Sends everything out now: the database answers. */
  release(): void
  stop(): void
}

function createRetryList(random: () => number, send: (entry: Entry) => void): RetryList {
  let waiting: Entry[] = []
  let backoffMs = firstBackoffMs
  let timer: NodeJS.Timeout | undefined
  const sendAll = (): void => {
    clearTimeout(timer)
    timer = undefined
    const entries = waiting
    waiting = []
    for (const entry of entries) send(entry)
  }
  return {
    add: (entry) => {
      entry.retried = true
      waiting.push(entry)
      if (timer !== undefined) return
      timer = setTimeout(sendAll, backoffMs * (0.5 + random() / 2))
      backoffMs = Math.min(backoffMs * 2, lastBackoffMs)
    },
    release: () => {
      backoffMs = firstBackoffMs
      if (waiting.length > 0) sendAll()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Waits for a promise that never rejects, but no longer than that. */
async function waitFor(promise: Promise<void>, timeoutMs: number): Promise<void> {
  const elapsed = Promise.withResolvers<void>()
  const timer = setTimeout(elapsed.resolve, timeoutMs)
  await Promise.race([promise, elapsed.promise])
  clearTimeout(timer)
}

const rowNames = { s: 'start', e: 'terminal', l: 'late' } as const

/** `stored` says whether the row may be in the database all the same: `no` or `unknown`. */
function writeFailed(row: CallRow, cause: unknown, stored: 'no' | 'unknown'): Error {
  const advice =
    row.kind === 's' ? 'The tool must not run on it; check the database.' : 'Check the database.'
  return logError(
    'LOG_WRITE_FAILED',
    `The ${rowNames[row.kind]} row of call ${row.callId} could not be made durable: ${describeCause(cause)}. ${advice}`,
    { cause, data: { callId: row.callId, row: rowNames[row.kind], stored } },
  )
}

function queueFull(row: CallRow, rows: number, limits: WriterLimits): Error {
  return logError(
    'LOG_QUEUE_FULL',
    `The ${rowNames[row.kind]} row of call ${row.callId} was not taken: ${rows} rows wait for the database, and at most ${limits.maxPendingRows} rows or ${limits.maxPendingBytes} bytes may. Check the database, or raise maxPendingRows or maxPendingBytes.`,
    { data: { callId: row.callId, row: rowNames[row.kind], stored: 'no', pendingRows: rows } },
  )
}

function closedEarly(row: CallRow): Error {
  return logError(
    'LOG_CLOSED',
    `The log was closed before the ${rowNames[row.kind]} row of call ${row.callId} was durable.`,
    { data: { callId: row.callId, row: rowNames[row.kind] } },
  )
}
