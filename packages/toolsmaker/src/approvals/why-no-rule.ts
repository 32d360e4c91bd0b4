import type { LifecycleEngine } from '../lifecycle-engine.ts'

/**
 * Why no rule may put a version of a tool into use, whatever the policy says, or `undefined` when one may: what was revoked or
 * stopped under a name comes back by a person only.
 */
export function whyNoRule(engine: LifecycleEngine, name: string): string | undefined {
  const versions = [...(engine.state.tools.get(name)?.versions.values() ?? [])]
  if (
    versions.some(({ status }) => status === 'revoked') ||
    engine.trust.hasRevocation(engine.namespace, name)
  )
    return 'a version of it was revoked'
  return engine.stops.hasVersionOf(name) ? 'a version of it was taken out of use' : undefined
}
