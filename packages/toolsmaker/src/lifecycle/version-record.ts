import type { JsonObject } from '@toolcrib/registry'
import type { OpenedDecision, VersionStatement } from '../approvals/decision-statement.ts'
import type { Actor, ApprovedBy } from './lifecycle-event.ts'
import type { ToolContent, ToolRunLimits, ToolSpec } from '../tool-spec.ts'
import type { ToolStatus } from './tool-status.ts'

/** The approval of a version, as the log has it. Believe it only after its signatures were checked. */
interface RecordedApproval {
  readonly approvalId: string
  readonly approvedBy: ApprovedBy
  /** The log has no approval of an earlier version of this tool. */
  readonly firstOfTool: boolean
}

/** The activation of a version, as the log has it. */
interface RecordedActivation {
  /** The decision for it; where one decided approval and activation, that one. */
  readonly decision?: OpenedDecision<VersionStatement>
  readonly limits?: ToolRunLimits
}

/** What the log says about one version: a cache of its events. */
export interface VersionRecord {
  readonly name: string
  readonly version: number
  readonly kind: string
  readonly status: ToolStatus
  readonly createdAt: string
  readonly createdBy: Actor
  readonly provenance?: JsonObject
  readonly updatedAt: string
  /** Sequence of the last event that changed the state or the rights of the version. */
  readonly revision: number
  readonly contentHash: string
  readonly content?: ToolContent
  /** Sequence of the event that holds the validation report. */
  readonly reportSequence?: number
  /** Sequence of the event that holds the first one, which shows that the version was proposed to this host. */
  readonly firstReportSequence?: number
  /** SHA-256 of the generated part of that report, as it was when the version was validated. */
  readonly reportHash?: string
  /** The kind's fingerprint under which its evidence holds. */
  readonly fingerprint?: string
  /** Sequence of the event that says so. */
  readonly fingerprintSequence?: number
  /** Where the evidence is that a changed kind is compared with, and its hash, where that is not the report. */
  readonly evidence?: { readonly sequence: number; readonly hash?: string }
  /**
   * Nobody has accepted why it is out of use: it behaves differently under this fingerprint, or, where there is none, what lives
   * outside was changed. With the place of the event.
   */
  readonly hold?:
    | {
        readonly fingerprint?: string
        readonly sequence: number
        /** SHA-256 of how it behaved. */
        readonly evidenceHash: string
      }
    | undefined
  /** Sequence of the event that deactivated or quarantined it, as long as it was not activated since. */
  readonly stoppedAt?: number | undefined
  readonly pendingExpiresAt?: number
  readonly waitsBecause?: readonly string[]
  /** Somebody refused it when it waited for a decision. */
  readonly wasTurnedDown?: true
  /** It was in use when the log was upgraded from an older form. */
  readonly wasInUse?: true
  /** Decisions that approve it, in order. */
  readonly decisions: readonly OpenedDecision<VersionStatement>[]
  /** Why a decision on record cannot count, whoever signed it; such a one is not among the decisions. */
  readonly voided?: string
  readonly approval?: RecordedApproval
  /** Sequence of that approval, as long as an activation may rest on it without a decision of its own. */
  readonly approvedAt?: number | undefined
  readonly activation?: RecordedActivation
  /** Decisions that share it, in order. */
  readonly shareDecisions?: readonly OpenedDecision<VersionStatement>[]
  /** Why it was rejected, revoked or deactivated. */
  readonly reason?: string
  /** The last thing that was said about it being refused, so that it is said once. */
  readonly notice?: string
  /** What is wrong with the rows of the log about it; whatever they grant is void. */
  readonly damage?: string
}

/** The principal that proposed a version: as its content says, which is signed; older content says nothing. */
export function proposerOf({ content, createdBy }: VersionRecord): string {
  return content?.proposer ?? `${createdBy.kind}:${createdBy.id}`
}

/** The spec of a recorded version; `undefined` while it has no content. */
export function toSpec(record: VersionRecord): ToolSpec | undefined {
  return record.content === undefined ? undefined : specOf(record, record.content)
}

/** The spec that a record makes of a content. */
export function specOf(record: VersionRecord, content: ToolContent): ToolSpec {
  const { contentHash, createdAt, createdBy, provenance, version } = record
  return {
    ...content,
    version,
    contentHash,
    createdAt,
    createdBy: createdBy.id,
    ...(provenance === undefined ? {} : { provenance }),
  }
}
