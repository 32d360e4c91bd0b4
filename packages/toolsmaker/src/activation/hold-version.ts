import { toolsmakerError } from '../error-catalogue.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import {
  type JudgedVersion,
  type RepeatedEvidence,
  needsTrial,
  newFingerprint,
  repeatEvidence,
} from '../validation/repeat-evidence.ts'
import { makeVisible } from '../validation/suspicious-text.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/**
 * Tries a version that is about to be put into use, where its evidence was gathered under another fingerprint of its kind; gives
 * what is to be recorded beside the activation. One that behaves differently is held, for whoever decides has to see that
 * first; what was to be recorded `before` the activation is recorded before the hold.
 *
 * @throws {ToolError} TOOL_HELD when it behaves differently.
 * @throws {Error} when the kind gave no answer in its time.
 */
export async function tryBeforeUse(
  engine: LifecycleEngine,
  version: JudgedVersion & { readonly before: readonly LifecycleEvent[] },
): Promise<readonly LifecycleEvent[]> {
  const { before, record } = version
  if (!needsTrial(engine, record)) return []
  const again = (await repeatEvidence(engine, [version])).get(record)
  if (again === undefined || isGoodEnough(engine, record, again))
    return repeatedEvents(engine, record, again)
  const reason = describeHold(again)
  if (again?.outcome !== 'different') throw new Error(`${reason}.`)
  await engine.record([...before, heldEvent(engine, record, { ...again, reason })])
  throw toolsmakerError(
    'TOOL_HELD',
    `Version ${record.version} of ${record.name} is held: ${reason}. Review it again, then sign its activation.`,
    { data: { name: record.name, version: record.version } },
  )
}

/** Whether a version that was tried once more may be used: it behaves as before, or nothing but a doubt spoke against it. */
export function isGoodEnough(
  engine: LifecycleEngine,
  record: VersionRecord,
  again: RepeatedEvidence,
): boolean {
  if (again.outcome === 'unknown') return newFingerprint(engine, record) === undefined
  return again.outcome === 'same'
}

/** Why a version that was tried once more is not used. */
export function describeHold(again: RepeatedEvidence | undefined): string {
  // It goes on in a sentence, and many reasons are sentences of their own.
  const why =
    again === undefined || again.outcome === 'same'
      ? 'it was not tried'
      : again.reason.replace(/\.+$/, '')
  return makeVisible(
    again?.outcome === 'different'
      ? `its kind changed, and it behaves differently now: ${why}`
      : `its kind changed, and whether it behaves as before could not be found out: ${why}`,
  )
}

/** What is recorded of a version that behaves as before under another fingerprint. */
export function repeatedEvents(
  engine: LifecycleEngine,
  record: VersionRecord,
  again: RepeatedEvidence | undefined,
): readonly LifecycleEvent[] {
  const { name, version } = record
  if (again?.outcome !== 'same' || again.fingerprint === record.fingerprint) return []
  const frame = { ...engine.stamp(engine.host), name, version }
  return [{ ...frame, type: 'tool_evidence_repeated', fingerprint: again.fingerprint }]
}

/** The event that a version behaves differently. */
export function heldEvent(
  engine: LifecycleEngine,
  { name, version }: VersionRecord,
  { evidence, fingerprint, reason }: Extract<RepeatedEvidence, { outcome: 'different' }>,
): LifecycleEvent {
  const frame = { ...engine.stamp(engine.host), name, version }
  return { ...frame, type: 'tool_held', reason, fingerprint, evidence }
}
