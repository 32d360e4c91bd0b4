import { createMemoryCallLog } from '@toolcrib/call-log/memory'
import type { CallLog } from '@toolcrib/registry'

/** A row that a call log writes. */
export type LogRow = 'start' | 'complete' | 'failure' | 'late'

/** A call log that can be made to fail or to hang while a test runs. */
export interface UnreliableCallLog extends CallLog {
  /** From now on these rows are refused; without names, all are. */
  fail(...rows: readonly LogRow[]): void
  /** From now on these rows are never answered; without names, none is answered. */
  hang(...rows: readonly LogRow[]): void
  /** From now on every row is written again. Rows that hang stay so. */
  recover(): void
}

const everyRow: readonly LogRow[] = ['start', 'complete', 'failure', 'late']

/** Makes a call log that works until it is told otherwise, to test what a program does when its log is gone. */
export function createUnreliableCallLog(log: CallLog = createMemoryCallLog()): UnreliableCallLog {
  const failing = new Set<LogRow>()
  const hanging = new Set<LogRow>()
  const guard = (row: LogRow, write: () => Promise<void>): Promise<void> => {
    if (hanging.has(row)) return new Promise(() => undefined)
    if (failing.has(row))
      return Promise.reject(new Error(`The ${row} row was refused by the test.`))
    return write()
  }
  return {
    logToolStart: (call) => guard('start', () => log.logToolStart(call)),
    logToolComplete: (end) => guard('complete', () => log.logToolComplete(end)),
    logToolFailure: (end) => guard('failure', () => log.logToolFailure(end)),
    logToolLate: (late) => guard('late', () => log.logToolLate(late)),
    query: (query) => log.query(query),
    get: (callId) => log.get(callId),
    readOutput: (callId) => log.readOutput(callId),
    statistics: (query) => log.statistics(query),
    close: () => log.close(),
    fail: (...rows) => addAll(failing, rows),
    hang: (...rows) => addAll(hanging, rows),
    recover: () => {
      failing.clear()
      hanging.clear()
    },
  }
}

function addAll(set: Set<LogRow>, rows: readonly LogRow[]): void {
  for (const row of rows.length > 0 ? rows : everyRow) set.add(row)
}
