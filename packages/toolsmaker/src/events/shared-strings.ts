import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'

/** So many different strings are remembered: the next events of a log are mostly about the same version. */
const rememberedStrings = 1_000
/** Longer ones are hardly ever the same. */
const longestString = 128

/**
 * Lets the events of a log share their equal strings. Read from a file, each would have its own copy of the name, hash, policy and
 * approver that several events of a version say, and what a log says stays in memory for as long as the process runs.
 */
export class SharedStrings {
  readonly #strings = new Map<string, string>()

  /** Replaces strings of an event that was read just now, and belongs to nobody else yet. */
  share(event: LifecycleEvent): LifecycleEvent {
    this.#shareIn(event)
    this.#shareIn(event.actor)
    if ('content' in event) this.#shareIn(event.content)
    if ('approvedBy' in event) this.#shareIn(event.approvedBy)
    if ('decision' in event && event.decision !== undefined) {
      this.#shareIn(event.decision)
      // A log that somebody else wrote may hold anything.
      const signatures: unknown = event.decision.signatures
      if (Array.isArray(signatures)) for (const signature of signatures) this.#shareIn(signature)
    }
    return event
  }

  #shareIn(object: unknown): void {
    if (typeof object !== 'object' || object === null) return
    const fields = object as Record<string, unknown>
    for (const field in fields) {
      const value = fields[field]
      if (typeof value === 'string' && value.length <= longestString)
        fields[field] = this.#shared(value)
    }
  }

  #shared(value: string): string {
    const known = this.#strings.get(value)
    if (known !== undefined) return known
    if (this.#strings.size >= rememberedStrings) this.#strings.clear()
    this.#strings.set(value, value)
    return value
  }
}
