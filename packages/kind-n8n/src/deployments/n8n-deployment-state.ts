import type { N8nClient, N8nFunction, RemovalOutcome } from '@toolcrib/n8n'
import type { ToolSpec } from '@toolcrib/toolsmaker'
import type { N8nDeployment } from './n8n-deployments.ts'

/** A record of nothing, but for what a person has to see to. */
export function emptyDeployment(
  { abandoned, toolName }: N8nDeployment,
  { baseUrl }: N8nClient,
): N8nDeployment {
  return { toolName, baseUrl, ...(abandoned === undefined ? {} : { abandoned }) }
}

/** Whether a version is what was last put onto the server, as far as is on record. */
export function isLive(known: N8nDeployment | undefined, { contentHash }: ToolSpec): boolean {
  return (
    known?.function !== undefined &&
    known.contentHash === contentHash &&
    known.pending === undefined &&
    known.isRetired !== true
  )
}

/** Whether nobody knows if a version is live that should be. */
export function isUnsettled(known: N8nDeployment | undefined, { contentHash }: ToolSpec): boolean {
  const { contentHash: last, isRetired, pending } = known ?? {}
  // What could not be taken down is not put up by a look that comes late.
  return (
    isRetired !== true && pending !== undefined && [last, pending.contentHash].includes(contentHash)
  )
}

/** What is on record of a version that is live. */
export function liveAs(
  { contentHash, version }: ToolSpec,
  fn: N8nFunction,
  versions: N8nDeployment['versions'] = {},
): Pick<N8nDeployment, 'contentHash' | 'function' | 'version' | 'versions'> {
  const { versionId } = fn
  return {
    version,
    contentHash,
    function: fn,
    ...(versionId === undefined ? {} : { versions: { ...versions, [contentHash]: versionId } }),
  }
}

/** What is left on a server, as one text of bounded length. */
export function describeLeft({ left, reason }: RemovalOutcome): string {
  return `${left.join('; ')}${reason === undefined ? '' : ` (${reason})`}`.slice(0, 2_000)
}
