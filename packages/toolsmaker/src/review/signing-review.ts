import { type JsonValue, canonicalJson } from '@toolcrib/registry'
import { hashJson } from '../hash-json.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { ToolContent } from '../tool-spec.ts'
import { hashReport } from '../validation/report-hash.ts'
import type { ValidationReport } from '../validation/validation-report.ts'
import { compareReport } from './compare-report.ts'
import { readReview } from './read-review.ts'
import { makeVisible } from '../validation/suspicious-text.ts'
import { previousApproved } from './previous-approved.ts'
import { type ShownContent, showContent } from './show-content.ts'
import type { ToolReview } from './review.ts'

/** The generated part of a report: what `reportHash` is made over. */
export type GeneratedReport = Pick<
  ValidationReport,
  'checks' | 'evidence' | 'powers' | 'steps' | 'suspicions'
>

/**
 * A review with all that it was made from, for whoever signs elsewhere and believes the host nothing: content and report give the
 * hashes that are signed, and the words of the review again.
 */
export interface SigningReview {
  readonly review: ToolReview
  readonly content: ToolContent
  readonly report: GeneratedReport
  /** What the host calls the last version before it that was approved; see {@link compareWithPrevious}. */
  readonly previous?: { readonly version: number; readonly content: ToolContent }
  /** What a decision about the version as it is now has to name beside it. */
  readonly place: DecisionPlace
}

/** Where in which log a decision belongs. */
export interface DecisionPlace {
  /** Identity of the event log. */
  readonly store: string
  readonly namespace: string
  /** The event after which it is prepared. */
  readonly basis: number
  /** Hash of the event that stopped it, which a decision to put it into use lifts; `null` where nothing did. */
  readonly lifts: string | null
}

/** The review of a version with what it was made from; `undefined` when there is none. */
export async function readSigningReview(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<SigningReview | undefined> {
  const compared = await compareReport(engine, record)
  if (compared === undefined) return undefined
  const review = await readReview(engine, record, { compared })
  const { content, revision: basis } = record
  if (content === undefined || review === undefined) return undefined
  const { checks, evidence, powers, steps, suspicions } = compared.report
  const { identity: store, namespace } = engine
  const report = { checks, evidence, powers, steps, suspicions }
  const lifts = engine.stops.of(record)?.eventHash ?? null
  const before = await previousApproved(engine, record)
  return {
    review,
    content,
    report,
    ...(before?.content === undefined
      ? {}
      : { previous: { version: before.version, content: before.content } }),
    place: { store, namespace, basis, lifts },
  }
}

/** What of a review is checked: by content and report, or because a decision names it. */
type CheckedField = keyof ShownContent | 'version' | 'contentHash' | 'reportHash' | 'proposedBy'

/** What of a review follows from nothing that is hashed: whoever signs elsewhere has only the word of the host for it. */
const toldFields: Readonly<Record<Exclude<keyof ToolReview, CheckedField>, true>> = {
  status: true,
  differs: true,
  newPowers: true,
  waitsBecause: true,
  held: true,
  change: true,
  proposedAt: true,
  expiresAt: true,
  history: true,
}
/** Named by each decision, which is compared with what was asked for. */
const namedFields = new Set(['version', 'contentHash', 'reportHash'])

/**
 * Tells in what a review does not follow from what it says that it was made from, to go on in a sentence; `undefined` when all of
 * it does but what only the host can tell: {@link ToolReview.status}, `newPowers`, `waitsBecause`, `held`, `change`, `proposedAt`,
 * `expiresAt`, `history`, and `proposedBy` of a content that names no proposer. Needs nothing of the host.
 */
export function describeReviewProblem({
  content,
  report,
  review,
}: SigningReview): string | undefined {
  const { differs = [] } = review
  if (differs.length > 0)
    return `what is on record as ${differs.map(({ what }) => what).join(', ')} is not what is true now`
  if (hashOf(() => hashJson(content as unknown as JsonValue)) !== review.contentHash)
    return 'the content that is shown is not the one of that hash'
  if (hashOf(() => hashReport(report)) !== review.reportHash)
    return 'the report that is shown is not the one of that hash'
  const { proposer } = content
  const expected = new Map<string, unknown>(Object.entries(showContent(content, report)))
  expected.set('proposedBy', proposer === undefined ? review.proposedBy : makeVisible(proposer))
  const shown = new Map<string, unknown>(Object.entries(review))
  // Every field that is there, too: one that nothing accounts for could be anything.
  for (const field of new Set([...expected.keys(), ...shown.keys()])) {
    if (Object.hasOwn(toldFields, field) || namedFields.has(field)) continue
    if (textOf(shown.get(field)) !== textOf(expected.get(field)))
      return `what is shown as ${field} does not follow from its content and report`
  }
  return undefined
}

function hashOf(hash: () => string): string {
  try {
    return hash()
  } catch {
    return 'no JSON'
  }
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : hashOf(() => canonicalJson(value as JsonValue))
}
