import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import { stopUnrecorded } from '../stops/stop-unrecorded.ts'
import { retireVersion } from './retire-version.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** Why a version that was changed outside is not used, in a sentence. */
export function describeChanged(reason: string): string {
  return `what lives outside was changed: ${reason}`
}

/**
 * What is recorded of a version in use that was changed outside: what happened, and that it is out of use until a person activates
 * it again, whatever becomes of what lives outside.
 */
export function changedEvents(
  engine: LifecycleEngine,
  { name, version }: VersionRecord,
  reason: string,
): readonly LifecycleEvent[] {
  const said = { name, version, reason: describeChanged(reason) }
  const frame = engine.stamp(engine.host)
  return [
    { ...frame, type: 'tool_tampered', ...said },
    { ...frame, type: 'tool_held', ...said },
  ]
}

/**
 * Takes a version that was found changed out of use: at once here, then on record, then outside. Resolves when it is on record, or
 * could not be recorded, which is logged.
 */
export async function holdChanged(
  engine: LifecycleEngine,
  { name, version }: VersionRecord,
  reason: string,
): Promise<void> {
  const isInUse = engine.callables.get(name)?.version === version
  // It may have been taken out of use for another reason while it was looked at: then nobody changed what should be there.
  if (!isInUse && !engine.inspections.isHeld({ name, version })) return
  engine.inspections.markHeld({ name, version })
  if (isInUse) engine.callables.remove(name)
  const { promise: recorded, resolve } = Promise.withResolvers<void>()
  const work = async (): Promise<void> => {
    const present = engine.find(name, version)
    // It may be recorded already, or have been replaced or put into use anew since it was looked at.
    if (present.status !== 'activated') return
    if (engine.inspections.changeOf(present) === undefined) return
    const events = changedEvents(engine, present, reason)
    try {
      await engine.record(events)
    } catch (error) {
      const [, event] = events
      if (engine.find(name, version).status !== 'activated' || event === undefined) throw error
      throw await stopUnrecorded(engine, error, { event, record: present })
    } finally {
      resolve()
      await retireVersion(engine, present)
    }
  }
  engine.queue
    .run(work)
    .catch((error: unknown) => {
      engine.logger.error(
        { error, name, version, reason },
        'That a made tool was changed outside could not be recorded',
      )
    })
    .finally(resolve)
  await recorded
}
