import { type Principal, principalKey } from '@toolcrib/registry'
import { factoryError } from '../error-catalogue.ts'

/** Who may have a workflow written: one at a time for each principal, and a bounded number for all. */
export class GenerationPlaces {
  readonly #most: number
  readonly #taken = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  /**
   * Does the work while holding a place. Nobody waits for one: a model that is asked costs money, and whoever asks twice has
   * mostly lost patience.
   *
   * @throws {ToolError} WORKFLOW_MODEL_BUSY when there is none.
   */
  async hold<Value>(principal: Principal, work: () => Promise<Value>): Promise<Value> {
    const key = principalKey(principal)
    const isOwn = this.#taken.has(key)
    if (isOwn || this.#taken.size >= this.#most)
      throw factoryError(
        'WORKFLOW_MODEL_BUSY',
        isOwn
          ? 'A workflow is being written for you already. Wait for that answer.'
          : `${this.#most} workflows are being written already, and no more at once. Try again in a minute.`,
      )
    this.#taken.add(key)
    try {
      return await work()
    } finally {
      this.#taken.delete(key)
    }
  }
}
