import { ToolError, type ToolProgress, type ToolResult } from '@toolcrib/registry'
import { circuitPauseMs, enterCircuit, judgeCircuit } from '../limits/call-circuit.ts'
import { CallEnding, type CallInput, type Delivery } from './call-ending.ts'
import { CallFacts, type CallRequest } from './call-facts.ts'
import type { CallHost } from './call-host.ts'
import {
  type OutputWriting,
  tooLongForOneTurn,
  writeLargeOutput,
  writeOutput,
} from './values/call-output.ts'
import { findObstacle, findRefusal } from './call-permission.ts'
import { type CallProblem, saysItMayStillRun } from './call-problem.ts'
import { failureResult } from './call-result.ts'
import { type CheckedInput, checkInput } from './values/input-check.ts'
import type { InvokerSettings } from '../invoker-settings.ts'
import { NestedCalls } from './nested-calls.ts'
import { checkOutput } from './values/output-check.ts'
import { describeError } from './values/describe-error.ts'
import { passOnProgress } from './progress.ts'
import { circuitOpen, internalError, logUnavailable, tooManyCalls } from './refusals.ts'
import { type StoppedAt, stopProblem } from './stop-problem.ts'
import { type StopCause, StopWatch, type Stoppable } from '../limits/stop-watch.ts'
import { isAsyncGenerator, readGenerator } from './streamed-output.ts'
import type { ContextActions, NestedOptions } from './tool-context.ts'
import { executeTool } from './execute-tool.ts'
import { findToolProblem } from './tool-outcome.ts'
import { ToolTimeoutError } from '../limits/tool-timeout-error.ts'
import { asPromise, nextTurn, waitAtMost } from '../limits/wait.ts'

/** Where a call stands. */
type Phase = 'checking' | 'queued' | 'starting' | 'running' | 'delivering' | 'over'

/** The validated input, or `undefined` when it was refused. */
type ValidInput = { readonly value: unknown } | undefined

/** Microtasks within which a tool that was told to stop can end without being reported as possibly still running. */
const turnsToStop = 64

/** One call of one tool, from its checks to its terminal row. */
export class ToolCall implements Stoppable, ContextActions {
  readonly facts: CallFacts
  /** Where its host keeps it; -1 when it is forgotten. */
  position = -1
  readonly #host: CallHost
  readonly #settings: InvokerSettings
  readonly #ending: CallEnding
  readonly #watch: StopWatch
  readonly #controller: AbortController = new AbortController()
  #phase: Phase = 'checking'
  /** The outcome is fixed; whatever happens now comes late. */
  #isDecided = false
  #nested: NestedCalls | undefined
  #hasSlot = false
  #isTrial = false
  #hasStartRow = false
  #startWriting: unknown
  #delivery: Delivery | undefined
  /** Until when a result waits for its terminal row, in milliseconds since the start. */
  #lastDeadlineMs: number | undefined
  #stopCause: StopCause | undefined
  #closeReason: unknown
  #withdrawal: ToolError | undefined
  #whenEnded: (() => void) | undefined
  #lateValue: { readonly value: unknown } | undefined
  /** The tool ended, and said that what it started elsewhere may not have. */
  #isLeftRunning = false
  /** What the tool gave, while it is checked. */
  #uncheckedOutput: { readonly value: unknown } | undefined

  constructor(host: CallHost, request: CallRequest, resolve: (result: ToolResult) => void) {
    this.#host = host
    this.#settings = host.settings
    this.facts = new CallFacts(host.settings, request)
    this.#ending = new CallEnding(this.facts, request.input, resolve)
    this.#watch = new StopWatch(this, request.options.signal, request.parent?.signal)
  }

