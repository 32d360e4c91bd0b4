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

  constructor(options: WaitingForRoomOptions) {
    this.#options = options
  }

  /** A file found no room. `retryAfterMs` is `null` where time does not make any. */
  add(file: string, owner: Principal, retryAfterMs: number | null): void {
    this.remove(file)
    const isSoon = retryAfterMs !== null && retryAfterMs <= longestWaitMs
    const timer = isSoon ? setTimeout(() => this.#retry(file), retryAfterMs) : undefined
    this.#files.set(file, { owner: principalKey(owner), timer })
  }

  /** It is looked at again anyhow, or is gone. */
  remove(file: string): void {
    clearTimeout(this.#files.get(file)?.timer)
    this.#files.delete(file)
  }

  clear(): void {
    for (const file of this.#files.keys()) this.remove(file)
  }

  /** Something happened to a version: it may have made room for other files of its owner. */
  follow(event: LifecycleEvent): void {
    if (this.#files.size === 0 || !roomMakers.has(event.type)) return
    if (!('version' in event) || event.version === undefined) return
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
