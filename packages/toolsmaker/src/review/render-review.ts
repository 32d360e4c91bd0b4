import { describePolicy } from '@toolcrib/policy'
import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { StoredEvent } from '../events/event-store.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import { diffVersions } from './review-diff.ts'
import type { ReviewHistoryEntry, ToolReview } from './review.ts'
import { makeVisible } from '../validation/suspicious-text.ts'
import { toolPolicyOf } from '../validation/tool-policy-of.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { EvidenceRun, ValidationReport } from '../validation/validation-report.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import { findWidePowers } from '../validation/wide-powers.ts'

/** What a review is made from. */
export interface ReviewParts {
  readonly record: VersionRecord
  readonly content: ToolContent
  readonly report: ValidationReport
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
  readonly held?: { readonly reason: string; readonly evidence: ValidationReport['evidence'] }
  /** The version's own events. */
  readonly events: readonly StoredEvent[]
}

/** Writes what a person reads before deciding. The same parts always give the same review. */
export function renderReview(parts: ReviewParts): ToolReview {
  const { content, previous, record, report } = parts
  const powers = [...report.powers, ...capabilitySentences(content)]
  const { pendingExpiresAt } = record
  return {
    name: record.name,
    version: record.version,
    kind: record.kind,
    contentHash: record.contentHash,
    status: record.status,
    powers: powers.length === 0 ? ['nothing'] : powers.map(makeVisible),
    newPowers: newPowers(powers, previous).map(makeVisible),
    steps: report.steps.map(makeVisible),
    suspicions: report.suspicions.map(makeVisible),
    risk: { level: content.risk, reasons: riskReasons(content, report).map(makeVisible) },
    waitsBecause: (record.waitsBecause ?? []).map(makeVisible),
    checks: report.checks.map((check) => ({ ...check, message: makeVisible(check.message) })),
    evidence: report.evidence.map(showRun),
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
                powers: [...previous.powers, ...capabilitySentences(previous.content)],
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
    proposedBy: makeVisible(record.createdBy.id),
    proposedAt: record.createdAt,
    owner: makeVisible(content.owner),
    ...(pendingExpiresAt === undefined
      ? {}
      : { expiresAt: new Date(Math.min(pendingExpiresAt, 8.64e15)).toISOString() }),
    authorSays: {
      description: makeVisible(content.description),
      notes: content.examples.flatMap(({ note }) =>
        note === undefined ? [] : [makeVisible(note)],
      ),
    },
    history: parts.events.flatMap(({ event, sequence }) =>
      event === undefined ? [] : [historyEntry(event, sequence)],
    ),
  }
}

/** What a tool's code says, takes and gives may hold anything. */
function showRun(run: EvidenceRun): EvidenceRun {
  return showValue(run as unknown as JsonValue) as unknown as EvidenceRun
}

function showValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return makeVisible(value)
  if (Array.isArray(value)) return value.map(showValue)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value as JsonObject)
  return Object.fromEntries(entries.map(([key, entry]) => [makeVisible(key), showValue(entry)]))
}

/** What the tool may touch, in the words that stand for a policy everywhere. */
function capabilitySentences(content: ToolContent): readonly string[] {
  return [
    ...(content.capabilities.length === 0 ? [] : policySentences(content)),
    ...(content.visibility === 'shared'
      ? ['is seen and called by every agent of the namespace']
      : []),
  ]
}

function policySentences(content: ToolContent): readonly string[] {
  try {
    return describePolicy(toolPolicyOf(content)).map(
      (sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1),
    )
  } catch {
    // A version that failed its checks, or a log that somebody else wrote: shown as it stands, for nothing runs from it.
    const policy = JSON.stringify(toolPolicyOf(content))
    return [`asks for powers that no guard can hold, so it gets none: ${policy}`]
  }
}

function newPowers(
  powers: readonly string[],
  previous: ReviewParts['previous'],
): readonly string[] {
  if (previous === undefined) return powers
  const had = new Set([...previous.powers, ...capabilitySentences(previous.content)])
  return powers.filter((power) => !had.has(power))
}

function riskReasons(content: ToolContent, report: ValidationReport): readonly string[] {
  return [
    content.capabilities.length === 0
      ? 'it asks for no capability'
      : `it asks for ${content.capabilities.join(', ')}`,
    ...findWidePowers(content),
    `its kind is ${content.kind}`,
    ...(report.suspicions.length === 0 ? [] : ['its name or text is suspicious']),
    ...(content.visibility === 'shared' ? ['it is for everybody'] : []),
  ]
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
