import { type Principal, principalKey } from '@toolcrib/registry'
import type { LifecycleEvent, Toolsmaker } from '@toolcrib/toolsmaker'

/** For room that comes later than this, in milliseconds, no file waits: a decision may make it long before. */
const longestWaitMs = 600_000
/** So many files are tried again when there may be room for one. */
const mostTriedAgain = 5

/** What makes room for another proposal of the same owner. */
const roomMakers: ReadonlySet<string> = new Set([
  'tool_approved',
  'tool_rejected',
  'tool_withdrawn',
  'tool_expired',
  'tool_deactivated',
  'tool_revoked',
])

/** Whose quota it is, and when there may be room; `null` where time does not make any. */
export interface OverQuota {
  readonly owner: Principal
  readonly retryAfterMs: number | null
}

/** What waiting for room needs. */
export interface WaitingForRoomOptions {
  readonly toolsmaker: Pick<Toolsmaker, 'listVersions'>
  /** Has a file looked at again. */
  readonly retry: (file: string) => void
}

/** Files of owners that are over a quota. Each is tried again after the time that was said, or when something makes room. */
export class WaitingForRoom {
  readonly #options: WaitingForRoomOptions
  readonly #files = new Map<
    string,
    { readonly owner: string; readonly timer: NodeJS.Timeout | undefined }
  >()

  /** How often something made room. */
  #roomsMade = 0

  constructor(options: WaitingForRoomOptions) {
    this.#options = options
  }

  /** A file is looked at again; gives the moment, to be handed over where it finds no room. */
  begin(file: string): number {
    this.remove(file)
    return this.#roomsMade
  }

  /** A file found no room since a moment. */
  add(file: string, { owner, retryAfterMs }: OverQuota, since: number): void {
    this.remove(file)
    // Room may have been made while it was looked at, and nobody tells of that again.
    const waitMs = since === this.#roomsMade ? retryAfterMs : 0
    const isSoon = waitMs !== null && waitMs <= longestWaitMs
    const timer = isSoon ? setTimeout(() => this.#retry(file), waitMs) : undefined
    this.#files.set(file, { owner: principalKey(owner), timer })
  }

  /** It is gone. */
  remove(file: string): void {
    clearTimeout(this.#files.get(file)?.timer)
    this.#files.delete(file)
  }

  clear(): void {
    for (const file of this.#files.keys()) this.remove(file)
  }

  /** Something happened to a version: it may have made room for other files of its owner. */
  follow(event: LifecycleEvent): void {
    if (!roomMakers.has(event.type)) return
    this.#roomsMade += 1
    if (this.#files.size === 0 || !('version' in event) || event.version === undefined) return
    const { name, version } = event
    const versions = this.#options.toolsmaker.listVersions(name)
    const owner = versions.find((each) => each.version === version)?.owner
    const waiting = [...this.#files].filter(([, entry]) => entry.owner === owner)
    for (const [file] of waiting.slice(0, mostTriedAgain)) this.#retry(file)
  }

  #retry(file: string): void {
    this.remove(file)
    this.#options.retry(file)
  }
}
