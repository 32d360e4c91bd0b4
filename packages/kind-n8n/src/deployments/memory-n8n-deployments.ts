import { describeNameProblem } from '@toolcrib/registry'
import { n8nDeploymentSchema } from './n8n-deployment-schema.ts'
import type { N8nDeployment, N8nDeployments } from './n8n-deployments.ts'

/** Keeps deployments in memory, for tests. What is on the server is forgotten with the process. */
export function createMemoryN8nDeployments(): N8nDeployments {
  const kept = new Map<string, string>()
  const read = (toolName: string): N8nDeployment | undefined => {
    const text = kept.get(named(toolName))
    return text === undefined ? undefined : (JSON.parse(text) as N8nDeployment)
  }
  return {
    read: async (toolName) => read(toolName),
    write: async (deployment) => {
      kept.set(named(deployment.toolName), JSON.stringify(n8nDeploymentSchema.parse(deployment)))
    },
    remove: async (toolName) => {
      kept.delete(named(toolName))
    },
    list: async () => [...kept.keys()].toSorted().flatMap((name) => read(name) ?? []),
    listBroken: async () => [],
  }
}

function named(toolName: string): string {
  const problem = describeNameProblem(toolName)
  if (problem !== undefined) throw new TypeError(`toolName: ${problem}`)
  return toolName
}
