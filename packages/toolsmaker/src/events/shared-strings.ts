import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'

/** So many different strings are remembered: the next events of a log are mostly about the same version. */
const rememberedStrings = 1_000

const eventFields = ['at', 'name', 'contentHash', 'reportHash', 'fingerprint'] as const
const actorFields = ['id'] as const
const contentFields = ['name', 'kind', 'description', 'owner', 'proposer'] as const
const approvedByFields = ['rule', 'host'] as const
const statementFields = [
  'store',
  'namespace',
  'policyHash',
  'approver',
  'kind',
  'name',
  'contentHash',
  'reportHash',
  'proposer',
  'rule',
] as const

/**
 * Lets what is kept of the events of a log share its equal strings. Read from a file, each would have its own copy of the name, hash,
 * policy and approver that several events of a version say, and what a log says stays in memory for as long as the process runs.
 */
export class SharedStrings {
  readonly #strings = new Map<string, string>()

  /** Replaces strings of an event that was read just now, and belongs to nobody else yet. */
  share(event: LifecycleEvent): LifecycleEvent {
    this.#shareIn(event, eventFields)
    this.#shareIn(event.actor, actorFields)
    if ('content' in event) this.#shareIn(event.content, contentFields)
    if ('approvedBy' in event) this.#shareIn(event.approvedBy, approvedByFields)
    return event
  }

  /** The same for a decision that was opened just now. */
  shareDecision(decision: { readonly statement: unknown; readonly keyId: string }): void {
    this.#shareIn(decision, ['keyId'])
    this.#shareIn(decision.statement, statementFields)
  }

  #shareIn(object: unknown, names: readonly string[]): void {
    if (typeof object !== 'object' || object === null) return
    const fields = object as Record<string, unknown>
    for (const name of names) {
      const value = fields[name]
      if (typeof value === 'string') fields[name] = this.#shared(value)
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
