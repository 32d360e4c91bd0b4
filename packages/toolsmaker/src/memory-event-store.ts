import type { EventStore } from './event-store.ts'

/** An event store in memory, for tests and for programs that keep nothing. */
export function createMemoryEventStore(_options: { readonly namespace?: string } = {}): EventStore {
  throw new Error('not yet')
}
