import type { ToolCallStart } from '@toolcrib/registry'

/** What a terminal row repeats of its call's start. */
export interface OpenCall {
  readonly startedAt: number
  readonly traceId: string | undefined
  readonly parentCallId: string | undefined
  readonly sessionId: string | undefined
}

/** Beyond this many the oldest are forgotten; the database still knows them. */
const maxOpenCalls = 100_000

/** The calls of this host that have started and not ended. */
export class OpenCalls {
  readonly #calls: Map<string, OpenCall> = new Map()

  /** Takes note of a start. */
  add({ callId, startedAt, traceId, parentCallId, sessionId }: ToolCallStart): void {
    // The id of a call that is open already is refused when it is written.
    if (this.#calls.has(callId)) return
    if (this.#calls.size >= maxOpenCalls)
      for (const oldest of this.#calls.keys()) {
        this.#calls.delete(oldest)
        break
      }
    this.#calls.set(callId, { startedAt, traceId, parentCallId, sessionId })
  }

  /** Gives what is known of a call, which has ended. */
  take(callId: string): OpenCall | undefined {
    const call = this.#calls.get(callId)
    if (call !== undefined) this.#calls.delete(callId)
    return call
  }

  /** When the oldest of them started; undefined when none is open. */
  oldestStart(): number | undefined {
    let oldest: number | undefined
    for (const { startedAt } of this.#calls.values())
      if (oldest === undefined || startedAt < oldest) oldest = startedAt
    return oldest
  }
}
