/** How far back proposals count, in milliseconds. */
export const rateWindowMs = 60_000
/** With more owners than this, those that did not propose of late are forgotten. */
const manyOwners = 1_000

/** When each owner proposed within the last minute. It heeds a clock that is set back or forth: nobody waits for more than a minute. */
export class ProposalRate {
  readonly #times = new Map<string, number[]>()

  /** Notes a proposal. */
  note(owner: string, now: number): void {
    if (!this.#times.has(owner) && this.#times.size >= manyOwners) this.#forgetIdle(now)
    this.#times.set(owner, [...this.#recent(owner, now), now])
  }

  /** How many proposals count now. */
  used(owner: string, now: number): number {
    return this.#recent(owner, now).length
  }

  /** After how many milliseconds fewer than `limit` count. */
  waitMs(owner: string, { limit, now }: { readonly limit: number; readonly now: number }): number {
    const times = this.#recent(owner, now)
    const last = times[times.length - limit]
    return last === undefined ? 0 : last + rateWindowMs - now
  }

  #recent(owner: string, now: number): number[] {
    const times = this.#times.get(owner) ?? []
    // What lies ahead was noted before the clock was set back.
    const recent = times
      .map((time) => Math.min(time, now))
      .filter((time) => time > now - rateWindowMs)
    if (recent.length === 0) this.#times.delete(owner)
    else this.#times.set(owner, recent)
    return recent
  }

  #forgetIdle(now: number): void {
    for (const owner of this.#times.keys()) this.#recent(owner, now)
  }
}
