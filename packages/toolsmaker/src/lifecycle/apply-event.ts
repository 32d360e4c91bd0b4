import { peekVersionDecision } from '../approvals/decision-schema.ts'
import type { SignedDecision, VersionStatement } from '../approvals/decision-statement.ts'
import type { SharedStrings } from '../events/shared-strings.ts'
import type { StatementReading } from '../statements/verify-statement.ts'
import { hashEvidence } from '../validation/report-hash.ts'
import type { VersionEvent } from './lifecycle-event.ts'
import { lifecycleTransitions, mayHappen } from './lifecycle-transitions.ts'
import type { VersionRecord } from './version-record.ts'

/** What an event is applied with. */
export interface EventPlace {
  readonly sequence: number
  /** Whether the log has no approval of an earlier version of the tool. */
  readonly firstOfTool: boolean
  /** Lets what is kept share its strings. */
  readonly strings?: SharedStrings
}

/**
 * Gives what the log says about a version after one more event. Pure. An event that cannot happen in the version's state
 * changes nothing but `damage`: a log that was written by us has none.
 */
export function applyEvent(
  record: VersionRecord | undefined,
  event: VersionEvent,
  place: EventPlace,
): VersionRecord | undefined {
  if (event.type === 'tool_build_requested') {
    if (record !== undefined) return damaged(record, event)
    return {
      name: event.name,
      version: event.version,
      kind: event.kind,
      status: 'draft',
      createdAt: event.at,
      createdBy: event.actor,
      ...(event.provenance === undefined ? {} : { provenance: event.provenance }),
      updatedAt: event.at,
      revision: place.sequence,
      contentHash: '',
      decisions: [],
    }
  }
  if (record === undefined) return undefined
  if (!mayHappen(event.type, record.status)) return damaged(record, event)
  if (event.type === 'tool_activated' && !isOfThisMoment(record, event, place))
    return damaged(record, event)
  const { to } = lifecycleTransitions[event.type]
  const changed = changeOf(record, event, place)
  // A notice changes neither state nor rights, so decisions that are on their way stay good.
  if (isNotice(event.type)) return { ...record, ...changed }
  return {
    ...record,
    ...changed,
    status: to === 'same' ? record.status : to,
    updatedAt: event.at,
    revision: place.sequence,
  }
}

/** Between an approval and the activation that rests on it, only the version that it replaces is taken out of use. */
const eventsUpToActivation = 2

/**
 * Whether an activation is decided on the version as it is. The decision that approved it stands for an activation directly behind
 * the approval only; each other one has its own, made after what happened last, so that none can be used twice.
 */
function isOfThisMoment(
  { approvedAt, revision }: VersionRecord,
  { decision }: Extract<VersionEvent, { type: 'tool_activated' }>,
  { sequence }: EventPlace,
): boolean {
  return decision === undefined
    ? approvedAt !== undefined && sequence - approvedAt <= eventsUpToActivation
    : basisOf(decision) === revision
}

/** What a decision was prepared after, in whatever form it was signed. */
function basisOf(decision: SignedDecision): unknown {
  const { opened } = peekVersionDecision(decision)
  const { statement } = decision as { readonly statement?: { readonly basis?: unknown } }
  return (opened?.statement ?? statement)?.basis
}

function damaged(record: VersionRecord, event: VersionEvent): VersionRecord {
  const damage = `the log has ${event.type} for a version that was ${record.status}`
  return { ...record, damage: record.damage ?? damage }
}

function isNotice(type: VersionEvent['type']): boolean {
  return (
    type === 'tool_tampered' ||
    type === 'tool_policy_blocked' ||
    type === 'tool_activation_failed' ||
    type === 'tool_evidence_repeated'
  )
}

type VersionChange = Partial<VersionRecord>

