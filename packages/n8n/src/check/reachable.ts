import type { N8nConnections } from '../n8n-workflow.ts'

/** The names of all nodes that data can come to from the given ones, those included. */
export function reachableFrom(
  starts: Iterable<string>,
  connections: N8nConnections,
): ReadonlySet<string> {
  const targets = new Map(Object.entries(connections))
  const reached = new Set(starts)
  // A set hands out what is added while it is walked.
  for (const name of reached)
    for (const [type, outputs] of Object.entries(targets.get(name) ?? {}))
      if (type === 'main')
        for (const output of outputs) for (const { node } of output ?? []) reached.add(node)
  return addHelpers(reached, connections)
}

/** Models, memories and tools hang on the node that uses them, and their connections point to it. */
function addHelpers(reached: Set<string>, connections: N8nConnections): ReadonlySet<string> {
  const users = new Map<string, string[]>()
  for (const [source, byType] of Object.entries(connections))
    for (const [type, outputs] of Object.entries(byType))
      if (type !== 'main')
        for (const output of outputs)
          for (const { node } of output ?? []) users.set(node, [...(users.get(node) ?? []), source])
  for (const name of reached) for (const helper of users.get(name) ?? []) reached.add(helper)
  return reached
}
