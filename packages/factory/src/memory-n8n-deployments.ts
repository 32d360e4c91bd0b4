import type { N8nDeployment, N8nDeployments } from './n8n-deployments.ts'

/** Keeps deployments in memory, for tests. What is on the server is forgotten with the process. */
export function createMemoryN8nDeployments(): N8nDeployments {
  const kept = new Map<string, string>()
  return {
    read: async (toolName) => {
      const text = kept.get(toolName)
      return text === undefined ? undefined : (JSON.parse(text) as N8nDeployment)
    },
    write: async (deployment) => {
      kept.set(deployment.toolName, JSON.stringify(deployment))
    },
    remove: async (toolName) => {
      kept.delete(toolName)
    },
    list: async () =>
      [...kept.keys()].toSorted().map((name) => JSON.parse(kept.get(name) ?? '') as N8nDeployment),
  }
}
