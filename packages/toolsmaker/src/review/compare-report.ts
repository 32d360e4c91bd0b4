import { toolsmakerError } from '../error-catalogue.ts'
import { type VersionRecord, specOf, toSpec } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { otherNames } from '../proposals/other-names.ts'
import { findNameSuspicions, isNameSuspicion } from '../proposals/suspicious-name.ts'
import { type ProposalSentences, describeProposal } from '../validation/describe-proposal.ts'
import { findContentSuspicions, findDefinitionSuspicions } from '../validation/suspicious-text.ts'
import type { ValidationReport } from '../validation/validation-report.ts'
import { previousApproved } from './previous-approved.ts'
import { describeUnattested, isRecordedReport, readHeld, readReport } from './read-report.ts'
import type { ReviewDifference } from './review.ts'

/** What is said about a version: its report with everything that follows from the content made anew. */
export interface ComparedReport {
  readonly report: ValidationReport
  /** Where that is not what is on record; empty when nothing differs. */
  readonly differs: readonly ReviewDifference[]
}

/**
 * Makes permissions, steps, suspicions and changes anew from the content that would run, and compares them with the recorded
 * report, from which checks and evidence are taken. `undefined` when there is no report.
 */
export async function compareReport(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<ComparedReport | undefined> {
  const recorded = await readReport(engine, record)
  if (recorded === undefined || record.content === undefined) return undefined
  const differs = [...(await unrecordedRows(engine, record, recorded))]
  // A kind may not understand what failed its checks. Nothing of it can be signed anyway.
  if (!passes(recorded)) return { report: recorded, differs }
  let made: ProposalSentences
  try {
    made = await describeAnew(engine, record)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    return {
      report: recorded,
      differs: [...differs, { what: 'kind', recorded: [], now: [reason] }],
    }
  }
  const suspicions = await findSuspicions(engine, record, recorded)
  const report = { ...recorded, ...made, suspicions }
  for (const [what, field] of [
    ['permissions', 'powers'],
    ['steps', 'steps'],
    ['suspicions', 'suspicions'],
  ] as const)
    if (JSON.stringify(report[field]) !== JSON.stringify(recorded[field]))
      differs.push({ what, recorded: recorded[field], now: report[field] })
  return { report, differs }
}

/**
 * Refuses to have a version signed whose review says something else than what is on record.
 *
 * @throws {ToolError} REVIEW_CHANGED.
 */
export async function assertReviewHolds(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<void> {
  const compared = await compareReport(engine, record)
  const label = `Version ${record.version} of ${record.name}`
  if (compared === undefined)
    throw toolsmakerError('REVIEW_CHANGED', `${label} has no report that could be reviewed.`)
  const { differs, report } = compared
  if (differs.length > 0)
    throw toolsmakerError(
      'REVIEW_CHANGED',
      `${label} cannot be signed: on record are other ${differs.map(({ what }) => what).join(', ')} than what is true now. ` +
        'Have it validated again, and review it.',
      { data: { name: record.name, version: record.version } },
    )
  if (!passes(report))
    throw toolsmakerError(
      'REVIEW_CHANGED',
      `${label} cannot be signed: its checks fail now. Review it, and have a new version proposed.`,
    )
}

/** By the checks, which are hashed, not by what the row says of them. */
function passes({ checks }: ValidationReport): boolean {
  return checks.every(({ pass }) => pass)
}

/** Sentences made from the content of a version alone. @throws {ToolError} TOOL_KIND_UNKNOWN or KIND_FAILED. */
export async function describeAnew(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<ProposalSentences> {
  const spec = toSpec(record)
  if (spec === undefined) return { powers: [], steps: [], change: [] }
  const before = await previousApproved(engine, record)
  const previous = before === undefined ? undefined : toSpec(before)
  const proposal = { spec, ...(previous === undefined ? {} : { previous }) }
  return describeProposal(structuredClone(proposal), engine.kind(record.kind), {
    timeoutMs: engine.kindTimeoutMs,
  })
}

async function unrecordedRows(
  engine: LifecycleEngine,
  record: VersionRecord,
  recorded: ValidationReport,
): Promise<readonly ReviewDifference[]> {
  const { reportHash } = record
  const held = await readHeld(engine, record)
  const rows: ReviewDifference[] = []
  if (reportHash === undefined)
    rows.push({
      what: 'report',
      recorded: [],
      now: ['it is from an earlier release, without a hash'],
    })
  else if (!isRecordedReport(record, recorded))
    rows.push({ what: 'report', recorded: [], now: ['it is not the one that was recorded'] })
  else {
    const problem = await describeUnattested(engine, record)
    if (problem !== undefined) rows.push({ what: 'report', recorded: [], now: [problem] })
  }
  if (held?.isRecorded === false)
    rows.push({ what: 'hold', recorded: [], now: ['it is not the one that was recorded'] })
  return rows
}

async function findSuspicions(
  engine: LifecycleEngine,
  record: VersionRecord,
  recorded: ValidationReport,
): Promise<readonly string[]> {
  const { content, name, reportSequence = 0 } = record
  if (content === undefined) return []
  const spec = specOf(record, content)
  // Tools that came up later do not change what is said about earlier ones.
  const names = findNameSuspicions(name, await otherNames(engine, name, reportSequence))
  // One that is gone is still what was looked at.
  const gone = recorded.suspicions.filter((text) => isNameSuspicion(text) && !names.includes(text))
  return sortAs(recorded.suspicions, [
    ...names,
    ...gone,
    ...findContentSuspicions(spec),
    ...findDefinitionSuspicions(spec.definition),
  ])
}

/** The same texts, those that stand in `order` first and as there: the order of names may be another at another time. */
function sortAs(order: readonly string[], texts: readonly string[]): readonly string[] {
  const place = (text: string): number => {
    const index = order.indexOf(text)
    return index < 0 ? order.length : index
  }
  return texts.toSorted((left, right) => place(left) - place(right))
}
