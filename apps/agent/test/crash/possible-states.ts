/** Something that was asked for, and what it leads to if it happens. */
export interface Step<State> {
  readonly begunAt: number
  /** When it was over; Infinity while it is under way. */
  readonly endedAt: number
  /** Whether it is known to have happened. */
  readonly isCertain: boolean
  readonly leadsTo: State
}

/**
 * The states in which things can be, whichever of the steps that overlapped came last: what every step leads to that no other
 * step, which certainly happened, began after.
 */
export function possibleStates<State>(
  steps: readonly Step<State>[],
  initial: State,
): ReadonlySet<State> {
  const beginning = { begunAt: -1, endedAt: -1, isCertain: true, leadsTo: initial }
  const latest = Math.max(-1, ...steps.filter((step) => step.isCertain).map((step) => step.begunAt))
  return new Set(
    [beginning, ...steps].filter(({ endedAt }) => endedAt >= latest).map(({ leadsTo }) => leadsTo),
  )
}
