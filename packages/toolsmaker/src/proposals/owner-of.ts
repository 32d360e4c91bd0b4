import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'

/** Who owns a name: the owner of its newest version that was not turned down. */
export function ownerOf(engine: LifecycleEngine, name: string): string | undefined {
  const versions = [...(engine.state.tools.get(name)?.versions.values() ?? [])]
  const owned = versions.findLast((record) => isLive(record) || record.approval !== undefined)
  return owned?.content?.owner
}

/** Whether a version can still come into use, or is. */
export function isLive({ status }: VersionRecord): boolean {
  return status !== 'rejected' && status !== 'revoked' && status !== 'expired'
}
