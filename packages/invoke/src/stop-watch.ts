import { maxTimeoutMs } from '@toolcrib/registry'

/** Why a call is stopped. */
export type StopCause = 'timeout' | 'cancelled'

/** Is told when its call has to stop. */
export interface Stoppable {
  stop(cause: StopCause): void
}

/** Watches the deadline and the signals of one call: one timer, and listeners only where there are signals. */
export class StopWatch {
  readonly #owner: Stoppable
  readonly #signal: AbortSignal | undefined
  readonly #parentSignal: AbortSignal | undefined
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

  get isOn(): boolean {
    return this.#timer !== undefined
  }

  /** Begins to watch. */
  start(remainingMs: number): void {
    // Passing the watch as the timer's argument saves a closure for each call.
    this.#timer = setTimeout(expire, Math.min(Math.max(remainingMs, 0), maxTimeoutMs), this)
    this.#signal?.addEventListener('abort', this, { once: true })
    this.#parentSignal?.addEventListener('abort', this, { once: true })
  }

  /** Stops watching. */
  end(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this)
    this.#parentSignal?.removeEventListener('abort', this)
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
