import type { ToolCallCompletion, ToolCallFailure, ToolResult } from '@toolcrib/registry'
import { exceedsBytes } from './values/bounded-text.ts'
import type { CallFacts } from './call-facts.ts'
import { writeInput } from './values/call-input.ts'
import { CallJournal } from './call-journal.ts'
import { type WrittenOutput, writeForLog } from './values/call-output.ts'
import { type CallProblem, cleanProblem, describeToolFailure } from './call-problem.ts'
import { failureResult, previewResult, successResult } from './call-result.ts'
import { completionRow, failureRow, lateRow, saysNotStored } from './call-rows.ts'
import { describeError } from './values/describe-error.ts'
import { type PolicyViolations, openViolations } from './policy-violations.ts'
import { logUnavailable } from './refusals.ts'

/** What is known when a tool has failed. */
export interface FailureDetails {
  /** What the tool gave, for the log. */
  readonly output?: { readonly value: unknown } | undefined
  readonly mayStillBeRunning?: boolean
}

/** The result of a call that succeeded, and its terminal row. */
export interface Delivery {
  readonly row: ToolCallCompletion
  readonly result: ToolResult
}

/** Writes down one call and hands out its result. Each of its promises resolves when the rows are written. */
export class CallEnding {
  /** Absent where nobody wants to know of violations. */
  readonly violations: PolicyViolations | undefined
  readonly #facts: CallFacts
  readonly #input: unknown
  readonly #resolve: (result: ToolResult) => void
  #inputText: string | undefined
  #isAnswered = false
  /** The start row failed, and the log is sure that it is not there. */
  #isStartAbsent = false
  #journal: CallJournal | undefined

  constructor(facts: CallFacts, input: unknown, resolve: (result: ToolResult) => void) {
    this.violations = openViolations(facts)
    this.#facts = facts
    this.#input = input
    this.#resolve = resolve
  }

  /** The input as the log gets it. */
  get inputText(): string {
    if (this.#inputText === undefined) this.writeInput()
    return this.#inputText ?? 'null'
  }

  /** Writes the input for the log; tells what speaks against it. */
  writeInput(): CallProblem | undefined {
    const { settings, tool } = this.#facts
    try {
      const { text, problem } = writeInput(this.#input, tool, settings)
      this.#inputText = text
      return problem
    } catch (error) {
      this.#inputText = '"[withheld: secrets could not be taken out of the input]"'
      this.#facts.complain('The input of a call could not be written for the log', error)
      return logUnavailable(tool)
    }
  }

  /** What is handed out, and the row that has to be written before. */
  prepareDelivery(written: WrittenOutput): Delivery {
    const { settings, tool, callId } = this.#facts
    const durationMs = this.#facts.durationMs()
    const row = completionRow(this.#facts, durationMs, written.logText)
    const subject = { callId, durationMs }
    if (!exceedsBytes(written.text, tool.maxOutputBytes ?? settings.maxOutputBytes))
      return { row, result: successResult(written, subject) }
    const result = previewResult(written, settings.previewBytes, subject)
    row.outputBytes = result.outputBytes
    row.truncated = true
    return { row, result }
  }

  /** Reports that the tool ran and gave nothing that can be handed out. */
  fail(problem: CallProblem, details: FailureDetails = {}): Promise<void> {
    const { settings, callId } = this.#facts
    const { output, mayStillBeRunning = false } = details
    const durationMs = this.#facts.durationMs()
    const clean = cleanProblem(problem, settings)
    const row = failureRow(this.#facts, durationMs, clean)
    const outputText = output && writeForLog(output.value, settings)
    if (outputText !== undefined) row.outputText = outputText
    if (mayStillBeRunning) row.mayStillBeRunning = true
    return this.#conclude(row, failureResult(clean, { callId, durationMs }, mayStillBeRunning))
  }

  /** Reports a start row that could not be written. */
  complainOfStart(error: unknown): void {
    this.#isStartAbsent = saysNotStored(error)
    this.#facts.complain('The start of a call could not be logged', error)
  }

  /**
   * Answers that the tool did not run. Both rows are written where the start row is not there yet. Where the start row may
   * be there although it failed, the answer waits for the row that closes it, at most `logTimeoutMs`: else a host that is
   * killed meanwhile would leave a call that reads as if it might have run.
   */
  async refuse(problem: CallProblem, hasStartRow: boolean): Promise<void> {
    this.violations?.reportProblem(problem)
    const { settings, callId } = this.#facts
    const durationMs = this.#facts.durationMs()
    const clean = cleanProblem(problem, settings)
    const result = failureResult(clean, { callId, durationMs })
    const row = refusalRow(this.#facts, durationMs, clean)
    const writing = hasStartRow
      ? this.#openJournal().writeEnd(row)
      : this.#openJournal().writeRefusal(this.#facts.startRow(this.inputText), row)
    if (!settings.awaitsTerminalRow || this.#isStartAbsent) this.answer(result)
    await writing
    this.answer(result)
  }

  /** Answers at once while the start row is still on its way, and closes that row should it become durable. */
  async abandonStart(problem: CallProblem, writing: Promise<unknown>): Promise<void> {
    const { settings, callId } = this.#facts
    const durationMs = this.#facts.durationMs()
    const clean = cleanProblem(problem, settings)
    this.answer(failureResult(clean, { callId, durationMs }))
    // Also a start row that failed may be there; whoever waits for it has said that it failed.
    await writing.catch(() => undefined)
    await this.#openJournal().writeEnd(refusalRow(this.#facts, durationMs, clean))
  }

  /** Logs what the tool gave after its call was reported. */
  async logLate(value: unknown, hasFailed: boolean): Promise<void> {
    const { settings, tool } = this.#facts
    const outcome = hasFailed
      ? { problem: cleanProblem(describeToolFailure(tool, describeError(value)), settings) }
      : { outputText: writeForLog(value, settings) ?? 'null' }
    await this.#openJournal().writeLate(lateRow(this.#facts, this.#facts.durationMs(), outcome))
  }

  /** Most calls end well and need none. */
  #openJournal(): CallJournal {
    this.#journal ??= new CallJournal(this.#facts.settings)
    return this.#journal
  }

  /** Hands out the result; only the first one counts. */
  answer(result: ToolResult): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    this.#facts.span?.end(result)
    this.#resolve(result)
  }

  async #conclude(row: ToolCallFailure, result: ToolResult): Promise<void> {
    const writing = this.#openJournal().writeEnd(row)
    if (!this.#facts.settings.awaitsTerminalRow) this.answer(result)
    await writing
    this.answer(result)
  }
}

/** A call that never ran must not look as though it had. */
function refusalRow(facts: CallFacts, durationMs: number, problem: CallProblem): ToolCallFailure {
  return failureRow(facts, durationMs, {
    ...problem,
    logData: { ...problem.logData, toolRan: false },
  })
}
