/** When a tool that keeps failing is left alone for a while. */
export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. @default 10 */
  readonly maxFailures?: number
  /** A failure this long after the one before starts a new row, in milliseconds. @default 60_000 */
  readonly windowMs?: number
  /** How long the circuit stays open before one call may try again, in milliseconds. @default 30_000 */
  readonly coolDownMs?: number
}

interface Circuit {
  failures: number
  lastFailureAt: number
  /** Set while the circuit is open or one call tries it. */
  openUntil: number | undefined
  isTried: boolean
}

/** More circuits than this are not remembered; the oldest is forgotten first. */
const maxCircuits = 10_000

/** Counts failures in a row for each key; says when a key is to be left alone. Times come from a monotonic clock. */
export class CircuitBreaker {
  readonly #maxFailures: number
  readonly #windowMs: number
  readonly #coolDownMs: number
  readonly #circuits: Map<string, Circuit> = new Map()

  constructor({
    maxFailures = 10,
    windowMs = 60_000,
    coolDownMs = 30_000,
  }: CircuitBreakerOptions = {}) {
    this.#maxFailures = maxFailures
    this.#windowMs = windowMs
    this.#coolDownMs = coolDownMs
  }

  /** Nothing has failed of late: no key needs to be made. */
  get isIdle(): boolean {
    return this.#circuits.size === 0
  }

  /** How many milliseconds until a call may try again; `undefined` when it may run now. */
  remainingMs(key: string, now: number): number | undefined {
    const circuit = this.#circuits.get(key)
    if (circuit?.openUntil === undefined) return undefined
    if (now < circuit.openUntil) return circuit.openUntil - now
    return circuit.isTried ? this.#coolDownMs : undefined
  }

  /** Takes note that a call runs; `true` when it is the one that tries an open circuit. */
  admit(key: string): boolean {
    const circuit = this.#circuits.get(key)
    if (circuit?.openUntil === undefined) return false
    circuit.isTried = true
    return true
  }

  /** The call worked: the row of failures is over. */
  succeed(key: string): void {
    this.#circuits.delete(key)
  }

  /** The call failed. */
  fail(key: string, now: number, isTrial: boolean): void {
    const circuit = this.#circuits.get(key) ?? this.#create(key)
    if (now - circuit.lastFailureAt > this.#windowMs && circuit.openUntil === undefined)
      circuit.failures = 0
    circuit.failures += 1
    circuit.lastFailureAt = now
    if (isTrial) circuit.isTried = false
    if (isTrial || circuit.failures >= this.#maxFailures) circuit.openUntil = now + this.#coolDownMs
  }

  /** The call that tried ended without showing anything, such as by being cancelled: another may try. */
  forgetTrial(key: string): void {
    const circuit = this.#circuits.get(key)
    if (circuit !== undefined) circuit.isTried = false
  }

  #create(key: string): Circuit {
    if (this.#circuits.size >= maxCircuits) {
      const oldest = this.#circuits.keys().next()
      if (oldest.done !== true) this.#circuits.delete(oldest.value)
    }
    const circuit: Circuit = {
      failures: 0,
      lastFailureAt: -Infinity,
      openUntil: undefined,
      isTried: false,
    }
    this.#circuits.set(key, circuit)
    return circuit
  }
}
