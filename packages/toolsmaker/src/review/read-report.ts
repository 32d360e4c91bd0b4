import type { StoredEvent } from '../events/event-store.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { describeAttestationProblem } from '../validation/report-attestation.ts'
import { hashEvidence, hashReport } from '../validation/report-hash.ts'
import type { EvidenceRun, ValidationReport } from '../validation/validation-report.ts'

/** The validation report of a version, from the log; the state keeps none, so that a start stays lean. */
export async function readReport(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<ValidationReport | undefined> {
  const { reportSequence } = record
  return reportSequence === undefined
    ? undefined
    : reportIn((await readRow(engine, reportSequence))?.event)
}

/** Tells why the report on record is not one that this host made, or `undefined` when it is. */
export async function describeUnattested(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<string | undefined> {
  const { reportSequence } = record
  const row = reportSequence === undefined ? undefined : await readRow(engine, reportSequence)
  const problem =
    row === undefined
      ? 'it is not in the log'
      : await describeAttestationProblem(engine, record, row)
  return problem === undefined ? undefined : `it is not attested by this host: ${problem}`
}

/** Whether a report is, in all that was generated, the one that was put on record when the version was validated. */
export function isRecordedReport({ reportHash }: VersionRecord, report: ValidationReport): boolean {
  try {
    return reportHash === hashReport(report)
  } catch {
    return false
  }
}

/** Why a version is held, and how it behaved then. */
export interface HeldReport {
  readonly reason: string
  readonly evidence: readonly EvidenceRun[]
  /** The row is the one that was there when it was held. */
  readonly isRecorded: boolean
}

/** What was recorded when a version was held, from the log. */
export async function readHeld(
  engine: LifecycleEngine,
  { hold }: VersionRecord,
): Promise<HeldReport | undefined> {
  if (hold === undefined) return undefined
  const event = (await readRow(engine, hold.sequence))?.event
  if (event?.type !== 'tool_held') return undefined
  const { evidence = [], reason } = event
  return { reason, evidence, isRecorded: hashEvidence(evidence) === hold.evidenceHash }
}

/**
 * What trying a version gave, the last time that counts: before its approval, or before a hold that a person lifted.
 *
 * @throws {Error} when the row is not the one that was there.
 */
export async function readEvidenceOf(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<readonly EvidenceRun[]> {
  const { evidence, reportSequence } = record
  const sequence = evidence?.sequence ?? reportSequence
  if (sequence === undefined) return []
  const event = (await readRow(engine, sequence))?.event
  const report = reportIn(event)
  const runs = event?.type === 'tool_held' ? (event.evidence ?? []) : (report?.evidence ?? [])
  const expected = evidence === undefined ? record.reportHash : evidence.hash
  const found = report === undefined ? hashEvidence(runs) : hashReport(report)
  // Reports of earlier releases have no hash.
  if (expected === undefined || expected === found) return runs
  throw new Error('the evidence on record is not what was recorded')
}

async function readRow(
  engine: LifecycleEngine,
  sequence: number,
): Promise<StoredEvent | undefined> {
  const [stored] = await engine.store.read(sequence, sequence)
  return stored
}

function reportIn(event: StoredEvent['event']): ValidationReport | undefined {
  return event !== undefined && 'report' in event ? event.report : undefined
}
