import { ToolError, type ToolResult } from '@toolcrib/registry'

/** The calls that one tool makes. None outlives it: its place is given back then, and they would run without one. */
export class NestedCalls {
  readonly #controller: AbortController
  readonly #callerName: string
  #running = 0
  #isLeftRunning = false

  constructor(controller: AbortController, callerName: string) {
    this.#controller = controller
    this.#callerName = callerName
  }

  /** Whether one of them was told to stop and may go on. Its caller has ended then, and what it began has not. */
  get isLeftRunning(): boolean {
    return this.#isLeftRunning
  }

  /** Counts a call until it ends. */
  async follow(call: Promise<ToolResult>): Promise<ToolResult> {
    this.#running += 1
    try {
      const result = await call
      if (!result.success && result.mayStillBeRunning === true) this.#isLeftRunning = true
      return result
    } finally {
      this.#running -= 1
    }
  }

  /** The tool has ended: so do the calls that it did not wait for. */
  end(): void {
    if (this.#running > 0) this.refuseMore()
  }

  /** The tool has ended, and still calls. */
  refuseMore(): void {
    this.#controller.abort(
      new ToolError('CANCELLED', `The call of "${this.#callerName}" that made this one has ended.`),
    )
  }
}
