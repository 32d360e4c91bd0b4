/** Knows what was stopped and acknowledged, and not lifted since. Its answer is a client's view: what nobody may see broken. */
export class StopGuard {
  /** By name of the tool; the empty name stands for all of them. */
  readonly #stops = new Map<string, symbol>()
  readonly #lifts = new Map<string, number>()
  readonly #revoked = new Map<number, number>()
  #calls = 0

  /** Somebody begins to lift a stop, and may or may not get there: from now on nothing is certain. */
  beginLift(name = ''): void {
    this.#stops.delete(name)
    this.#lifts.set(name, (this.#lifts.get(name) ?? 0) + 1)
  }

  endLift(name = ''): void {
    this.#lifts.set(name, (this.#lifts.get(name) ?? 0) - 1)
  }

  /** A stop was acknowledged. */
  stopped(name = ''): void {
    if ((this.#lifts.get(name) ?? 0) === 0) this.#stops.set(name, Symbol(name))
  }

  /** A revocation was acknowledged, of the version whose program returns this number. */
  revoked(token: number): void {
    this.#revoked.set(token, this.#calls)
  }

  /** A call begins. What is given tells, once it has succeeded, whether it was stopped all the while. */
  watch(name: string): (token: unknown) => boolean {
    this.#calls += 1
    const call = this.#calls
    const stops = [name, ''].map((subject) => [subject, this.#stops.get(subject)] as const)
    return (token) =>
      stops.some(([subject, stop]) => stop !== undefined && this.#stops.get(subject) === stop) ||
      (this.#revoked.get(token as number) ?? Infinity) < call
  }
}
