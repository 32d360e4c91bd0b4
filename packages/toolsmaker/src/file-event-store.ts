import type { Logger } from '@toolcrib/registry'
import type { EventStore } from './event-store.ts'

/** How to open a file store. */
export interface FileEventStoreOptions {
  /** Holds `audit.jsonl` and the readable files; made where missing. */
  readonly directory: string
  /** @default 'default' */
  readonly namespace?: string
  /** How large one event may be, in bytes. @default 4_194_304 */
  readonly maxEventBytes?: number
  readonly logger?: Logger
}

/** Opens the log in a folder and takes the folder's lock. */
export async function openFileEventStore(_options: FileEventStoreOptions): Promise<EventStore> {
  throw new Error('not yet')
}
