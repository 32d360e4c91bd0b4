import type { EventStore, StoredEvent } from './event-store.ts'

const chunk = 200

/**
 * Reads the rows at the end of a log that were written since a moment, in milliseconds since the epoch, oldest first. It goes back from
 * the end to the first row that is older, whatever earlier rows say: a clock may have been wrong then.
 */
export async function readSince(
  store: Pick<EventStore, 'read'>,
  { end, since }: { readonly end: number; readonly since: number },
): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = []
  for (let to = end; to > 0; to -= chunk) {
    // oxlint-disable-next-line no-await-in-loop -- most often it ends in the first one
    const rows = await store.read(Math.max(1, to - chunk + 1), to)
    const older = rows.findLastIndex(
      ({ event }) => event !== undefined && Date.parse(event.at) < since,
    )
    found.unshift(...rows.slice(older + 1))
    if (older >= 0) break
  }
  return found
}
