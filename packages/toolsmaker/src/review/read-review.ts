import type { StoredEvent } from '../events/event-store.ts'
import { isVersionEvent } from '../lifecycle/lifecycle-state.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import { type ComparedReport, compareReport, describeAnew } from './compare-report.ts'
import { previousApproved } from './previous-approved.ts'
import { readHeld, readReport } from './read-report.ts'
import { renderReview } from './render-review.ts'
import { renderSource } from './render-source.ts'
import type { ToolReview } from './review.ts'

/** How a review is made. */
export interface ReviewOptions {
  /**
   * Whether everything that follows from the content is made anew; otherwise the review is what is on record, and only for the
   * readable files, which nobody decides by.
   *
   * @default true
   */
  readonly anew?: boolean
  /** The report, where it was made anew already. */
  readonly compared?: ComparedReport
}

/** Every event about a tool, or about one version of it alone, oldest first. */
export async function readHistory(
  engine: LifecycleEngine,
  name: string,
  version?: number,
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  const { sequences = [], sequenceVersions = [] } = engine.state.tools.get(name) ?? {}
  for (const [index, sequence] of sequences.entries())
    // A tool may have had hundreds of versions, and each proposal reads what is on record about its own.
    if (version === undefined || [0, version].includes(sequenceVersions[index] ?? 0))
      // oxlint-disable-next-line no-await-in-loop -- each is one small read at a known place
      events.push(...(await engine.store.read(sequence, sequence)))
  return events
}

/** The review of a version: made from the content that would run, with what trying it gave from the log. */
export async function readReview(
  engine: LifecycleEngine,
  record: VersionRecord,
  { anew = true, compared: known }: ReviewOptions = {},
): Promise<ToolReview | undefined> {
  const { content, name, version } = record
  const read = anew ? compareReport : recordedReport
  const compared = known ?? (await read(engine, record))
  if (content === undefined || compared === undefined) return undefined
  const previous = await previousApproved(engine, record)
  const history = await readHistory(engine, name, version)
  const held = await readHeld(engine, record)
  return renderReview({
    record,
    content,
    ...compared,
    ...(previous === undefined ? {} : { source: await sourceText(engine, record) }),
    ...(held === undefined ? {} : { held }),
    events: history.filter(
      ({ event }) => event !== undefined && isVersionEvent(event) && event.version === version,
    ),
    ...(previous?.content === undefined
      ? {}
      : {
          previous: {
            version: previous.version,
            content: previous.content,
            ...(await sentencesOf(engine, previous, anew)),
            source: await sourceText(engine, previous),
          },
        }),
  })
}

async function recordedReport(
  engine: LifecycleEngine,
  record: VersionRecord,
): Promise<ComparedReport | undefined> {
  const report = await readReport(engine, record)
  return report === undefined ? undefined : { report, differs: [] }
}

/** What the version before may do and does; from the log where its kind cannot say it any more. */
async function sentencesOf(
  engine: LifecycleEngine,
  previous: VersionRecord,
  anew: boolean,
): Promise<{ readonly powers: readonly string[]; readonly steps: readonly string[] }> {
  if (anew)
    try {
      const { powers, steps } = await describeAnew(engine, previous)
      return { powers, steps }
    } catch (error) {
      const { name, version } = previous
      engine.logger.warn({ error, name, version }, 'A version before could not be described anew')
    }
  const { powers = [], steps = [] } = (await readReport(engine, previous)) ?? {}
  return { powers, steps }
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
