import type { StoredEvent } from './event-store.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LifecycleEventType } from '../lifecycle/lifecycle-event.ts'

/** Which events are wanted. */
export interface EventQuery {
  /** Events about this tool, also one that was not made here. */
  readonly name?: string
  readonly type?: LifecycleEventType
  /** The latest so many. @default 100 */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** How many events are read at once. */
const blockSize = 1_000

/** The latest events that fit, oldest first. A row that cannot be read fits every query: nobody should overlook it. */
export async function listEvents(
  { store }: LifecycleEngine,
  { name, type, limit = 100, signal }: EventQuery,
): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = []
  for (let to = store.sequence; to > 0 && found.length < limit; to -= blockSize) {
    signal?.throwIfAborted()
    // oxlint-disable-next-line no-await-in-loop -- the next block is read only if this one did not give enough
    const block = await store.read(Math.max(1, to - blockSize + 1), to)
    const fitting = block.filter(({ event }) => {
      if (event === undefined) return true
      const isAbout = name === undefined || ('name' in event && event.name === name)
      return isAbout && (type === undefined || event.type === type)
    })
    found.unshift(...fitting.slice(-(limit - found.length)))
  }
  return found
}
