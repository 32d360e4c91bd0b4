import type { ToolCallEnd, ToolCallLate, ToolCallStart } from '@toolcrib/registry'
import { describeError } from './values/describe-error.ts'
import type { InvokerSettings } from '../invoker-settings.ts'
import { nextTurn, waitAtMost } from '../limits/wait.ts'

type TerminalRow = Parameters<InvokerSettings['log']['logToolComplete']>[0]
type FailureRow = Parameters<InvokerSettings['log']['logToolFailure']>[0]

/** Microtasks that a row may take before a timer is set for it; a log in memory needs none. */
const turnsWithoutTimer = 4

/** Writes the rows of one call. Whatever the log does, nothing here rejects. */
export class CallJournal {
  readonly #settings: InvokerSettings
  #pending = 0
  #latest: Promise<unknown> | undefined

  constructor(settings: InvokerSettings) {
    this.#settings = settings
  }

  async #writeStart(row: ToolCallStart): Promise<void> {
    try {
      await this.#settings.log.logToolStart(row)
    } catch (error) {
      this.#complain('The start of a call could not be logged', row, error)
    }
  }

  /** Writes the terminal row. Resolves when it is durable, or when waiting for it has taken too long. */
  async writeEnd(row: TerminalRow | FailureRow): Promise<void> {
    const writing = this.#write(row)
    this.#latest = writing
    for (let turn = 0; turn < turnsWithoutTimer && this.#pending > 0; turn += 1) await nextTurn
    if (this.#pending === 0) return
    const { logTimeoutMs } = this.#settings
    if (!(await waitAtMost(writing, logTimeoutMs)))
      this.#complain('The end of a call is not logged yet', row, `nothing for ${logTimeoutMs} ms`)
  }

  /** Writes both rows of a call that was refused. */
  async writeRefusal(start: ToolCallStart, end: FailureRow): Promise<void> {
    const writing = this.#writeBoth(start, end)
    this.#latest = writing
    await waitAtMost(writing, this.#settings.logTimeoutMs)
  }

  /** Writes what came after the report, once the rows before it are written. Resolves as {@link writeEnd} does. */
  async writeLate(row: ToolCallLate): Promise<void> {
    await waitAtMost(this.#writeLate(row), this.#settings.logTimeoutMs)
  }

  async #writeLate(row: ToolCallLate): Promise<void> {
    try {
      await this.#latest
      await this.#settings.log.logToolLate(row)
    } catch (error) {
      this.#complain('A late result could not be logged', row, error)
    }
  }

  async #write(row: TerminalRow | FailureRow): Promise<void> {
    this.#pending += 1
    const { log } = this.#settings
    try {
      await (row.status === 'completed' ? log.logToolComplete(row) : log.logToolFailure(row))
    } catch (error) {
      this.#complain('The end of a call could not be logged', row, error)
    }
    this.#pending -= 1
  }

  async #writeBoth(start: ToolCallStart, end: FailureRow): Promise<void> {
    // A start row that failed may be there all the same, and must not stay open.
    await this.#writeStart(start)
    await this.#write(end)
  }

  #complain(message: string, row: Pick<ToolCallEnd, 'callId' | 'toolName'>, error: unknown): void {
    const { callId, toolName } = row
    const { name, message: reason, causes } = describeError(error)
    this.#settings.logger.error({ callId, toolName, error: { name, reason, causes } }, message)
  }
}
