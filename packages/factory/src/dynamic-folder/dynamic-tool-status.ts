import type { ToolStatus } from '@toolcrib/toolsmaker'

/** How one file of the dynamic folder stands. */
export interface DynamicToolStatus {
  /** Its name in the folder. */
  readonly file: string
  /** Absent where the file's name does not say it. */
  readonly agentId?: string
  readonly toolName?: string
  /**
   * `pending`: it changed, and is about to be read. `loaded`: what it says is on record as a proposal; `lifecycleStatus` says whether
   * it can be called. `failed`: `reason` says why.
   */
  readonly status: 'pending' | 'loaded' | 'failed'
  /** Why it failed, or why it cannot be called. */
  readonly reason?: string
  /** Which version of the tool it is. */
  readonly version?: number
  /** How that version stands now. */
  readonly lifecycleStatus?: ToolStatus
  /** SHA-256 of the bytes that were read, 64 hexadecimal digits. */
  readonly contentHash?: string
}

/** What a listener is told. */
export interface DynamicToolChange {
  readonly file: string
  /** Absent when the file is gone. */
  readonly status?: DynamicToolStatus
}

/** Hears of changes. */
export type DynamicToolListener = (change: DynamicToolChange) => void
