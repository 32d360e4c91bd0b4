import type { JsonValue } from '@toolcrib/registry'
import type { AuditVerification, EventStore } from './event-store.ts'
import { hashJson } from '../hash-json.ts'
import type { LifecycleState } from '../lifecycle/lifecycle-state.ts'
import type { StopList } from '../stops/stop-list.ts'
import {
  type LogHead,
  type TrustCheckpoint,
  openCheckpoint,
  signCheckpoint,
} from '../trust/trust-checkpoint.ts'
import type { Trust } from '../trust/trust.ts'

/** Raised whenever a version may be judged otherwise than before on the same grounds. */
const judgementEdition = 3

/** The head of no log: what is kept of stops where no log was ever accepted. */
export const noLog: LogHead = { store: '0'.repeat(64), sequence: 0, headHash: '0'.repeat(64) }

/** SHA-256 over everything that grants are verified against. */
function hashTrust(trust: Trust): string {
  const approvers = [...trust.approvers().values()]
    .map(({ id, principals = [], publicKey }) => [id, publicKey, ...principals])
    .toSorted(([left = ''], [right = '']) => (left < right ? -1 : 1))
  const policy = trust.policy() as unknown as JsonValue
  return hashJson({ judgementEdition, approvers, policy, host: trust.hostSigner().publicKey })
}

/** A log as the trust remembers it: what it was, what of it was verified, and what is stopped in it. */
export class VerifiedLog {
  readonly #trust: Trust
  readonly #store: EventStore
  /** Whether this process has verified every grant of the log, and found no fault. */
  isClean = false
  #known: TrustCheckpoint | undefined
  #problem: string | undefined
  #problemAt = 0
  /** The trust remembers nothing of this namespace. */
  #isUnseen = false
  #verified: TrustCheckpoint['verified'] = null
  /** Events that were there when the log was opened, and that the trust does not remember: anybody may have added them. */
  #doubtful = { after: Infinity, upTo: 0 }

  constructor(trust: Trust, store: EventStore) {
    this.#trust = trust
    this.#store = store
  }

  /** Why the log cannot be the one that the trust remembers. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** The checkpoint as it was last read or written; `undefined` where there is none, or none that this host signed. */
  get known(): TrustCheckpoint | undefined {
    return this.#known
  }

