import { logError } from './log-error.ts'
import { isCallId, isLogTime } from './start-check.ts'

/** Where a page ended: the last call's start and id. */
export interface CallPosition {
  readonly startedAt: number
  readonly callId: string
}

/** Writes a position as a cursor: opaque to callers, stable while rows are added. */
export function writeCursor({ startedAt, callId }: CallPosition): string {
  return `${startedAt}_${callId}`
}

/** Reads a cursor. */
export function readCursor(cursor: string): CallPosition {
  const split = cursor.indexOf('_')
  const startedAt = split > 0 ? Number(cursor.slice(0, split)) : Number.NaN
  const callId = cursor.slice(split + 1)
  if (!isLogTime(startedAt) || !isCallId(callId))
    throw logError(
      'LOG_QUERY_INVALID',
      `Field cursor must be the nextCursor of a page before, and is "${cursor.slice(0, 100)}".`,
      { data: { field: 'cursor' } },
    )
  return { startedAt, callId }
}
