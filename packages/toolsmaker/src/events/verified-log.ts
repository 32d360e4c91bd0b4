import type { JsonValue } from '@toolcrib/registry'
import type { AuditVerification, EventStore } from './event-store.ts'
import { hashJson } from '../hash-json.ts'
import { openCheckpoint, signCheckpoint } from '../trust/trust-checkpoint.ts'
import type { Trust } from '../trust/trust.ts'
import type { LifecycleState } from '../lifecycle/lifecycle-state.ts'

/** Raised whenever a version may be judged otherwise than before on the same grounds. */
const judgementEdition = 2

/** SHA-256 over everything that grants are verified against. */
function hashTrust(trust: Trust): string {
  const approvers = [...trust.approvers().values()]
    .map(({ id, principals = [], publicKey }) => [id, publicKey, ...principals])
    .toSorted(([left = ''], [right = '']) => (left < right ? -1 : 1))
  const policy = trust.policy() as unknown as JsonValue
  return hashJson({ judgementEdition, approvers, policy, host: trust.hostSigner().publicKey })
}

/** What a log was at an earlier time, as the trust remembers it. */
export class VerifiedLog {
  readonly #trust: Trust
  readonly #store: EventStore
  /** Whether this process has verified every grant of the log, and found no fault. */
  isClean = false
  #sequence = 0
  #trustHash = ''
  #problem: string | undefined
  #problemAt = 0
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

  /** Compares the log with what the trust remembers of it. `firstProblem` is the first row that is wrong in itself. */
  async open(firstProblem: number | undefined): Promise<void> {
    const signed = await this.#trust.readCheckpoint(this.#store.namespace)
    if (signed === undefined) return
    this.#doubtful = { after: 0, upTo: this.#store.sequence }
    const checkpoint = await openCheckpoint(signed, this.#trust.hostSigner())
    if (checkpoint === undefined) {
      this.#problem = 'the checkpoint outside the store is not signed by this host'
      return
    }
    const headHash = await this.#store.hashAt(checkpoint.sequence)
    if (headHash !== checkpoint.headHash || checkpoint.namespace !== this.#store.namespace) {
      this.#problemAt = Math.min(checkpoint.sequence, this.#store.sequence + 1)
      this.#problem =
        checkpoint.sequence > this.#store.sequence
          ? `the log was cut: it ended at event ${checkpoint.sequence} before, now at ${this.#store.sequence}`
          : `the log was written anew: event ${checkpoint.sequence} is not the one that was there`
      return
    }
    if (firstProblem !== undefined && firstProblem <= checkpoint.sequence) return
    this.#sequence = checkpoint.sequence
    this.#trustHash = checkpoint.trustHash
    this.#doubtful = { after: checkpoint.sequence, upTo: this.#store.sequence }
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
    return this.#sequence > 0 && this.#trustHash === hashTrust(this.#trust) ? this.#sequence : 0
  }

  /**
   * Remembers that the log is verified up to where it was folded into a state. A log of which a row is wrong, was skipped, or
   * cannot have happened is never remembered: whoever looks for it later must still find it.
   */
  async save({
    firstFault,
    sequence,
  }: Pick<LifecycleState, 'firstFault' | 'sequence'>): Promise<void> {
    const { namespace } = this.#store
    const trustHash = hashTrust(this.#trust)
    // What does not fit is for a person to look at, not to be overwritten.
    if (this.#problem !== undefined || firstFault !== undefined || sequence === 0) return
    if (sequence === this.#sequence && trustHash === this.#trustHash) return
    const headHash = await this.#store.hashAt(sequence)
    if (headHash === undefined) return
    const checkpoint = { namespace, sequence, headHash, trustHash }
    const signed = await signCheckpoint(checkpoint, this.#trust.hostSigner())
    await this.#trust.saveCheckpoint(namespace, signed)
    this.#sequence = sequence
    this.#trustHash = trustHash
  }

  /** A verification of the log, with what the trust remembers taken into account. */
  judge(verification: AuditVerification): AuditVerification {
    if (!verification.ok || this.#problem === undefined) return verification
    const { events } = verification
    return { ok: false, sequence: this.#problemAt, reason: this.#problem, events }
  }
}
