import type { LifecycleEngine } from '../lifecycle-engine.ts'
import type { ToolContent } from '../tool-spec.ts'
import type { VersionRecord } from '../lifecycle/version-record.ts'
import { isByHost } from './approval-end.ts'

/**
 * Why no rule may put a version of a tool into use, whatever the policy says, or `undefined` when one may: after a person revoked,
 * stopped or rejected a version, it is a person who decides about the name.
 */
export function whyNoRule(
  engine: LifecycleEngine,
  { name, owner }: Pick<ToolContent, 'name' | 'owner'>,
): string | undefined {
  const versions = [...(engine.state.tools.get(name)?.versions.values() ?? [])]
  if (
    versions.some(({ status }) => status === 'revoked') ||
    engine.trust.hasRevocation(engine.namespace, name)
  )
    return 'a version of it was revoked'
  if (engine.stops.hasVersionOf(name)) return 'a version of it was taken out of use'
  // A name whose proposals were all turned down is free for another owner.
  const rejected = versions.findLast(
    ({ content, wasTurnedDown }) => wasTurnedDown === true && content?.owner === owner,
  )
  return rejected === undefined || versions.some((other) => isApprovedAfter(rejected, other))
    ? undefined
    : `version ${rejected.version} of it was rejected, and no person has approved a later one`
}

function isApprovedAfter({ version }: VersionRecord, other: VersionRecord): boolean {
  return (
    other.version > version &&
    other.approval !== undefined &&
    other.decisions.some((decision) => !isByHost(decision))
  )
}
