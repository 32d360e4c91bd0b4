import { maxTimeoutMs } from '@toolcrib/registry'
import { nextTurn } from './wait.ts'

/** Why a call is stopped. */
export type StopCause = 'timeout' | 'cancelled' | 'withdrawn'

/** Is told when its call has to stop. */
export interface Stoppable {
  stop(cause: StopCause): void
  /** Milliseconds until its deadline. */
  remainingMs(): number
}

/** Microtasks that a call may take before a timer is set for it. */
const turnsWithoutTimer = 6

/** Watches the deadline and the signals of one call: one timer, and listeners only where there are signals. */
export class StopWatch {
  readonly #owner: Stoppable
  readonly #signal: AbortSignal | undefined
  readonly #parentSignal: AbortSignal | undefined
  #isOn = false
  #isOver = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    owner: Stoppable,
    signal: AbortSignal | undefined,
    parentSignal: AbortSignal | undefined,
  ) {
    this.#owner = owner
    if (signal !== undefined && !isSignal(signal))
      throw new TypeError(`options.signal must be an AbortSignal, got ${typeof signal}`)
    this.#signal = signal
    this.#parentSignal = parentSignal
  }

  /** Begins to watch; a second time changes nothing. */
  start(): void {
    if (this.#isOn || this.#isOver) return
    this.#isOn = true
    this.#signal?.addEventListener('abort', this, { once: true })
    this.#parentSignal?.addEventListener('abort', this, { once: true })
    void this.#setTimer()
  }

  /** The owner has a new deadline, which is all that is watched from now on. */
  watchDeadlineOnly(): void {
    this.#dropSignals()
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#armTimer()
  }

  /** Stops watching. */
  end(): void {
    this.#isOver = true
    if (!this.#isOn) return
    this.#isOn = false
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#dropSignals()
  }

  #dropSignals(): void {
    this.#signal?.removeEventListener('abort', this)
    this.#parentSignal?.removeEventListener('abort', this)
  }

  // Setting and clearing a timer costs more than everything else here, and a call that is over within a few microtasks
  // cannot be overtaken by one. So it is set only for calls that are still there after those.
  async #setTimer(): Promise<void> {
    for (let turn = 0; turn < turnsWithoutTimer; turn += 1) {
      await nextTurn
      if (!this.#isOn) return
    }
    // A signal that was aborted before it was watched tells nobody.
    if (this.isAborted()) {
      this.#owner.stop('cancelled')
      if (!this.#isOn) return
    }
    this.#armTimer()
  }

  #armTimer(): void {
    const remainingMs = this.#owner.remainingMs()
    // Passing the watch as the timer's argument saves a closure.
    if (remainingMs > 0) this.#timer = setTimeout(expire, Math.min(remainingMs, maxTimeoutMs), this)
    else this.expire()
  }

  isAborted(): boolean {
    return this.#signal?.aborted === true || this.#parentSignal?.aborted === true
  }

  /** The reason of the signal that is aborted. */
  abortReason(): unknown {
    return this.#signal?.aborted === true ? this.#signal.reason : this.#parentSignal?.reason
  }

  /** A signal was aborted. */
  handleEvent(): void {
    this.#owner.stop('cancelled')
  }

  expire(): void {
    this.#owner.stop('timeout')
  }
}

function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { aborted, addEventListener } = value as Partial<AbortSignal>
  return typeof aborted === 'boolean' && typeof addEventListener === 'function'
}

function expire(watch: StopWatch): void {
  watch.expire()
}
