import { principalKey } from '@toolcrib/registry'
import type { AgentToolsmaker, VersionSummary } from '@toolcrib/toolsmaker'

/** The newest version of a listed tool, as far as the principal owns it; versions above the listed one may wait. */
export function newestVersion(agent: AgentToolsmaker, listed: VersionSummary): VersionSummary {
  let newest = listed
  for (;;) {
    const next = agent.get(listed.name, newest.version + 1)
    if (next === undefined || next.owner !== principalKey(agent.principal)) return newest
    newest = next
  }
}

/** Every version of a tool that the principal owns, newest first; empty when it owns none of that name. */
export function ownVersions(agent: AgentToolsmaker, name: string): readonly VersionSummary[] {
  const listed = agent
    .list()
    .find((summary) => summary.name === name && summary.owner === principalKey(agent.principal))
  if (listed === undefined) return []
  const newest = newestVersion(agent, listed).version
  return Array.from({ length: newest }, (_, index) => agent.get(name, newest - index)).filter(
    (summary) => summary !== undefined,
  )
}
