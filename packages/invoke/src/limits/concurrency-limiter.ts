/** How many calls may run at once. */
export interface ConcurrencyLimits {
  /** All calls together. @default 1_000 */
  readonly maxRunning?: number
  /** Calls of one principal. @default Infinity */
  readonly maxRunningPerOwner?: number
  /** Calls of one tool that names no `maxConcurrent` of its own. @default Infinity */
  readonly maxRunningPerTool?: number
  /** Calls that wait for a free place; one more is refused at once. @default 1_000 */
  readonly maxWaiting?: number
}

/** Somebody who takes a place. */
export interface SlotHolder {
  readonly toolName: string
  readonly ownerKey: string
  /** The tool's own limit, if it has one. */
  readonly toolLimit: number | undefined
  /** A nested call has its place in the whole and with its owner already. */
  readonly needsSharedSlot: boolean
}

interface Waiter {
  readonly holder: SlotHolder
  readonly answer: (granted: boolean) => void
}

/** Hands out places to calls, first come first served, except that nobody waits behind somebody whose tool is busy. */
export class ConcurrencyLimiter {
  readonly #maxRunning: number
  readonly #maxPerOwner: number
  readonly #maxPerTool: number
  readonly #maxWaiting: number
  #running = 0
  readonly #byOwner: Map<string, number> = new Map()
  readonly #byTool: Map<string, number> = new Map()
  #waiters: Waiter[] = []

  constructor({
    maxRunning = 1_000,
    maxRunningPerOwner = Infinity,
    maxRunningPerTool = Infinity,
    maxWaiting = 1_000,
  }: ConcurrencyLimits = {}) {
    this.#maxRunning = maxRunning
    this.#maxPerOwner = maxRunningPerOwner
    this.#maxPerTool = maxRunningPerTool
    this.#maxWaiting = maxWaiting
  }

  /** Takes a place if one is free and nobody who could use it has waited longer. */
  tryAcquire(holder: SlotHolder): boolean {
    if (!this.#hasRoom(holder)) return false
    this.#take(holder)
    return true
  }

  /** Tells whether a holder's tool has a limit of its own, so that holding a place may keep others waiting. */
  isLimited(holder: SlotHolder): boolean {
    return this.#toolLimit(holder) !== Infinity
  }

  /** Waits for a place; `undefined` when too many wait already. Resolves to `false` after {@link leave}. */
  wait(holder: SlotHolder): Promise<boolean> | undefined {
    if (this.#waiters.length >= this.#maxWaiting) return undefined
    return new Promise((answer) => {
      this.#waiters.push({ holder, answer })
    })
  }

  /** Stops waiting. */
  leave(holder: SlotHolder): void {
    const at = this.#waiters.findIndex((waiter) => waiter.holder === holder)
    if (at === -1) return
    const [waiter] = this.#waiters.splice(at, 1)
    waiter?.answer(false)
  }

  /** Gives a place back and lets in who can use it. */
  release(holder: SlotHolder): void {
    if (holder.needsSharedSlot) {
      this.#running -= 1
      if (this.#maxPerOwner !== Infinity) lower(this.#byOwner, holder.ownerKey)
    }
    if (this.#toolLimit(holder) !== Infinity) lower(this.#byTool, holder.toolName)
    if (this.#waiters.length > 0) this.#letIn()
  }

  #letIn(): void {
    const stillWaiting: Waiter[] = []
    for (const waiter of this.#waiters) {
      if (this.#hasRoom(waiter.holder)) {
        this.#take(waiter.holder)
        waiter.answer(true)
      } else stillWaiting.push(waiter)
    }
    this.#waiters = stillWaiting
  }

  #hasRoom(holder: SlotHolder): boolean {
    if (holder.needsSharedSlot) {
      if (this.#running >= this.#maxRunning) return false
      if (
        this.#maxPerOwner !== Infinity &&
        count(this.#byOwner, holder.ownerKey) >= this.#maxPerOwner
      )
        return false
    }
    const limit = this.#toolLimit(holder)
    return limit === Infinity || count(this.#byTool, holder.toolName) < limit
  }

  #take(holder: SlotHolder): void {
    if (holder.needsSharedSlot) {
      this.#running += 1
      if (this.#maxPerOwner !== Infinity)
        this.#byOwner.set(holder.ownerKey, count(this.#byOwner, holder.ownerKey) + 1)
    }
    if (this.#toolLimit(holder) !== Infinity)
      this.#byTool.set(holder.toolName, count(this.#byTool, holder.toolName) + 1)
  }

  #toolLimit(holder: SlotHolder): number {
    return holder.toolLimit ?? this.#maxPerTool
  }
}

function count(counts: ReadonlyMap<string, number>, key: string): number {
  return counts.get(key) ?? 0
}

function lower(counts: Map<string, number>, key: string): void {
  const left = count(counts, key) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
