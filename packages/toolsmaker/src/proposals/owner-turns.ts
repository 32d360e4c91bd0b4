/** After how long the next piece of work of one owner begins beside one that goes on, in milliseconds, where nobody else waits. */
const patienceMs = 250

interface Waiting {
  start(): void
}

interface Lane {
  readonly owner: string
  readonly waiting: Waiting[]
  running: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Gives owners turns: one piece of work of each owner at a time, in the order in which it came; owners take turns, a bounded number
 * of them at once. So nobody waits behind more than one piece of work of each other owner.
 *
 * Work that takes long, such as the question to a server that does not answer, does not keep its owner from other work: where nobody
 * else waits, the next one begins beside it, as long as a place is left for somebody else.
 */
export class OwnerTurns {
  readonly #lanes = new Map<string, Lane>()
  /** Owners whose turn comes, the next one first. */
  readonly #ready = new Set<Lane>()
  readonly #places: number
  #running = 0

  constructor(places: number) {
    this.#places = places
  }

  /**
   * Runs work when its turn comes. `signal` cancels the wait, not the work.
   *
   * @throws the signal's reason when it is aborted before the turn comes; whatever the work throws
   */
  async run<Result>(
    owner: string,
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted()
    const lane = this.#laneOf(owner)
    await this.#turnIn(lane, signal)
    try {
      return await work()
    } finally {
      this.#end(lane)
    }
  }

  #laneOf(owner: string): Lane {
    const known = this.#lanes.get(owner)
    if (known !== undefined) return known
    const lane: Lane = { owner, waiting: [], running: 0, timer: undefined }
    this.#lanes.set(owner, lane)
    return lane
  }

  #turnIn(lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (): void => {
      lane.waiting.splice(lane.waiting.indexOf(entry), 1)
      this.#forgetIdle(lane)
      reject(signal?.reason as Error)
    }
    const entry: Waiting = {
      start: () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      },
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    lane.waiting.push(entry)
    if (lane.running === 0) this.#ready.add(lane)
    else this.#watch(lane)
    this.#startReady()
    return promise
  }

  #startReady(): void {
    for (const lane of this.#ready) {
      if (this.#running >= this.#places) return
      this.#start(lane)
    }
  }

  #start(lane: Lane): void {
    this.#ready.delete(lane)
    const next = lane.waiting.shift()
    if (next === undefined) return
    lane.running += 1
    this.#running += 1
    if (lane.waiting.length > 0) this.#watch(lane)
    next.start()
  }

  #end(lane: Lane): void {
    lane.running -= 1
    this.#running -= 1
    clearTimeout(lane.timer)
    lane.timer = undefined
    if (lane.waiting.length > 0 && lane.running === 0) this.#ready.add(lane)
    else if (lane.waiting.length > 0) this.#watch(lane)
    this.#forgetIdle(lane)
    this.#startReady()
  }

  /** Begins the next one beside what goes on, once that has taken long. */
  #watch(lane: Lane): void {
    lane.timer ??= setTimeout(() => {
      lane.timer = undefined
      if (lane.waiting.length === 0) return
      if (this.#ready.size === 0 && this.#running < this.#places - 1) this.#start(lane)
      else this.#watch(lane)
    }, patienceMs)
  }

  #forgetIdle(lane: Lane): void {
    if (lane.waiting.length > 0 || lane.running > 0) return
    clearTimeout(lane.timer)
    this.#ready.delete(lane)
    this.#lanes.delete(lane.owner)
  }
}
