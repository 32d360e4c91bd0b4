import { ToolError } from '@toolcrib/registry'

/** What {@link withTimeout} rejects with, and what the signal of a tool is aborted with, when the time is up. */
export class ToolTimeoutError extends ToolError<'TIMEOUT'> {
  override readonly name: string = 'ToolTimeoutError'
  readonly toolName: string
  /** The limit that passed, in milliseconds. */
  readonly timeoutMs: number

  constructor(toolName: string, timeoutMs: number) {
    super('TIMEOUT', `Tool "${toolName}" did not finish within ${timeoutMs} ms.`, {
      data: { toolName, timeoutMs },
    })
    this.toolName = toolName
    this.timeoutMs = timeoutMs
  }
}
