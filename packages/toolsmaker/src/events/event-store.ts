import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'

/** An event and its place in the log. */
export interface StoredEvent {
  /** Counts from 1 without gaps. */
  readonly sequence: number
  /** Absent when the row cannot be read as an event. */
  readonly event?: LifecycleEvent
  /** What is wrong with the row; absent when its hash and its place in the chain are right. */
  readonly problem?: string
}

/** Whether a log is whole. */
export type AuditVerification =
  | {
      readonly ok: true
      /** How many events the log holds. */
      readonly events: number
      /** Hash of the last event, 64 hexadecimal digits; for an empty log the hash of its namespace. */
      readonly headHash: string
    }
  | {
      readonly ok: false
      /** The first row that is wrong. */
      readonly sequence: number
      readonly reason: string
      readonly events: number
    }

/** What was found and mended when a store was opened. */
export interface StoreRecovery {
  /** How much of an unfinished write was cut off, in bytes. */
  readonly bytes: number
  /** The file in which the cut part is kept. */
  readonly keptAs: string
}

/** An append-only, hash-chained log of one namespace. */
export interface EventStore {
  readonly namespace: string
  /** The folder beside which projections are written; absent where there are none. */
  readonly directory?: string
  /** What was mended when it was opened. */
  readonly recovery?: StoreRecovery
  /** Sequence of the last event; 0 for an empty log. */
  readonly sequence: number
  /** The events from `from` to `to`, both included. @default all */
  read(from?: number, to?: number): Promise<readonly StoredEvent[]>
  /**
   * Adds events, all or none, if the log ends at `expectedSequence`. Resolves with the new end when they are durable.
   *
   * @throws {ToolError} STORE_CONFLICT when the log ends elsewhere.
   * @throws {ToolError} EVENT_TOO_LARGE when an event is larger than the store accepts.
   * @throws {ToolError} STORE_FULL or STORE_WRITE_FAILED when it cannot be written; the log is as it was.
   * @throws {ToolError} STORE_CLOSED after `close()`.
   */
  append(events: readonly LifecycleEvent[], expectedSequence: number): Promise<number>
  /** The hash of a row, as it stands there; `undefined` when there is no such row. */
  hashAt(sequence: number): Promise<string | undefined>
  /** Reads the whole log again and checks every hash. */
  verify(): Promise<AuditVerification>
  close(): Promise<void>
}
