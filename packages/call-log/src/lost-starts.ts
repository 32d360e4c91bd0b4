import type { CallRow } from './call-row.ts'

/** Beyond this many the oldest are forgotten: their calls are then not in the log at all. */
const maxLostStarts = 10_000

/**
 * Start rows that could not be made durable, as far as is known. Their calls were refused, and the row that says so
 * takes its start row along, so that the log has both or neither and never an end without a beginning.
 */
export class LostStarts {
  readonly #rows: Map<string, CallRow> = new Map()
  readonly #invalid: Set<string> = new Set()

  /** Takes note of a start that is no row at all; its call must not have an end either. */
  addInvalid(callId: string): void {
    if (this.#invalid.size >= maxLostStarts) this.#invalid.clear()
    this.#invalid.add(callId)
  }

  /** Tells, once, whether a call's start was no row at all. */
  takeInvalid(callId: string): boolean {
    return this.#invalid.size > 0 && this.#invalid.delete(callId)
  }

  /** Keeps a row; of a large input only the beginning, since nothing ran on it. */
  add(row: CallRow): void {
    if (this.#rows.size >= maxLostStarts)
      for (const oldest of this.#rows.keys()) {
        this.#rows.delete(oldest)
        break
      }
    this.#rows.set(row.callId, { ...row, largeText: undefined })
  }

  /** Gives a row back, once. */
  take(callId: string): CallRow | undefined {
    const row = this.#rows.get(callId)
    if (row !== undefined) this.#rows.delete(callId)
    return row
  }
}
