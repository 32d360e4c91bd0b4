import type { GuestBase } from './guest-base.ts'
import { failure, readDescription } from './guest-failure.ts'
import { monotonicMs } from '../host/monotonic-clock.ts'
import type { RunLimits, RunOutcome } from '../lanes/protocol.ts'
import type { Address } from './quickjs-exports.ts'
import type { QuickJsInstance } from './quickjs-instance.ts'

/** What a run needs of the engine. */
export interface RunSetting {
  readonly base: GuestBase
  readonly instance: QuickJsInstance
  readonly limits: RunLimits
  /** Why the host wants the run to stop, if it does; asked while the guest computes. */
  readonly stopReason: () => 'aborted' | 'timeout' | undefined
}

/** Ends the guest from within a call of it: no frame of it can catch this, and the memory is restored afterwards. */
const stop: unique symbol = Symbol('stop')

/** Room for describing an error when the memory is full. */
const reserveBytes = 1024 * 1024
/** An engine that ran out of memory has grown to at least this part of what it may have. */
const fullShare = 0.75
const jobsBetweenChecks = 16

/** A guest at work on one thing: the loading of a module, or a call. */
export abstract class GuestRun {
  /** Whether its instance must not be used again. */
  isTrapped = false
  protected readonly setting: RunSetting
  #outcome: RunOutcome | undefined
  #cpuMs = 0
  #enteredAt = 0
  #roomWasMade = false

  constructor(setting: RunSetting) {
    this.setting = setting
  }

  get instance(): QuickJsInstance {
    return this.setting.instance
  }

  get outcome(): RunOutcome | undefined {
    return this.#outcome
  }

  /** Time that the guest computed so far, in milliseconds. */
  get cpuMs(): number {
    return this.#cpuMs
  }

  /** Fixes how the run ends, unless that is fixed. The guest gets no more turn. */
  end(outcome: RunOutcome): void {
    this.#outcome ??= outcome
  }

  /** Ends the run from within a call of the guest. */
  protected stopNow(outcome: RunOutcome): never {
    this.end(outcome)
    throw stop
  }

  protected abstract get failureReason(): 'guest-error' | 'load'

  /** What is said when it has computed for long enough. */
  protected abstract get computeReason(): 'cpu-limit' | 'timeout'

  /** Lets the guest compute until nothing is left to do; nothing of it is thrown. */
  protected compute(action: () => void): void {
    if (this.#outcome !== undefined) return
    this.#enteredAt = monotonicMs()
    try {
      this.onInterrupt()
      action()
      this.runJobs()
    } catch (error) {
      if (error !== stop) this.#takeTrap(error)
    }
    this.#cpuMs += monotonicMs() - this.#enteredAt
  }

  /** Does what promises left to do. */
  protected runJobs(): void {
    const { exports } = this.setting.instance
    for (let count = 1; this.#outcome === undefined; count += 1) {
      if (exports.qjs_is_job_pending() === 0) return
      if (exports.qjs_execute_pending_job() < 0) this.failWith(exports.qjs_get_exception())
      if (count % jobsBetweenChecks === 0) this.onInterrupt()
    }
  }

  /** Calls a function of the prelude and frees what it was given. */
  protected callPrelude(callee: Address, values: readonly Address[]): Address {
    const { instance } = this.setting
    const answer = instance.call(callee, values)
    for (const value of values) instance.exports.qjs_free_value(value)
    const exception = instance.takeException(answer)
    if (exception !== undefined) this.failWith(exception)
    return answer
  }

  /** Ends the run with an error that the guest threw. */
  protected failWith(error: Address): never {
    const { instance, base, limits } = this.setting
    const isMemoryFull = instance.exports.memory.buffer.byteLength > fullShare * limits.memoryBytes
    this.makeRoom()
    const answer = instance.call(base.functions.describe, [error])
    const text = instance.readString(answer)
    return this.stopNow(
      text === undefined
        ? failure(this.failureReason, 'The guest failed, and its error cannot be read')
        : readDescription(text, { reason: this.failureReason, isMemoryFull }),
    )
  }

  /** Once: gives the guest the memory that saying what went wrong takes. */
  protected makeRoom(): void {
    if (this.#roomWasMade) return
    this.#roomWasMade = true
    this.setting.instance.limitMemory(this.setting.limits.memoryBytes + reserveBytes)
  }

  /** Reads a text of the guest although its memory may be full. */
  protected readText(value: Address, maxBytes?: number): string | undefined {
    const { instance, limits } = this.setting
    instance.limitMemory()
    const text = instance.readString(value, maxBytes)
    instance.limitMemory(limits.memoryBytes + (this.#roomWasMade ? reserveBytes : 0))
    return text
  }

  /** Stops the guest when it may compute no longer. */
  onInterrupt(): void {
    if (this.#outcome !== undefined) throw stop
    const { limits, instance, stopReason } = this.setting
    const reason = stopReason()
    if (reason !== undefined) this.stopNow(failure(reason, 'The host ended it'))
    const now = monotonicMs()
    if (now > limits.deadline) this.stopNow(failure('timeout', 'It took longer than it may'))
    if (this.#cpuMs + now - this.#enteredAt > limits.cpuMs)
      this.stopNow(failure(this.computeReason, `It computed for longer than ${limits.cpuMs} ms`))
    // The engine bounds what it hands out; this bounds what lies between.
    if (instance.exports.memory.buffer.byteLength > 2 * limits.memoryBytes + 4 * reserveBytes)
      this.stopNow(failure('memory', 'It took more memory than it may'))
  }

  #takeTrap(error: unknown): void {
    this.isTrapped = true
    // The stack of this thread ended before the one of the engine did.
    const isStack = error instanceof RangeError && error.message.includes('call stack')
    this.#outcome ??= isStack
      ? failure('stack', 'Maximum call stack size exceeded')
      : failure('trap', 'The engine failed')
  }
}
