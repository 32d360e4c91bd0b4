import type { Answer, Deed, DeedSubject, Fact } from './fact.ts'
import { type Step, possibleStates } from './possible-states.ts'

/** A deed as far as its client knows. `cut off`: the host was killed before it answered. */
export interface KnownDeed extends DeedSubject {
  readonly deed: Deed
  readonly begunAt: number
  endedAt: number
  outcome: 'under way' | 'done' | 'refused' | 'cut off'
  /** What a proposal was answered to be. */
  status?: string | undefined
}

/** How much was acknowledged. */
export interface Counts {
  readonly answers: number
  readonly proposals: number
  readonly decisions: number
  readonly stops: number
}

const decisions: ReadonlySet<Deed> = new Set([
  'approve',
  'reject',
  'withdraw',
  'activate',
  'resume',
])
const stops: ReadonlySet<Deed> = new Set(['deactivate', 'revoke', 'pause'])

/** Everything that hosts on one data folder have told their clients. */
export class Promises {
  readonly answers: Answer[] = []
  readonly #deeds = new Map<string, KnownDeed>()
  readonly #byName = new Map<string, KnownDeed[]>()
  readonly #seen = new Map<string, Step<number | null>[]>()
  readonly #pauses: Step<boolean>[] = []
  #now = 0

  /** Takes in what was said next. */
  add(fact: Fact): void {
    this.#now += 1
    if (fact.fact === 'up') this.#cutOff()
    else if (fact.fact === 'answered') this.answers.push(fact)
    else if (fact.fact === 'begun') this.#begin(fact)
    else if (fact.fact === 'done') this.#end(fact.id, { outcome: 'done', status: fact.status })
    else if (fact.fact === 'refused') this.#end(fact.id, { outcome: 'refused' })
    else if (fact.fact === 'seen') this.#see(fact)
  }

  /** Every tool that was ever proposed. */
  names(): readonly string[] {
    return [...this.#byName.keys()].filter((name) => name !== '')
  }

  /** What was asked about one tool; without a name, about all of them at once. */
  deedsOf(name = ''): readonly KnownDeed[] {
    return this.#byName.get(name) ?? []
  }

  /** The tokens that a call of a tool may return now; `null` where it may be out of use. */
  possibleTokens(name: string): ReadonlySet<number | null> {
    const deeds = this.deedsOf(name)
    const steps = deeds.flatMap((deed) => stepOf(deed))
    const tokens = new Set(possibleStates([...steps, ...(this.#seen.get(name) ?? [])], null))
    // A revocation is for ever, whatever came after it.
    for (const { deed, outcome, token } of deeds) {
      if (deed !== 'revoke' || outcome === 'refused' || token === undefined || !tokens.has(token))
        continue
      tokens.add(null)
      if (outcome === 'done') tokens.delete(token)
    }
    return tokens
  }

  /** Whether all made tools may be paused now, and whether they may not. */
  possiblePauses(): ReadonlySet<boolean> {
    const steps = this.deedsOf().flatMap((known) =>
      known.outcome === 'refused' ? [] : [{ ...spanOf(known), leadsTo: known.deed === 'pause' }],
    )
    return possibleStates([...steps, ...this.#pauses], false)
  }

  count(): Counts {
    const done = [...this.#deeds.values()].filter(({ outcome }) => outcome === 'done')
    return {
      answers: this.answers.length,
      proposals: done.filter(({ deed }) => deed === 'propose').length,
      decisions: done.filter(({ deed }) => decisions.has(deed)).length,
      stops: done.filter(({ deed }) => stops.has(deed)).length,
    }
  }

  #begin(begun: Extract<Fact, { fact: 'begun' }>): void {
    const deed: KnownDeed = {
      ...begun,
      begunAt: this.#now,
      endedAt: Infinity,
      outcome: 'under way',
    }
    this.#deeds.set(begun.id, deed)
    const { name = '' } = deed
    const others = this.#byName.get(name)
    if (others === undefined) this.#byName.set(name, [deed])
    else others.push(deed)
  }

  #end(id: string, end: Partial<KnownDeed>): void {
    const deed = this.#deeds.get(id)
    if (deed !== undefined) Object.assign(deed, { ...end, endedAt: this.#now })
  }

  #cutOff(): void {
    for (const deed of this.#deeds.values())
      if (deed.outcome === 'under way')
        Object.assign(deed, { outcome: 'cut off', endedAt: this.#now })
  }

  #see(fact: Extract<Fact, { fact: 'seen' }>): void {
    const span = { begunAt: this.#now, endedAt: this.#now, isCertain: true }
    if ('paused' in fact) this.#pauses.push({ ...span, leadsTo: fact.paused })
    else {
      const step = { ...span, leadsTo: fact.token }
      this.#seen.set(fact.name, [...(this.#seen.get(fact.name) ?? []), step])
    }
  }
}

function spanOf({ begunAt, endedAt, outcome }: KnownDeed): Omit<Step<unknown>, 'leadsTo'> {
  return { begunAt, endedAt, isCertain: outcome === 'done' }
}

/** What a deed does to the version in use; nothing for deeds that only put something on record. */
function stepOf(known: KnownDeed): readonly Step<number | null>[] {
  const { byRule = false, deed, outcome, status, token } = known
  if (outcome === 'refused') return []
  if (deed === 'deactivate') return [{ ...spanOf(known), leadsTo: null }]
  const putsIntoUse =
    deed === 'approve' ||
    deed === 'activate' ||
    (deed === 'propose' && byRule && (outcome !== 'done' || status === 'activated'))
  return putsIntoUse && token !== undefined ? [{ ...spanOf(known), leadsTo: token }] : []
}
