import { recordedEnd } from './approval-end.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { LifecycleEvent } from '../lifecycle/lifecycle-event.ts'
import { mayHappen } from '../lifecycle/lifecycle-transitions.ts'
import { retireVersion } from '../activation/retire-version.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'

/** What has run out for a version, if anything. */
function whatExpired(
  engine: LifecycleEngine,
  record: VersionRecord,
): 'request' | 'approval' | undefined {
  if (!mayHappen('tool_expired', record.status)) return undefined
  const now = engine.now()
  if (record.status === 'approval_required')
    return record.pendingExpiresAt !== undefined && now >= record.pendingExpiresAt
      ? 'request'
      : undefined
  const end = recordedEnd(record, engine.trust)
  return end !== undefined && now >= end ? 'approval' : undefined
}

/** Records that versions have run out, and takes them out of use; gives their number. */
export async function recordExpiry(
  engine: LifecycleEngine,
  ...records: readonly VersionRecord[]
): Promise<number> {
  const events: LifecycleEvent[] = []
  const expired: VersionRecord[] = []
  for (const record of records) {
    const what = whatExpired(engine, record)
    if (what === undefined) continue
    const { name, version } = record
    events.push({ ...engine.stamp(engine.host), type: 'tool_expired', name, version, what })
    expired.push(record)
  }
  for (const { name, status } of expired) if (status === 'activated') engine.callables.remove(name)
  await engine.record(events)
  for (const record of expired)
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as kinds expect
    if (record.status === 'activated') await retireVersion(engine, record)
  return expired.length
}

/** Records whatever has run out in the whole namespace; gives the number of versions. */
export async function expireAll(engine: LifecycleEngine): Promise<number> {
  const all = [...engine.state.tools.values()].flatMap(({ versions }) => [...versions.values()])
  return recordExpiry(engine, ...all.filter((record) => whatExpired(engine, record) !== undefined))
}