  /** Compares the log with what the trust remembers of it. */
  async open({
    firstProblem,
    format,
    sequence,
    startedBy,
  }: Pick<LifecycleState, 'firstProblem' | 'format' | 'sequence' | 'startedBy'>): Promise<void> {
    const signed = await this.#trust.readCheckpoint(this.#store.namespace)
    this.#doubtful = { after: 0, upTo: sequence }
    this.#isUnseen = signed === undefined
    if (signed === undefined) {
      // A log of the first form does not say who began it; what was granted in it counts no longer.
      const isOwn =
        sequence === 0 || format === 1 || startedBy === this.#trust.hostSigner().publicKey
      if (!isOwn) this.#problem = 'another host began it, and this one has not seen it before'
      this.#problemAt = 1
      return
    }
    this.#known = await openCheckpoint(signed, this.#trust.hostSigner())
    const known = this.#known
    this.#problem =
      known === undefined
        ? 'the checkpoint outside the store is not signed by this host'
        : await this.#compare(known)
    if (known === undefined || this.#problem !== undefined) return
    // The head says what was there, and not that anybody looked at it.
    this.#doubtful = { after: known.verified?.sequence ?? 0, upTo: sequence }
    if (firstProblem !== undefined && firstProblem <= known.sequence) {
      this.#problemAt = firstProblem
      this.#problem = `the log was changed: event ${firstProblem} is not what its hash says`
      return
    }
    this.#verified = known.verified
  }

  async #compare(known: TrustCheckpoint): Promise<string | undefined> {
    const { namespace, sequence } = this.#store
    this.#problemAt = Math.min(known.sequence, sequence + 1)
    if (known.namespace !== namespace) return `it is that of namespace ${namespace}`
    if (known.sequence > sequence)
      return `the log was cut: it ended at event ${known.sequence} before, now at ${sequence}`
    const first = await this.#store.hashAt(1)
    // One of an older form knew no identity.
    if (known.store !== '' && first !== known.store) {
      this.#problemAt = 1
      return 'it is another event log than the one that was there: it begins with another row'
    }
    return (await this.#store.hashAt(known.sequence)) === known.headHash
      ? undefined
      : `the log was written anew: event ${known.sequence} is not the one that was there`
  }

  /** Whether the trust remembers an event, or remembers nothing of any log. */
  mayBeKnown(sequence: number): boolean {
    const { known, problem } = this
    return known === undefined
      ? problem === undefined || this.#isUnseen
      : problem === undefined && sequence <= known.sequence
  }

  /** Whether an event came neither from this process nor from what the trust remembers of the log. */
  isDoubtful(sequence: number): boolean {
    return sequence > this.#doubtful.after && sequence <= this.#doubtful.upTo
  }

  /**
   * Up to which event every grant was verified, against the very trust of now; 0 when that cannot be said. The rows up to
   * there are byte for byte the ones that were verified, so nothing would come out differently.
   */
  verifiedUpTo(): number {
    return this.#verified?.trustHash === hashTrust(this.#trust) ? this.#verified.sequence : 0
  }

  /**
   * Remembers where the log ends, and that it is verified up to there. A log of which a row is wrong, was skipped, or cannot have
   * happened is never remembered as verified, so that whoever looks for it later still finds it.
   */
  async saveVerified(state: LifecycleState, stops: StopList): Promise<void> {
    const { firstFault, firstProblem, sequence } = state
    const trustHash = hashTrust(this.#trust)
    // What does not fit is for a person to look at, not to be overwritten.
    if (this.#problem !== undefined || firstProblem !== undefined || sequence === 0) return
    const { sequence: head, verified } = this.#known ?? {}
    if (!this.isClean || firstFault !== undefined) {
      if (head !== sequence) await this.saveStops(state, stops)
      return
    }
    if (sequence === verified?.sequence && trustHash === verified.trustHash) return
    const verifiedNow = { sequence, trustHash }
    await this.#write({ ...(await this.#headOf(sequence)), verified: verifiedNow }, stops)
    this.#verified = verifiedNow
  }

  /**
   * Remembers what is stopped, and where the log ends now. Of a log that is not the one that was there, the end that was
   * remembered stays until a person accepts another.
   */
  async saveStops(state: LifecycleState, stops: StopList): Promise<void> {
    const known = this.#known
    if (this.#problem === undefined) {
      const head = await this.#headOf(state.sequence)
      await this.#write({ ...head, verified: this.#verified }, stops)
    } else {
      const { headHash, sequence, store } = known ?? noLog
      await this.#write({ headHash, sequence, store, verified: null }, stops)
    }
  }

  /** Takes the log as it is now for the right one, because a person signed that it is. */
  async accept(state: LifecycleState, stops: StopList): Promise<void> {
    await this.#write({ ...(await this.#headOf(state.sequence)), verified: null }, stops)
    this.#problem = undefined
    this.#verified = null
    this.#doubtful = { after: 0, upTo: state.sequence }
  }

  /** The head of the log as it is now. */
  async #headOf(sequence: number): Promise<LogHead> {
    const [store = '', headHash = ''] = [
      await this.#store.hashAt(1),
      await this.#store.hashAt(sequence),
    ]
    return { store, sequence, headHash }
  }

  async #write(part: LogHead & Pick<TrustCheckpoint, 'verified'>, stops: StopList): Promise<void> {
    const { namespace } = this.#store
    const { pause = null } = stops
    const checkpoint = { ...part, namespace, pause, stopped: stops.versions() }
    const signed = await signCheckpoint(checkpoint, this.#trust.hostSigner())
    await this.#trust.saveCheckpoint(namespace, signed)
    this.#known = checkpoint
  }

  /** A verification of the log, with what the trust remembers and what the rows say taken into account. */
  judge(
    verification: AuditVerification,
    { firstFault }: Pick<LifecycleState, 'firstFault'>,
  ): AuditVerification {
    if (!verification.ok) return verification
    const { events } = verification
    if (this.#problem !== undefined)
      return { ok: false, sequence: this.#problemAt, reason: this.#problem, events }
    if (firstFault === undefined) return verification
    const reason = `event ${firstFault} cannot have happened, so this host did not write it`
    return { ok: false, sequence: firstFault, reason, events }
  }
}
