import { assertOptions } from '@toolcrib/registry'
import {
  type RowPlace,
  checkRow,
  decodeRow,
  encodeRow,
  genesisHash,
  rowHash,
} from './audit-line.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import type { AuditVerification, EventStore, StoredEvent } from './event-store.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import { isLifecycleEvent } from './readable-event.ts'

/** An event store in memory, for tests and for programs that keep nothing. */
export function createMemoryEventStore(options: { readonly namespace?: string } = {}): EventStore {
  assertOptions<typeof options>('createMemoryEventStore', options, { namespace: true })
  return new MemoryEventStore(options.namespace ?? 'default')
}

class MemoryEventStore implements EventStore {
  readonly namespace: string
  readonly #rows: Buffer[] = []
  #head: string
  #closed = false

  constructor(namespace: string) {
    this.namespace = namespace
    this.#head = genesisHash(namespace)
  }

  get sequence(): number {
    return this.#rows.length
  }

  async read(from = 1, to = Infinity): Promise<readonly StoredEvent[]> {
    this.#assertOpen()
    return this.#rows.slice(Math.max(0, from - 1), to).map((row, index) => {
      const event = decodeRow(row)
      const sequence = Math.max(1, from) + index
      return isLifecycleEvent(event)
        ? { sequence, event }
        : { sequence, problem: 'the row does not hold an event' }
    })
  }

  async append(events: readonly LifecycleEvent[], expectedSequence: number): Promise<number> {
    this.#assertOpen()
    assertExpected(this.sequence, expectedSequence)
    for (const [index, event] of events.entries()) {
      const { line, rowHash: head } = encodeRow({
        sequence: expectedSequence + index + 1,
        previous: this.#head,
        end: index === events.length - 1,
        event,
      })
      this.#rows.push(Buffer.from(line.slice(0, -1)))
      this.#head = head
    }
    return this.sequence
  }

  async hashAt(sequence: number): Promise<string | undefined> {
    this.#assertOpen()
    const row = this.#rows[sequence - 1]
    return row === undefined ? undefined : rowHash(row)
  }

  async verify(): Promise<AuditVerification> {
    this.#assertOpen()
    let place: RowPlace = { sequence: 1, previous: genesisHash(this.namespace) }
    for (const [index, bytes] of this.#rows.entries()) {
      const { next, problem } = checkRow(bytes, place)
      if (problem !== undefined)
        return { ok: false, sequence: index + 1, reason: problem, events: this.sequence }
      place = next
    }
    return { ok: true, events: this.sequence, headHash: this.#head }
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  #assertOpen(): void {
    if (this.#closed) throw toolsmakerError('STORE_CLOSED', 'The event store is closed.')
  }
}

/**
 * Refuses an append that was meant for another end of the log.
 *
 * @throws {ToolError} STORE_CONFLICT when the log ends elsewhere.
 */
export function assertExpected(sequence: number, expectedSequence: number): void {
  if (sequence === expectedSequence) return
  throw toolsmakerError(
    'STORE_CONFLICT',
    `The log ends at ${sequence}, expected ${expectedSequence}. Read what is new and decide again.`,
    { data: { sequence, expectedSequence } },
  )
}
