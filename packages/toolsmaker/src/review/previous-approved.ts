import { judgementBasis } from '../activation/activate.ts'
import { describeVersionProblem } from '../approvals/decision-check.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import type { LifecycleEngine } from '../lifecycle-engine.ts'

/**
 * The last version before one that somebody approved, by a signature that counts, and that was not revoked since. By number, not by
 * what is active now: the review of a version stays the same when later versions come and go.
 */
export async function previousApproved(
  engine: LifecycleEngine,
  { name, version }: Pick<VersionRecord, 'name' | 'version'>,
): Promise<VersionRecord | undefined> {
  const versions = [...(engine.state.tools.get(name)?.versions.values() ?? [])]
  for (const record of versions.toReversed()) {
    if (record.version >= version || record.status === 'revoked') continue
    // oxlint-disable-next-line no-await-in-loop -- the newest one that counts ends it
    if (await isApproved(engine, record)) return record
  }
  return undefined
}

async function isApproved(engine: LifecycleEngine, record: VersionRecord): Promise<boolean> {
  if (record.approval === undefined) return false
  const wanted = {
    actions: ['approve', 'approve_and_activate'],
    basis: judgementBasis(engine),
  } as const
  for (const decision of record.decisions)
    // oxlint-disable-next-line no-await-in-loop -- one that is sound is enough
    if ((await describeVersionProblem(decision, record, wanted)) === undefined) return true
  return false
}
