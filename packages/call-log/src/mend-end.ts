import type { ToolCallEnd } from '@toolcrib/registry'
import { isLogTime } from './start-check.ts'

/** A row of a call that has happened is never refused for its numbers; they are put in range. */
export function mendEnd<Row extends ToolCallEnd>(row: Row, now: () => number): Row {
  if (isLogTime(row.endedAt) && row.durationMs >= 0 && row.durationMs < Infinity) return row
  return {
    ...row,
    endedAt: isLogTime(row.endedAt) ? row.endedAt : now(),
    durationMs: row.durationMs >= 0 && row.durationMs < Infinity ? row.durationMs : 0,
  }
}
