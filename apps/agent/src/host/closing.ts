import type { Logger } from '@toolcrib/registry'

interface Step {
  readonly what: string
  readonly close: () => unknown
}

/** What was opened, in order, so that it can be closed in the opposite order, each step whatever the others do. */
export class ClosingOrder {
  readonly #steps: Step[] = []
  readonly #logger: Logger
  #closed: Promise<void> | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Remembers how to close what was just opened. */
  add(what: string, close: Step['close']): void {
    this.#steps.push({ what, close })
  }

  /** Closes everything, last opened first. Called again it waits for the first call. */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll()
    return this.#closed
  }

  async #closeAll(): Promise<void> {
    for (const { what, close } of this.#steps.toReversed()) {
      try {
        await close()
      } catch (error) {
        this.#logger.error({ error, what }, `Could not close ${what}`)
      }
    }
  }
}
