import type { EventStore, StoredEvent } from '../events/event-store.ts'
import type { LifecycleState } from '../lifecycle/lifecycle-state.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** The event that stopped something. Only a decision that names its hash lifts it. */
export interface Stop {
  readonly sequence: number
  /** Hash of the event's row. */
  readonly eventHash: string
}

/** A version that was deactivated or quarantined, and not activated since. */
export interface StoppedVersion extends Stop {
  readonly name: string
  readonly version: number
  readonly contentHash: string
}

type Subject = Pick<VersionRecord, 'name' | 'version' | 'contentHash'>

/**
 * What is stopped, and by which events: the pause, and every version that is deactivated or quarantined. A checkpoint carries the
 * list, so that a log that loses a stop does not lift it.
 */
export class StopList {
  #pause: Stop | undefined
  readonly #versions = new Map<string, StoppedVersion>()

  /** The event that began the pause in force. */
  get pause(): Stop | undefined {
    return this.#pause
  }

  /** The event that stopped a version, as long as no decision lifted it. */
  of(subject: Subject): Stop | undefined {
    return this.#versions.get(stopKey(subject))
  }

  /** Whether any version of a tool is stopped. */
  hasVersionOf(name: string): boolean {
    for (const stop of this.#versions.values()) if (stop.name === name) return true
    return false
  }

  versions(): readonly StoppedVersion[] {
    return [...this.#versions.values()]
  }

  /** Begins with what a checkpoint carries and what the log says beyond it. */
  async restore(
    carried: { readonly pause: Stop | null; readonly stopped: readonly StoppedVersion[] },
    { state, store }: { readonly state: LifecycleState; readonly store: EventStore },
  ): Promise<void> {
    // None is dropped because of what the log says: an activation that lifts it names it, and is judged by that.
    for (const stop of carried.stopped) this.#versions.set(stopKey(stop), stop)
    // Nor is one exchanged for a later one: who can write the log could have a person lift that instead.
    for (const { versions } of state.tools.values())
      for (const record of versions.values())
        if (record.stoppedAt !== undefined && this.of(record) === undefined)
          await this.#stop(record, record.stoppedAt, store)
    // A pause that the log has lost stays, and no other one takes its place: the caller says what becomes of it.
    const { pause } = state
    this.#pause = carried.pause ?? undefined
    if (this.#pause === undefined && pause !== undefined)
      this.#pause = await stopAt(pause.sequence, store)
  }

  /** Takes up a stop whose event could not be recorded. It counts like any other one, and a decision names it by its hash. */
  add(stop: Stop, subject?: Subject): void {
    if (subject === undefined) this.#pause = stop
    else {
      const { contentHash, name, version } = subject
      this.#versions.set(stopKey(subject), { name, version, contentHash, ...stop })
    }
  }

  /** Takes in events that were just recorded; tells whether they took something away or lifted a stop. */
  async follow(
    events: readonly StoredEvent[],
    { state, store }: { readonly state: LifecycleState; readonly store: EventStore },
  ): Promise<'stopped' | 'lifted' | undefined> {
    let change: 'stopped' | 'lifted' | undefined
    for (const { event, sequence } of events) {
      if (event?.type === 'tools_paused') {
        this.#pause = await stopAt(sequence, store)
        change = 'stopped'
      } else if (event?.type === 'tools_resumed') {
        this.#pause = undefined
        change ??= 'lifted'
      } else if (event?.type === 'tool_deactivated' || event?.type === 'tool_held') {
        const record = state.get(event.name, event.version)
        if (record?.stoppedAt === undefined) continue
        await this.#stop(record, record.stoppedAt, store)
        change = 'stopped'
      } else if (event?.type === 'tool_superseded' || event?.type === 'tool_rejected') {
        // No stop, but a log that loses it would have in use again what was replaced, or waiting what was refused.
        change = 'stopped'
      } else if (event?.type === 'tool_revoked') {
        const record = state.get(event.name, event.version)
        if (record !== undefined && this.#versions.delete(stopKey(record))) change ??= 'lifted'
      } else if (event?.type === 'tool_activated') {
        const record = state.get(event.name, event.version)
        if (record?.stoppedAt !== undefined || record?.status !== 'activated') continue
        if (this.#versions.delete(stopKey(record))) change ??= 'lifted'
      }
    }
    return change
  }

  async #stop(record: VersionRecord, sequence: number, store: EventStore): Promise<void> {
    const key = stopKey(record)
    if ((this.#versions.get(key)?.sequence ?? 0) >= sequence) return
    const { contentHash, name, version } = record
    this.#versions.set(key, { name, version, contentHash, ...(await stopAt(sequence, store)) })
  }
}

async function stopAt(sequence: number, store: EventStore): Promise<Stop> {
  return { sequence, eventHash: (await store.hashAt(sequence)) ?? '' }
}

function stopKey({ contentHash, name, version }: Subject): string {
  return `${name}@${version} ${contentHash}`
}
