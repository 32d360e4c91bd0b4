import { toolsmakerError } from '../error-catalogue.ts'

/** Runs commands one at a time, in the order in which they came. */
export class CommandQueue {
  #last: Promise<unknown> = Promise.resolve()
  #closed = false

  /**
   * Runs a command when those before it are done. `signal` cancels the wait for its turn, not the command.
   *
   * @throws {ToolError} STORE_CLOSED after `close()`.
   */
  run<Result>(command: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#closed) return Promise.reject(closed())
    const result = this.#last.then(() => {
      signal?.throwIfAborted()
      return command()
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  /** @throws {ToolError} STORE_CLOSED after `close()`. */
  assertOpen(): void {
    if (this.#closed) throw closed()
  }

  /** Takes no more commands; resolves when those that came before are done. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#last
  }
}

function closed(): Error {
  return toolsmakerError('STORE_CLOSED', 'The toolsmaker is closed.')
}
