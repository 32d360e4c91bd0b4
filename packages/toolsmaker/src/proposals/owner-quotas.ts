import { type Principal, type ToolError, principalKey } from '@toolcrib/registry'
import type { OwnerLimits } from '../approvals/owner-limits.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import type { StoredEvent } from '../events/event-store.ts'
import { showValue } from '../review/show-value.ts'
import type { LifecycleState } from '../lifecycle/lifecycle-state.ts'
import type { ToolContent } from '../tool-spec.ts'
import { measure } from './owner-usage.ts'
import { ProposalRate } from './proposal-rate.ts'

/** What quotas are held against. */
export interface OwnerQuotasOptions {
  readonly state: LifecycleState
  readonly limits: () => OwnerLimits
  /** Has the limits read anew. */
  readonly refresh: () => Promise<void>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Who proposes a version of what. */
interface Asked {
  readonly principal: Principal
  readonly name: string
}

/** What somebody proposes. */
interface QuotedProposal extends Asked {
  /** Absent where it is not written yet. */
  readonly content?: ToolContent
}

/**
 * Holds owners to what the policy allows each of them, so that none fills the record or keeps the host from the others. What counts
 * is what the log of the namespace holds, so that a restart gives nobody anything.
 */
export class OwnerQuotas {
  readonly #options: OwnerQuotasOptions
  readonly #rate = new ProposalRate()

  constructor(options: OwnerQuotasOptions) {
    this.#options = options
  }

  /** Takes in which proposals of the last minute are on record, from the end of the log. */
  restore(latest: readonly StoredEvent[]): void {
    const now = this.#options.now()
    for (const { event } of latest)
      if (event?.type === 'tool_build_requested')
        this.#rate.note(
          `${event.actor.kind}:${event.actor.id}`,
          Math.min(Date.parse(event.at), now),
        )
  }

  /** Tells why a proposal of an owner would not be let in now, whatever it holds; counts nothing. */
  check(asked: Asked): ToolError<'OWNER_QUOTA_EXCEEDED'> | undefined {
    return isExempt(asked.principal) ? undefined : this.#problemOf(asked, true)
  }

  /**
   * Lets a proposal in and counts it, before anything of it is checked.
   *
   * @throws {ToolError} OWNER_QUOTA_EXCEEDED
   */
  async admit(proposal: QuotedProposal): Promise<void> {
    if (isExempt(proposal.principal)) return
    if (this.#problemOf(proposal, true) !== undefined) {
      // An operator may have raised the limit meanwhile.
      await this.#options.refresh()
      const problem = this.#problemOf(proposal, true)
      if (problem !== undefined) throw problem
    }
    this.#rate.note(principalKey(proposal.principal), this.#options.now())
  }

  /**
   * Looks again when the turn of a proposal that was let in has come: those before it may have used up what was left.
   *
   * @throws {ToolError} OWNER_QUOTA_EXCEEDED
   */
  assertRoom(proposal: QuotedProposal): void {
    if (isExempt(proposal.principal)) return
    const problem = this.#problemOf(proposal, false)
    if (problem !== undefined) throw problem
  }

  #problemOf(
    { content, name, principal }: QuotedProposal,
    withRate: boolean,
  ): ToolError<'OWNER_QUOTA_EXCEEDED'> | undefined {
    const { limits: readLimits, now: readNow, state } = this.#options
    const owner = principalKey(principal)
    const limits = readLimits()
    const now = readNow()
    const who = showValue(owner)
    const recent = withRate ? this.#rate.used(owner, now) : 0
    if (recent >= limits.proposalsPerMinute) {
      const limit = limits.proposalsPerMinute
      const retryAfterMs = this.#rate.waitMs(owner, { limit, now })
      return exceeded('proposalsPerMinute', { limit, used: recent, retryAfterMs }, [
        `${who} has proposed ${recent} times within a minute, and ${limit} are allowed.`,
        `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`,
      ])
    }
    const { bytes, live, pending, stopped } = state.owners.of(owner)
    const ends = [...pending.values()].filter((end) => end > now)
    if (ends.length >= limits.pending) {
      const retryAfterMs = Math.min(...ends) - now
      const use = { limit: limits.pending, used: ends.length, retryAfterMs }
      return exceeded('pending', use, [
        `${ends.length} proposals of ${who} wait for a person, and ${limits.pending} may.`,
        'Withdraw those that are not needed any more, or wait until a person has decided.',
      ])
    }
    const versions = state.tools.get(name)?.versions.size ?? 0
    if (versions >= limits.versionsPerName)
      return exceeded('versionsPerName', { limit: limits.versionsPerName, used: versions }, [
        `There are ${versions} versions of ${showValue(name)}, and ${limits.versionsPerName} are allowed for one name.`,
        'Use the tool as it is, or choose another name.',
      ])
    if (live.size >= limits.liveTools && !live.has(name))
      return exceeded('liveTools', { limit: limits.liveTools, used: live.size }, [
        `${live.size} tools of ${who} are in use, and ${limits.liveTools} may be.`,
        'Take those out of use that are not needed any more.',
      ])
    if (stopped.size >= limits.stoppedVersions)
      return exceeded('stoppedVersions', { limit: limits.stoppedVersions, used: stopped.size }, [
        `${stopped.size} versions of ${who} are out of use and could come back, and ${limits.stoppedVersions} may be.`,
        'Ask an operator to revoke those that are not to come back.',
      ])
    if (bytes + measure(content) > limits.bytes)
      return exceeded('bytes', { limit: limits.bytes, used: bytes }, [
        `What ${who} has proposed until now takes ${bytes} bytes, and with this it would be more than the ${limits.bytes} that are allowed.`,
        'Ask an operator to raise ownerLimits.bytes in the policy.',
      ])
    return undefined
  }
}

function isExempt({ kind }: Principal): boolean {
  return kind === 'person'
}

function exceeded(
  quota: keyof OwnerLimits,
  use: { readonly limit: number; readonly used: number; readonly retryAfterMs?: number },
  sentences: readonly string[],
): ToolError<'OWNER_QUOTA_EXCEEDED'> {
  const { limit, retryAfterMs = null, used } = use
  return toolsmakerError('OWNER_QUOTA_EXCEEDED', sentences.join(' '), {
    // Without a time: waiting does not help.
    data: { quota, limit, used, retryAfterMs },
  }) as ToolError<'OWNER_QUOTA_EXCEEDED'>
}
