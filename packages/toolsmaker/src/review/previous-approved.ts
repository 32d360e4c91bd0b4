import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'

/**
 * The last approved version before one. By number, not by what is active now: the review of a version stays the same when later
 * versions come and go.
 */
export function previousApproved(
  engine: LifecycleEngine,
  { name, version }: VersionRecord,
): VersionRecord | undefined {
  return [...(engine.state.tools.get(name)?.versions.values() ?? [])].findLast(
    (record) => record.version < version && record.approval !== undefined,
  )
}
