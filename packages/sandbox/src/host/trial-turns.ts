/**
 * Gives owners turns with trials: one trial of each owner at a time, a bounded number of owners at once, and whoever has had a turn
 * goes behind all others that wait. So nobody waits behind more than one trial of each other owner.
 */
export class TrialTurns {
  readonly #places: number
  readonly #maxWaiting: number
  readonly #running = new Set<string>()
  /** By owner; the owner whose turn comes next is the first. */
  readonly #waiting = new Map<string, Set<() => void>>()
  #count = 0

  constructor(places: number, maxWaiting: number) {
    this.#places = places
    this.#maxWaiting = maxWaiting
  }

  /** How many trials wait. */
  get waiting(): number {
    return this.#count
  }

  /**
   * Takes a turn, when it comes; {@link end} gives it back.
   *
   * @returns whether it came: not where too many wait already, or `signal` aborted first
   */
  async take(owner: string, signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) return false
    if (this.#running.size < this.#places && !this.#running.has(owner)) {
      this.#running.add(owner)
      return true
    }
    if (this.#count >= this.#maxWaiting) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const start = (): void => {
      signal?.removeEventListener('abort', giveUp)
      resolve(true)
    }
    const giveUp = (): void => {
      this.#remove(owner, start)
      resolve(false)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    const line = this.#waiting.get(owner) ?? new Set()
    this.#waiting.set(owner, line.add(start))
    this.#count += 1
    return promise
  }

  end(owner: string): void {
    this.#running.delete(owner)
    this.#putLast(owner)
    for (const [next, line] of this.#waiting) {
      if (this.#running.has(next)) continue
      const [start] = line
      if (start === undefined) continue
      this.#remove(next, start)
      this.#running.add(next)
      start()
      return
    }
  }

  #putLast(owner: string): void {
    const line = this.#waiting.get(owner)
    if (line === undefined) return
    this.#waiting.delete(owner)
    this.#waiting.set(owner, line)
  }

  #remove(owner: string, start: () => void): void {
    const line = this.#waiting.get(owner)
    if (line?.delete(start) !== true) return
    this.#count -= 1
    if (line.size === 0) this.#waiting.delete(owner)
  }
}
