import type { StoredEvent } from '../events/event-store.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import { diffVersions } from './review-diff.ts'
import type { HeldReport } from './read-report.ts'
import type { ReviewDifference, ReviewHistoryEntry, ToolReview } from './review.ts'
import { showContent, showRun } from './show-content.ts'
import { makeVisible } from '../validation/suspicious-text.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { ValidationReport } from '../validation/validation-report.ts'
import { type VersionRecord, proposerOf } from '../lifecycle/version-record.ts'

/** What a review is made from. */
export interface ReviewParts {
  readonly record: VersionRecord
  readonly content: ToolContent
  /** With what follows from the content made anew. */
  readonly report: ValidationReport
  /** Where that is not what is on record. */
  readonly differs: readonly ReviewDifference[]
  /** The last version that was approved before this one, and what it may do. */
  readonly previous?: {
    readonly version: number
    readonly content: ToolContent
    readonly powers: readonly string[]
    readonly steps: readonly string[]
    readonly source: string | undefined
  }
  /** As its kind writes it, where there is a version to compare it with. */
  readonly source?: string | undefined
  /** Why it is held, and how it behaves now. */
  readonly held?: HeldReport
  /** The version's own events. */
  readonly events: readonly StoredEvent[]
}

/** Writes what a person reads before deciding. The same parts always give the same review. */
export function renderReview(parts: ReviewParts): ToolReview {
  const { content, previous, record, report } = parts
  const { powers } = report
  const shown = showContent(content, report)
  const { pendingExpiresAt } = record
  return {
    name: record.name,
    version: record.version,
    kind: record.kind,
    contentHash: record.contentHash,
    ...(record.reportHash === undefined ? {} : { reportHash: record.reportHash }),
    status: record.status,
    ...(parts.differs.length === 0 ? {} : { differs: parts.differs.map(showDifference) }),
    powers: shown.powers,
    newPowers: newPowers(powers, previous).map(makeVisible),
    settings: shown.settings,
    steps: shown.steps,
    ...(shown.definition === undefined ? {} : { definition: shown.definition }),
    suspicions: shown.suspicions,
    risk: shown.risk,
    waitsBecause: (record.waitsBecause ?? []).map(makeVisible),
    checks: shown.checks,
    evidence: shown.evidence,
    ...(parts.held === undefined
      ? {}
      : {
          held: {
            reason: makeVisible(parts.held.reason),
            evidence: parts.held.evidence.map(showRun),
          },
        }),
    ...(previous === undefined
      ? {}
      : {
          change: {
            fromVersion: previous.version,
            sentences: report.change.map(makeVisible),
            diff: diffVersions(
              {
                ...previous,
                label: `${record.name} v${previous.version}`,
              },
              {
                label: `${record.name} v${record.version}`,
                content,
                powers,
                steps: report.steps,
                source: parts.source,
              },
            ),
          },
        }),
    proposedBy: makeVisible(proposerOf(record)),
    proposedAt: record.createdAt,
    owner: shown.owner,
    ...(pendingExpiresAt === undefined
      ? {}
      : { expiresAt: new Date(Math.min(pendingExpiresAt, 8.64e15)).toISOString() }),
    modelsRead: shown.modelsRead,
    examples: shown.examples,
    authorSays: shown.authorSays,
    history: parts.events.flatMap(({ event, sequence }) =>
      event === undefined ? [] : [historyEntry(event, sequence)],
    ),
  }
}

function showDifference({ what, recorded, now }: ReviewDifference): ReviewDifference {
  return { what, recorded: recorded.map(makeVisible), now: now.map(makeVisible) }
}

function newPowers(
  powers: readonly string[],
  previous: ReviewParts['previous'],
): readonly string[] {
  if (previous === undefined) return powers
  const had = new Set(previous.powers)
  return powers.filter((power) => !had.has(power))
}

function historyEntry(event: LifecycleEvent, sequence: number): ReviewHistoryEntry {
  const note = noteOf(event)
  return {
    sequence,
    at: event.at,
    type: event.type,
    actor: event.actor,
    ...(note === undefined ? {} : { note: makeVisible(note) }),
  }
}

function noteOf(event: LifecycleEvent): string | undefined {
  if ('reason' in event) return event.reason
  if ('reasons' in event) return event.reasons.join('; ')
  if (event.type === 'tool_evidence_repeated') return `under ${event.fingerprint}`
  if (event.type === 'tool_superseded') return `by version ${event.by}`
  if (event.type === 'tool_approved' && 'rule' in event.approvedBy)
    return `by rule ${event.approvedBy.rule}`
  return undefined
}
