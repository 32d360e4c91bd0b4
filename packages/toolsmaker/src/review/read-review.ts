import type { StoredEvent } from '../events/event-store.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { isVersionEvent } from '../lifecycle/lifecycle-state.ts'
import { renderReview } from './render-review.ts'
import { renderSource } from './render-source.ts'
import type { ToolReview } from './review.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import type { EvidenceRun, ValidationReport } from '../validation/validation-report.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** The validation report of a version, from the log; the state keeps none, so that a start stays lean. */
export async function readReport(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<ValidationReport | undefined> {
  const { reportSequence } = record
  if (reportSequence === undefined) return undefined
  const [stored] = await engine.store.read(reportSequence, reportSequence)
  const event = stored?.event
  return event !== undefined && 'report' in event ? event.report : undefined
}

/** What trying a version gave, the last time that counts: before its approval, or before a hold that a person lifted. */
export async function readEvidenceOf(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<readonly EvidenceRun[]> {
  const { evidenceSequence } = record
  if (evidenceSequence === undefined) return (await readReport(engine, record))?.evidence ?? []
  return (await readHeld(engine, evidenceSequence))?.evidence ?? []
}

async function readHeld(
  engine: LifecycleEngine,
  sequence: number,
): Promise<Extract<LifecycleEvent, { type: 'tool_held' }> | undefined> {
  const [stored] = await engine.store.read(sequence, sequence)
  return stored?.event?.type === 'tool_held' ? stored.event : undefined
}

/** Every event about a tool, oldest first. */
export async function readHistory(
  engine: LifecycleEngine,
  name: string,
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for (const sequence of engine.state.tools.get(name)?.sequences ?? [])
    // oxlint-disable-next-line no-await-in-loop -- each is one small read at a known place
    events.push(...(await engine.store.read(sequence, sequence)))
  return events
}

/** The review of a version, made from the log. */
export async function readReview(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<ToolReview | undefined> {
  const { content, name, version } = record
  const report = await readReport(engine, record)
  if (content === undefined || report === undefined) return undefined
  const previous = previousApproved(engine, record)
  const previousReport = previous === undefined ? undefined : await readReport(engine, previous)
  const history = await readHistory(engine, name)
  const held = record.hold && (await readHeld(engine, record.hold.sequence))
  return renderReview({
    record,
    content,
    report,
    ...(previous === undefined ? {} : { source: await sourceText(engine, record) }),
    ...(held === undefined ? {} : { held: { reason: held.reason, evidence: held.evidence ?? [] } }),
    events: history.filter(
      ({ event }) => event !== undefined && isVersionEvent(event) && event.version === version,
    ),
    ...(previous?.content === undefined
      ? {}
      : {
          previous: {
            version: previous.version,
            content: previous.content,
            powers: previousReport?.powers ?? [],
            steps: previousReport?.steps ?? [],
            source: await sourceText(engine, previous),
          },
        }),
  })
}

/** A kind that is not there, or fails, must not keep a review from people: then the definition stands for the source. */
async function sourceText(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<string | undefined> {
  if (engine.kinds.get(record.kind)?.renderSource === undefined) return undefined
  try {
    return (await renderSource(engine, record)).text
  } catch (error) {
    const { name, version } = record
    engine.logger.warn({ error, name, version }, 'The source of a made tool could not be written')
    return undefined
  }
}

// By number, not by what is active now: the review of a version stays the same when later versions come and go.
function previousApproved(
  engine: LifecycleEngine,
  { name, version }: VersionRecord,
): VersionRecord | undefined {
  return [...(engine.state.tools.get(name)?.versions.values() ?? [])].findLast(
    (record) => record.version < version && record.approval !== undefined,
  )
}
