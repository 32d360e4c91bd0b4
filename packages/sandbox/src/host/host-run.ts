import { failure } from '../guest-engine/guest-failure.ts'
import { HostCalls } from './host-calls.ts'
import { monotonicMs } from './monotonic-clock.ts'
import type {
  CallLimits,
  EndMessage,
  HostAnswer,
  HostMessage,
  RunLimits,
  RunOutcome,
  SleepRecord,
  TurnMessage,
} from '../lanes/protocol.ts'
import type { GuestLog, HostOperations, SandboxCallFacts } from '../sandbox.ts'

/** What is to be run in a worker. */
export type RunRequest = { readonly hash: string; readonly signal?: AbortSignal | undefined } & (
  | { readonly type: 'load'; readonly limits: RunLimits }
  | {
      readonly type: 'call'
      readonly inputJson: string
      readonly callJson: string
      readonly operations: HostOperations
      readonly limits: CallLimits
    }
)

/** How a run ended, with what is on record of it. */
export interface RunResult {
  readonly outcome: RunOutcome
  readonly facts: SandboxCallFacts
}

/** A timer for longer would be due at once. */
const longestTimerMs = 2 ** 31 - 1
const maxLogs = 10_000

let lastId = 0

/** One call or load, from the moment it was asked for until its outcome is fixed. */
export class HostRun {
  readonly id: number = (lastId += 1)
  readonly request: RunRequest
  readonly hostCalls: HostCalls
  readonly finished: Promise<RunResult>
  /** Sends answers to where it runs; set by the pool. */
  sendAnswers: ((answers: readonly HostAnswer[]) => void) | undefined
  #wasRepeated = false
  #resolve: (result: RunResult) => void
  #isOver = false
  readonly #startedAt = performance.now()
  #logs: GuestLog[] = []
  #droppedLogs = 0
  #logBytes = 0
  #cpuMs = 0
  #timer: NodeJS.Timeout | undefined
  #computeTimer: NodeJS.Timeout | undefined
  #stop: ((reason: 'timeout' | 'aborted') => void) | undefined
  #onAbort: (() => void) | undefined

  constructor(request: RunRequest) {
    this.request = request
    const { promise, resolve } = Promise.withResolvers<RunResult>()
    this.finished = promise
    this.#resolve = resolve
    const { memoryBytes } = request.limits
    this.hostCalls = new HostCalls(
      {
        operations: request.type === 'call' ? request.operations : {},
        maxHostCalls: request.type === 'call' ? request.limits.maxHostCalls : 0,
        maxArgumentBytes: request.type === 'call' ? request.limits.maxArgumentBytes : 0,
        maxResultBytes: Math.floor(memoryBytes / 3),
      },
      (answers) => this.sendAnswers?.(answers),
    )
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** In characters: the guest needs a byte for each at least. */
  get inputLength(): number {
    const { request } = this
    return request.type === 'call' ? request.inputJson.length + request.callJson.length : 0
  }

  /**
   * Makes it as if it had not begun, because its worker was ended for the sake of another run.
   *
   * @returns whether that can be done: once, and only while nobody outside has seen anything of it
   */
  startOver(): boolean {
    if (this.#wasRepeated || this.hostCalls.wereMade) return false
    this.#wasRepeated = true
    this.sendAnswers = undefined
    clearTimeout(this.#computeTimer)
    this.#computeTimer = undefined
    this.#logs = []
    this.#logBytes = 0
    this.#droppedLogs = 0
    this.#cpuMs = 0
    return true
  }

  /** @param stop is called when the deadline has come or the signal of the caller aborts */
  watch(stop: (reason: 'timeout' | 'aborted') => void): void {
    const { limits, signal } = this.request
    this.#stop = stop
    const waitMs = Math.min(limits.deadline - monotonicMs(), longestTimerMs)
    this.#timer = setTimeout(() => stop('timeout'), waitMs)
    if (signal === undefined) return
    this.#onAbort = () => stop('aborted')
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Its worker has started and works on it. The loading of a module only computes, and may do so for as long as it may. */
  begin(): void {
    const { type, limits } = this.request
    if (type === 'call' || this.#isOver || this.#computeTimer !== undefined) return
    this.#computeTimer = setTimeout(() => this.#stop?.('timeout'), limits.cpuMs)
  }

  /** @param slot of the worker, in which it can be stopped */
  toMessage(slot: number): HostMessage {
    const { id, request } = this
    const { hash } = request
    if (request.type === 'load') return { type: 'load', id, slot, hash, limits: request.limits }
    const { inputJson, callJson, limits } = request
    return { type: 'call', id, slot, hash, inputJson, callJson, limits }
  }

  /** @returns whether the worker keeps to the limits that it was told */
  takeTurn(message: TurnMessage): boolean {
    if (this.#isOver) return true
    return this.#takeFacts(message) && this.hostCalls.run(message.requests)
  }

  /** @returns as {@link takeTurn} */
  takeEnd(message: EndMessage): boolean {
    if (this.#isOver) return true
    if (!this.#takeFacts(message) || !this.#isPossible(message.outcome)) return false
    this.finish(message.outcome, message.sleeps)
    return true
  }

  /** Fixes the outcome, unless it is fixed. */
  finish(outcome: RunOutcome, sleeps: readonly SleepRecord[] = []): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    clearTimeout(this.#computeTimer)
    if (this.#onAbort !== undefined)
      this.request.signal?.removeEventListener('abort', this.#onAbort)
    this.hostCalls.stop()
    this.#resolve({
      outcome,
      facts: {
        logs: this.#logs,
        droppedLogs: this.#droppedLogs,
        hostCalls: this.hostCalls.records(sleeps),
        violations: this.hostCalls.violations,
        durationMs: performance.now() - this.#startedAt,
        cpuMs: this.#cpuMs,
      },
    })
  }

  fail(reason: Parameters<typeof failure>[0], message: string): void {
    this.finish(failure(reason, message))
  }

  /** Whether a worker that keeps to the rules may say this. */
  #isPossible(outcome: RunOutcome): boolean {
    const { request } = this
    if (outcome.ok)
      return request.type === 'load' || outcome.json.length <= request.limits.maxOutputBytes
    return outcome.reason !== 'input' || request.type === 'call'
  }

  #takeFacts({ cpuMs, logs, droppedLogs }: TurnMessage | EndMessage): boolean {
    this.#cpuMs = cpuMs
    this.#droppedLogs += droppedLogs
    for (const { level, message } of logs) {
      this.#logBytes += Buffer.byteLength(message)
      this.#logs.push({ level, message })
    }
    const { request } = this
    const maxBytes = request.type === 'call' ? request.limits.maxLogBytes : 0
    return this.#logBytes <= maxBytes && this.#logs.length <= maxLogs
  }
}
