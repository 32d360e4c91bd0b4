import type { Actor } from '../lifecycle/lifecycle-event.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** What one owner has on record. */
export interface Usage {
  /** When each request for a person's decision runs out, in milliseconds since the epoch, by name and version. */
  readonly pending: ReadonlyMap<string, number>
  /** The names of its tools in use. */
  readonly live: ReadonlySet<string>
  /** Its versions that are deactivated or quarantined, by name and version. */
  readonly stopped: ReadonlySet<string>
  /** What its versions hold, in bytes. */
  readonly bytes: number
}

interface Tally {
  readonly pending: Map<string, number>
  readonly live: Set<string>
  readonly stopped: Set<string>
  bytes: number
  /** Versions that were not measured yet: most owners never propose again, and need not be. */
  unmeasured: VersionRecord['content'][]
}

const none: Usage = { pending: new Map(), live: new Set(), stopped: new Set(), bytes: 0 }

/** What every owner has on record: kept as the log is folded in, so that no proposal has to go through the tools. */
export class OwnerUsage {
  readonly #tallies = new Map<string, Tally>()

  /** What an owner has. */
  of(owner: string): Usage {
    const tally = this.#tallies.get(owner)
    if (tally === undefined) return none
    for (const content of tally.unmeasured) tally.bytes += measure(content)
    tally.unmeasured = []
    return tally
  }

  /** Takes in how one version changed. What somebody proposes counts as theirs, also as a version of another owner's tool. */
  follow(before: VersionRecord | undefined, after: VersionRecord): void {
    const { content, name, pendingExpiresAt = Infinity, status, version } = after
    const hasNewContent = content !== undefined && before?.content === undefined
    if (status === before?.status && !hasNewContent) return
    const tally = this.#tallyOf(after.createdBy)
    if (hasNewContent) tally.unmeasured.push(content)
    if (status === before?.status) return
    const key = (): string => `${name}@${version}`
    if (status === 'approval_required') tally.pending.set(key(), pendingExpiresAt)
    else if (before?.status === 'approval_required') tally.pending.delete(key())
    if (status === 'deactivated') tally.stopped.add(key())
    else if (before?.status === 'deactivated') tally.stopped.delete(key())
    if (status === 'activated') tally.live.add(name)
    else if (before?.status === 'activated') tally.live.delete(name)
  }

  /** Takes in that an upgrade of the log put a version out of use. That it waits is not its owner's doing, and counts for nothing. */
  lapse({ createdBy, name, version }: VersionRecord): void {
    const { live, stopped } = this.#tallyOf(createdBy)
    live.delete(name)
    stopped.delete(`${name}@${version}`)
  }

  #tallyOf({ id, kind }: Actor): Tally {
    const owner = `${kind}:${id}`
    const known = this.#tallies.get(owner)
    if (known !== undefined) return known
    const tally: Tally = {
      pending: new Map(),
      live: new Set(),
      stopped: new Set(),
      bytes: 0,
      unmeasured: [],
    }
    this.#tallies.set(owner, tally)
    return tally
  }
}

/** The bytes of a content, as JSON in UTF-8. */
export function measure(content: VersionRecord['content']): number {
  return content === undefined ? 0 : Buffer.byteLength(JSON.stringify(content))
}