  /** Aborted when the call is stopped; calls that the tool makes stop with it. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** `stopping`: told to stop, or reported already, and its tool has not ended. */
  get state(): 'waiting' | 'running' | 'stopping' | 'ending' {
    if (this.#phase === 'running') return this.#stopCause === undefined ? 'running' : 'stopping'
    return this.#phase === 'delivering' || this.#isDecided ? 'ending' : 'waiting'
  }

  get isDecided(): boolean {
    return this.#isDecided
  }

  /** Stops the call as if its caller had cancelled it. */
  cancel(reason: unknown): void {
    this.#closeReason = reason
    this.stop('cancelled')
  }

  /** Stops the call because its tool may not run any more. What its tool gave already is handed out. */
  withdraw(error: ToolError): void {
    // What was decided before stays: a result, or that the call was cancelled.
    if (this.#phase === 'delivering' || this.#isDecided || this.#stopCause !== undefined) return
    this.#withdrawal ??= error
    // Its start row is on its way, and whoever is answered before it is durable may be told what no row says.
    if (this.#phase !== 'starting') this.stop('withdrawn')
  }

  /** Carries the call through. Never rejects. */
  async run(): Promise<void> {
    try {
      if (!this.#begin()) return
      const callable = this.#isCallable()
      if (callable !== true && !(await callable)) return
      const validated = this.#validate()
      const input = validated instanceof Promise ? await validated : validated
      if (input === undefined) return
      this.#hasSlot = this.#settings.limiter.tryAcquire(this.facts)
      if (!this.#hasSlot && !(await this.#waitForSlot())) return
      if (!this.#passCircuit()) return
      // Rows are awaited here rather than in functions of their own: each of those would cost as much as a row.
      let isDurable = true
      try {
        await this.#logStart()
      } catch (error) {
        isDurable = false
        this.#ending.complainOfStart(error)
      }
      if (!this.#mayRun(isDurable)) return
      const stillCallable = this.#isCallable()
      if (stillCallable !== true && !(await stillCallable)) return
      this.#phase = 'running'
      this.facts.beginRun()
      let value: unknown
      let hasFailed = false
      try {
        value = await this.#execute(input.value)
        if (isAsyncGenerator(value)) value = await readGenerator(value, this)
      } catch (error) {
        value = error
        hasFailed = true
      }
      this.#phase = 'delivering'
      this.#nested?.end()
      this.#leave()
      const ending = this.#end(value, hasFailed)
      if (ending !== undefined) await ending
      if (this.#delivery === undefined) return
      try {
        await this.#settings.log.logToolComplete(this.#delivery.row)
      } catch (error) {
        this.facts.complain('The end of a call could not be logged', error)
      }
      this.#handOut()
    } catch (error) {
      this.#crash(error)
    } finally {
      this.#leave()
    }
  }

  #begin(): boolean {
    const problem = findObstacle(this.facts, this.#watch.isAborted())
    return problem === undefined || this.#refuse(problem)
  }

  /** Asks for permission as it is now. */
  #isCallable(): boolean | Promise<boolean> {
    if (this.#withdrawal !== undefined) return this.#refuse(this.#stopped('before', 'withdrawn'))
    const refusal = findRefusal(this.facts)
    if (!(refusal instanceof Promise)) return this.#isPermitted(refusal)
    this.#watch.start()
    return refusal.then((later) => this.#isPermitted(later))
  }

  // The check may have cancelled the call itself.
  #isPermitted(refusal: CallProblem | undefined): boolean {
    return refusal === undefined ? !this.#isDecided : this.#refuse(refusal)
  }

  #validate(): ValidInput | Promise<ValidInput> {
    const taken = this.#ending.takeInput()
    return taken instanceof Promise ? this.#validateLater(taken) : this.#checkInput(taken)
  }

  async #validateLater(taking: Promise<CallInput>): Promise<ValidInput> {
    this.#watch.start()
    const taken = await taking
    return this.#isDecided ? undefined : this.#checkInput(taken)
  }

  #checkInput(taken: CallInput): ValidInput | Promise<ValidInput> {
    if (taken.problem !== undefined) return this.#acceptInput(taken)
    this.facts.span?.recordArguments(this.#ending.inputText)
    const checked = checkInput(this.facts.tool, taken.value)
    if (!(checked instanceof Promise)) return this.#acceptInput(checked)
    this.#watch.start()
    return checked.then((input) => this.#acceptInput(input))
  }

  #acceptInput(checked: CheckedInput): ValidInput {
    if (checked.problem === undefined) return this.#isDecided ? undefined : checked
    this.#refuse(checked.problem)
    return undefined
  }

  async #waitForSlot(): Promise<boolean> {
    const { limiter } = this.#settings
    const { tool } = this.facts
    const pauseMs = circuitPauseMs(this.facts)
    if (pauseMs !== undefined) return this.#refuse(circuitOpen(tool, pauseMs))
    // Who holds a place that others wait for must not wait for a place too: two such calls could wait for each other.
    const waiting = this.facts.hasLimitedCaller() ? undefined : limiter.wait(this.facts)
    if (waiting === undefined) return this.#refuse(tooManyCalls(tool, false))
    this.#phase = 'queued'
    this.#watch.start()
    this.#hasSlot = await waiting
    return !this.#isDecided
  }

  #passCircuit(): boolean {
    const pauseMs = circuitPauseMs(this.facts)
    if (pauseMs !== undefined) return this.#refuse(circuitOpen(this.facts.tool, pauseMs))
    this.#isTrial = enterCircuit(this.facts)
    return true
  }

  /** Writes the start row. Gives what there is to wait for. */
  #logStart(): unknown {
    const { log, runsWithoutLog, logTimeoutMs } = this.#settings
    this.#phase = 'starting'
    this.#watch.start()
    const writing: unknown = log.logToolStart(this.facts.startRow(this.#ending.inputText))
    this.#startWriting = writing
    if (!runsWithoutLog) return writing
    const settled = asPromise(writing).catch((error: unknown) =>
      this.facts.complain('The start of a call could not be logged', error),
    )
    return waitAtMost(settled, Math.min(logTimeoutMs, this.facts.remainingMs() / 2))
  }

  #mayRun(isDurable: boolean): boolean {
    if (this.#isDecided) return false
    // An error does not prove that the row is not there, so from now on an end is written too.
    this.#hasStartRow = true
    this.#phase = 'checking'
    if (isDurable || this.#settings.runsWithoutLog) return true
    return this.#refuse(logUnavailable(this.facts.tool))
  }

  #execute(input: unknown): unknown {
    const { violations } = this.#ending
    return executeTool(this.facts, { input, signal: this.signal, actions: this, violations })
  }

  /** The tool has ended. Resolves when all is written down. */
  #end(value: unknown, hasFailed: boolean): Promise<void> | undefined {
    const { tool } = this.facts
    const failure = hasFailed ? describeError(value) : undefined
    // Also after a stop: what was tried was tried.
    if (failure !== undefined) this.#ending.violations?.reportThrown(value, failure)
    this.#isLeftRunning = failure !== undefined && saysItMayStillRun(failure)
    if (this.#stopCause !== undefined) return this.#endAfterStop(value, hasFailed)
    const problem = findToolProblem(tool, value, failure)
    if (problem !== undefined)
      return this.#fail(problem, failure === undefined ? { value } : undefined)
    return tool.outputSchema === undefined ? this.#deliver(value) : this.#checkAndDeliver(value)
  }

  async #checkAndDeliver(value: unknown): Promise<void> {
    this.#uncheckedOutput = { value }
    const checked = await checkOutput(this.facts.tool, value)
    await (checked.problem === undefined
      ? this.#deliver(checked.output)
      : this.#fail(checked.problem, { value }))
  }

  /** Writes and hands out what the tool gave. */
  #deliver(output: unknown): Promise<void> | undefined {
    // The check of the output may have taken too long.
    if (this.#isDecided) return undefined
    const written = writeOutput(output, this.facts.toolName, this.#settings)
    return written === tooLongForOneTurn
      ? this.#deliverLarge(output)
      : this.#handOver(written, output)
  }

  async #deliverLarge(output: unknown): Promise<void> {
    const written = await writeLargeOutput(output, this.facts, () => this.#isDecided)
    if (written !== undefined && !this.#isDecided) await this.#handOver(written, output)
  }

  #handOver(written: OutputWriting, output: unknown): Promise<void> | undefined {
    if (written.problem !== undefined) return this.#fail(written.problem, { value: output })
    this.#judge(undefined)
    this.#isDecided = true
    const delivery = this.#ending.prepareDelivery(written)
    this.#delivery = delivery
    this.#lastDeadlineMs = this.facts.elapsedMs() + this.#settings.logTimeoutMs
    this.#watch.watchDeadlineOnly()
    if (!this.#settings.awaitsTerminalRow) this.#ending.answer(delivery.result)
    return undefined
  }

  /** The terminal row is written, or was waited for long enough. */
  #handOut(): void {
    if (this.#delivery === undefined) return
    this.#watch.end()
    this.#ending.answer(this.#delivery.result)
    this.#retire()
  }

  /** Reports that the tool ran and gave nothing that can be handed out. */
  async #fail(problem: CallProblem, output?: { readonly value: unknown }): Promise<void> {
    if (!this.#decide()) return
    this.#judge(problem.code)
    await this.#ending.fail(problem, { output, mayStillBeRunning: this.#isLeftRunning })
    this.#retire()
  }

  /** Answers that the tool did not run. Always `false`, which ends what is on its way. */
  #refuse(problem: CallProblem): false {
    if (!this.#decide()) return false
    this.#leave()
    void this.#endWith(this.#ending.refuse(problem, this.#hasStartRow))
    return false
  }

  async #endWith(ending: Promise<void>): Promise<void> {
    try {
      await ending
      this.#retire()
    } catch (error) {
      this.#crash(error)
    }
  }

  /** The deadline has passed, or somebody cancelled. */
  stop(cause: StopCause): void {
    if (this.#delivery !== undefined && cause === 'timeout') {
      const { logTimeoutMs } = this.#settings
      this.facts.complain('The end of a call is not logged yet', `nothing for ${logTimeoutMs} ms`)
      this.#handOut()
      return
    }
    if (this.#isDecided || this.#stopCause !== undefined) return
    switch (this.#phase) {
      case 'queued':
        this.#settings.limiter.leave(this.facts)
        this.#refuse(this.#stopped('queued', cause))
        return
      case 'starting':
        this.#abandonStart(this.#stopped('starting', cause))
        return
      case 'running':
        this.#stopCause = cause
        this.#stopTool(cause).catch((error: unknown) => this.#crash(error))
        return
      case 'delivering':
        this.#fail(this.#stopped('output unchecked', cause), this.#uncheckedOutput).catch(
          (error: unknown) => this.#crash(error),
        )
        return
      default:
        this.#refuse(this.#stopped('before', cause))
    }
  }

  #stopped(at: StoppedAt, cause: StopCause): CallProblem {
    return stopProblem(this.facts, { at, cause, withdrawal: this.#withdrawal })
  }

  /** The start row is not durable in time: the caller is not kept waiting for it. */
  #abandonStart(problem: CallProblem): void {
    if (!this.#decide()) return
    // The start row may take for ever: its place goes to somebody else.
    this.#leave()
    void this.#endWith(this.#ending.abandonStart(problem, asPromise(this.#startWriting)))
  }

  async #stopTool(cause: StopCause): Promise<void> {
    const { toolName, timeoutMs } = this.facts
    this.#controller.abort(
      cause === 'timeout'
        ? new ToolTimeoutError(toolName, timeoutMs)
        : (this.#withdrawalReason() ?? this.#closeReason ?? this.#watch.abortReason()),
    )
    await this.#letToolEnd()
    const isRunning = this.#phase === 'running'
    if (!this.#decide()) return
    const mayStillBeRunning =
      isRunning || this.#isLeftRunning || this.#nested?.isLeftRunning === true
    const problem = this.#stopped(mayStillBeRunning ? 'left running' : 'ended', cause)
    this.#judge(problem.code)
    await this.#ending.fail(problem, { mayStillBeRunning })
    if (isRunning) return
    if (this.#lateValue !== undefined) await this.#ending.logLate(this.#lateValue.value, false)
    this.#retire()
  }

  /** With a code that says nothing of whether the tool ran: what it throws then may be this. */
  #withdrawalReason(): ToolError | undefined {
    const cause = this.#withdrawal
    return cause === undefined ? undefined : new ToolError('CANCELLED', cause.message, { cause })
  }

  /** Gives a tool that was told to stop the time to do so. */
  async #letToolEnd(): Promise<void> {
    const { stopGraceMs } = this.#settings
    for (let turn = 0; turn < turnsToStop && this.#phase === 'running'; turn += 1) await nextTurn
    if (stopGraceMs <= 0 || this.#phase !== 'running') return
    const ended = new Promise<void>((resolve) => {
      this.#whenEnded = resolve
    })
    await waitAtMost(ended, stopGraceMs)
  }

  /** The tool ended after it was told to stop; what it gave reaches only the log. */
  async #endAfterStop(value: unknown, hasFailed: boolean): Promise<void> {
    this.#whenEnded?.()
    if (this.#isDecided) {
      await this.#ending.logLate(value, hasFailed)
      this.#retire()
    } else if (!hasFailed) this.#lateValue = { value }
  }

  reportProgress(progress: ToolProgress): void {
    const { onProgress } = this.facts.options
    if (onProgress === undefined || this.#isDecided || this.#phase !== 'running') return
    passOnProgress(progress, onProgress, this.facts)
  }

  invokeNested(toolName: string, input: unknown, options: NestedOptions): Promise<ToolResult> {
    this.#nested ??= new NestedCalls(this.#controller, this.facts.toolName)
    if (this.#phase !== 'running') this.#nested.refuseMore()
    return this.#nested.follow(this.#host.invokeNested(this, toolName, { input, options }))
  }

  /** Fixes the outcome; `false` when it was fixed before. */
  #decide(): boolean {
    if (this.#isDecided) return false
    this.#isDecided = true
    this.#watch.end()
    return true
  }

  remainingMs(): number {
    return this.#lastDeadlineMs === undefined
      ? this.facts.remainingMs()
      : this.#lastDeadlineMs - this.facts.elapsedMs()
  }

  #judge(code: CallProblem['code'] | undefined): void {
    judgeCircuit(this.facts, code, this.#isTrial)
    this.#isTrial = false
  }

  /** Gives back what is held while the tool runs. */
  #leave(): void {
    if (this.#hasSlot) {
      this.#hasSlot = false
      this.#settings.limiter.release(this.facts)
    }
    if (this.#isTrial && this.#isDecided) {
      this.#isTrial = false
      this.#settings.breaker?.forgetTrial(this.facts.circuitKey)
    }
  }

  #retire(): void {
    this.#phase = 'over'
    this.#host.forget(this)
  }

  /** Something failed that cannot fail, as far as is known: the call still gets its answer. */
  #crash(error: unknown): void {
    const { callId, tool } = this.facts
    this.facts.complain('A call could not be carried through', error)
    const problem = internalError(tool)
    if (this.#decide() && this.#hasStartRow) void this.#ending.fail(problem)
    this.#ending.answer(failureResult(problem, { callId, durationMs: 0 }))
    if (this.#phase !== 'running') this.#retire()
  }
}
