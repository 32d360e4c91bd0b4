/** Runs work in the order in which it came, one at a time for each key and a bounded number at once. */
export class KeyedQueue {
  readonly #maxConcurrent: number
  readonly #lastByKey = new Map<string, Promise<unknown>>()
  readonly #waiting: (() => void)[] = []
  #running = 0
  #idle: (() => void)[] = []

  constructor(maxConcurrent: number) {
    this.#maxConcurrent = maxConcurrent
  }

  /** Runs `work` when everything of the same key that came before has ended, however it ended. */
  async run<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#lastByKey.get(key) ?? Promise.resolve()
    const mine = before.then(() => this.#runOne(work))
    const settled = mine.then(
      () => undefined,
      () => undefined,
    )
    this.#lastByKey.set(key, settled)
    try {
      return await mine
    } finally {
      if (this.#lastByKey.get(key) === settled) this.#lastByKey.delete(key)
      if (this.#lastByKey.size === 0) for (const tell of this.#idle.splice(0)) tell()
    }
  }

  /** Waits until nothing runs or waits. */
  async whenIdle(): Promise<void> {
    if (this.#lastByKey.size === 0) return
    await new Promise<void>((resolve) => {
      this.#idle.push(resolve)
    })
  }

  async #runOne<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.#maxConcurrent)
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    else this.#running += 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // The place goes to the next one, so nobody can slip in between.
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
