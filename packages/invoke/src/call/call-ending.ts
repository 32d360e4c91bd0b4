import type { ToolCallCompletion, ToolCallFailure, ToolResult } from '@toolcrib/registry'
import { exceedsBytes } from './values/bounded-text.ts'
import type { CallFacts } from './call-facts.ts'
import { type TakenInput, takeInput, takeLargeInput } from './values/call-input.ts'
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

/** An input to be validated and run, or what speaks against it. */
export type CallInput =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly problem: CallProblem }

/** What the log gets in place of an input whose call was over before it was taken. */
const notTakenText = JSON.stringify({
  inputNotTaken: 'the call was over before its input was read',
})

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
  /** The input is large and is being taken in slices. */
  #isTaking = false
  /** The call was answered while its input was still being taken. */
  #isRefused = false
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

  /** The input as the log gets it, once it was taken. */
  get inputText(): string {
    return this.#inputText ?? notTakenText
  }

  /** Takes the input: what is to be validated and run, or what speaks against it. At once, unless it is large. */
  takeInput(): CallInput | Promise<CallInput> {
    const { settings, tool } = this.#facts
    try {
      const taken = takeInput(this.#input, tool, settings)
      return taken === undefined ? this.#takeLargeInput() : this.#keepInput(taken)
    } catch (error) {
      return this.#refuseInput(error)
    }
  }

  async #takeLargeInput(): Promise<CallInput> {
    this.#isTaking = true
    try {
      const taken = await takeLargeInput(this.#input, this.#facts, () => this.#isRefused)
      return this.#isRefused ? { value: undefined } : this.#keepInput(taken)
    } catch (error) {
      return this.#isRefused ? { value: undefined } : this.#refuseInput(error)
    } finally {
      this.#isTaking = false
    }
  }

  #keepInput({ value, text, problem }: TakenInput): CallInput {
    this.#inputText = text
    return problem === undefined ? { value } : { problem }
  }

  #refuseInput(error: unknown): CallInput {
    this.#inputText = '"[withheld: secrets could not be taken out of the input]"'
    this.#facts.complain('The input of a call could not be written for the log', error)
    return { problem: logUnavailable(this.#facts.tool) }
  }

  /** What is handed out, and the row that has to be written before. */
  prepareDelivery(written: WrittenOutput): Delivery {
    const { settings, tool, callId } = this.#facts
    const maxOutputBytes = tool.maxOutputBytes ?? settings.maxOutputBytes
    const durationMs = this.#facts.durationMs()
    const row = completionRow(this.#facts, durationMs, written.logText)
    const subject = { callId, durationMs }
    const isWhole =
      written.bytes === undefined
        ? !exceedsBytes(written.text, maxOutputBytes)
        : written.bytes <= maxOutputBytes
    if (isWhole) return { row, result: successResult(written, subject) }
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
    if (mayStillBeRunning) row.mayStillBeRunning = true
    const result = failureResult(clean, { callId, durationMs }, mayStillBeRunning)
    const outputText = output && writeForLog(output.value, settings)
    if (outputText instanceof Promise)
      return outputText.then((text) => this.#conclude(withOutput(row, text), result))
    return this.#conclude(withOutput(row, outputText), result)
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
    // Whoever is refused while the input is still being taken, such as at the deadline, is not kept waiting for that.
    this.#isRefused = this.#isTaking
    if (this.#inputText === undefined && !this.#isTaking) {
      const taking = this.takeInput()
      if (taking instanceof Promise) await taking
    }
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
      : { outputText: (await writeForLog(value, settings)) ?? 'null' }
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

function withOutput(
  row: { -readonly [Key in keyof ToolCallFailure]: ToolCallFailure[Key] },
  outputText: string | undefined,
): ToolCallFailure {
  if (outputText !== undefined) row.outputText = outputText
  return row
}

/** A call that never ran must not look as though it had. */
function refusalRow(facts: CallFacts, durationMs: number, problem: CallProblem): ToolCallFailure {
  return failureRow(facts, durationMs, {
    ...problem,
    logData: { ...problem.logData, toolRan: false },
  })
}