function changeOf(record: VersionRecord, event: VersionEvent, place: EventPlace): VersionChange {
  const { firstOfTool, sequence } = place
  switch (event.type) {
    case 'tool_build_generated':
      return { contentHash: event.contentHash, content: event.content }
    case 'tool_build_validated':
      return {
        reportSequence: sequence,
        firstReportSequence: sequence,
        ...(event.reportHash === undefined ? {} : { reportHash: event.reportHash }),
        ...(event.fingerprint === undefined
          ? {}
          : { fingerprint: event.fingerprint, fingerprintSequence: sequence }),
      }
    case 'tool_validated_again':
      return {
        reportSequence: sequence,
        reportHash: event.reportHash,
        // How it behaved when it was approved stays what a changed kind is compared with.
        ...evidenceBefore(record),
      }
    case 'tool_evidence_repeated':
      return { fingerprint: event.fingerprint, fingerprintSequence: sequence }
    case 'tool_held':
      return {
        stoppedAt: sequence,
        approvedAt: undefined,
        reason: event.reason,
        hold: {
          sequence,
          evidenceHash: hashEvidence(event.evidence ?? []),
          ...(event.fingerprint === undefined ? {} : { fingerprint: event.fingerprint }),
        },
      }
    case 'tool_build_rejected':
      return {
        reportSequence: sequence,
        ...(event.reportHash === undefined ? {} : { reportHash: event.reportHash }),
        reason: event.reasons.join('; '),
      }
    case 'tool_approval_required':
      return { pendingExpiresAt: event.expiresAt, waitsBecause: event.reasons }
    case 'tool_approval_given':
      return withDecision(record, openDecision(event.decision, place))
    case 'tool_approved': {
      const { approvalId, approvedBy, decision } = event
      return {
        ...withDecision(record, openDecision(decision, place)),
        approval: { approvalId, approvedBy, firstOfTool },
        approvedAt: sequence,
      }
    }
    case 'tool_activated': {
      const { limits } = event
      // Without one of its own, the decision that approved it just before stands for both.
      const { opened: own, problem } =
        event.decision === undefined ? {} : openDecision(event.decision, place)
      const decision = event.decision === undefined ? record.decisions.at(-1) : own
      const activation = {
        ...(decision === undefined ? {} : { decision }),
        ...(limits === undefined ? {} : { limits }),
      }
      const voided = problem === undefined ? {} : { voided: problem }
      return {
        activation,
        approvedAt: undefined,
        stoppedAt: undefined,
        ...voided,
        ...acceptHold(record, sequence),
      }
    }
    case 'tool_share_ended':
      return { shareDecisions: [] }
    case 'tool_share_given':
    case 'tool_shared':
      return withShare(record, openDecision(event.decision, place))
    case 'tool_deactivated':
      return { reason: event.reason, stoppedAt: sequence }
    case 'tool_rejected':
      return { reason: event.reason, wasTurnedDown: true }
    case 'tool_revoked':
      // Nothing lifts a revocation, so nothing needs to remember the stop before it.
      return { reason: event.reason, stoppedAt: undefined }
    case 'tool_withdrawn':
      return { reason: event.reason }
    case 'tool_expired':
      return {
        reason: event.what === 'request' ? 'nobody decided in time' : 'the approval ran out',
      }
    case 'tool_superseded':
      return { reason: `replaced by version ${event.by}` }
    case 'tool_policy_blocked':
      // What a call tried says nothing about whether the version may be used.
      return event.count === undefined ? { notice: noticeText(event.type, event.reason) } : {}
    case 'tool_activation_failed':
      return { notice: noticeText(event.type, event.reason), approvedAt: undefined }
    case 'tool_tampered':
      return { notice: noticeText(event.type, event.reason) }
    default:
      return {}
  }
}

function evidenceBefore({
  evidence,
  reportHash: hash,
  reportSequence,
}: VersionRecord): VersionChange {
  if (evidence !== undefined || reportSequence === undefined) return {}
  return { evidence: { sequence: reportSequence, ...(hash === undefined ? {} : { hash }) } }
}

type DecisionReading = StatementReading<VersionStatement>

function openDecision(decision: SignedDecision, { strings }: EventPlace): DecisionReading {
  const reading = peekVersionDecision(decision)
  if (reading.opened !== undefined) strings?.shareDecision(reading.opened)
  return reading
}

/** One more decision on record; one that cannot be read leaves why. */
function withDecision(
  { decisions }: VersionRecord,
  { opened, problem }: DecisionReading,
): VersionChange {
  return opened === undefined ? { voided: problem } : { decisions: [...decisions, opened] }
}

function withShare(
  { shareDecisions = [] }: VersionRecord,
  { opened, problem }: DecisionReading,
): VersionChange {
  return opened === undefined
    ? { voided: problem }
    : { shareDecisions: [...shareDecisions, opened] }
}

/** Whoever activates a held version accepts how it behaves now. What lives outside is put up anew, so nothing else changes. */
function acceptHold({ hold }: VersionRecord, sequence: number): VersionChange {
  if (hold === undefined) return {}
  return hold.fingerprint === undefined
    ? { hold: undefined }
    : {
        fingerprint: hold.fingerprint,
        fingerprintSequence: sequence,
        evidence: { sequence: hold.sequence, hash: hold.evidenceHash },
        hold: undefined,
      }
}

/** How a notice is remembered, so that the same one is not recorded at every start. */
export function noticeText(type: VersionEvent['type'], reason: string): string {
  return `${type}: ${reason}`
}
