import type { N8nNode, N8nWorkflow } from '../n8n-workflow.ts'
import { unusedCredentials } from '../check/requirement.ts'
import { commonNodeCatalogue, findNodeFacts, nodeCatalogue } from '../node-catalogue.ts'
import { withoutPaths } from '../parameters/change-parameters.ts'
import { ignoredByCode, ignoredInNode } from '../parameters/ignored-in-node.ts'
import { type IgnoredParameter, notRead } from '../parameters/ignored-parameter.ts'
import { ignoredParameters } from '../parameters/ignored-parameters.ts'
import type { NodeCatalogue } from '../workflow-check.ts'

/** A workflow as n8n sees it when it runs, and what it does not see of each node. */
export interface SeenWorkflow {
  readonly workflow: N8nWorkflow
  readonly ignored: ReadonlyMap<N8nNode, readonly IgnoredParameter[]>
}

/**
 * Takes out what n8n does not read. Without a catalogue only what no known release reads, so that the answer is the same
 * whatever the server is; what only one line does not read is for the check.
 */
export function seeWorkflow(workflow: N8nWorkflow, catalogue?: NodeCatalogue): SeenWorkflow {
  const ignored = new Map<N8nNode, readonly IgnoredParameter[]>()
  const nodes = workflow.nodes.map((node) => {
    const own = catalogue
      ? ignoredInNode(node, node.parameters, catalogue)
      : ignoredEverywhere(node)
    const unused = unusedCredentials(
      node,
      findNodeFacts(catalogue ?? commonNodeCatalogue(), node.type),
    )
    if (own.length === 0 && unused.length === 0) return node
    const parameters = withoutPaths(
      node.parameters,
      own.map(({ path }) => path),
    )
    const credentials = Object.entries(node.credentials ?? {})
    const seen = {
      ...node,
      parameters,
      ...(unused.length > 0 && {
        credentials: Object.fromEntries(credentials.filter(([type]) => !unused.includes(type))),
      }),
    }
    ignored.set(seen, [
      ...own,
      ...credentials.flatMap(([type, { id, name }]) =>
        unused.includes(type) ? [notRead({ id, name }, ['credentials', type])] : [],
      ),
    ])
    return seen
  })
  return { workflow: ignored.size === 0 ? workflow : { ...workflow, nodes }, ignored }
}

function ignoredEverywhere(node: N8nNode): readonly IgnoredParameter[] {
  const { parameters, type, typeVersion } = node
  const lists = commonNodeCatalogue().parameters?.(type, typeVersion) ?? []
  const found = lists.map((list) =>
    ignoredParameters(list, parameters, { type, version: typeVersion }),
  )
  const byPath = new Map(found.flat().map((each) => [JSON.stringify(each.path), each] as const))
  const places = found.map((own) => new Set(own.map(({ path }) => JSON.stringify(path))))
  const byDescription = [...byPath.values()].filter(({ path }) =>
    places.every((own) =>
      path.some((_step, index) => own.has(JSON.stringify(path.slice(0, index + 1)))),
    ),
  )
  // What the newest release does not heed, no older one does.
  const byCode = ignoredByCode(node, parameters, nodeCatalogue().n8nVersion)
  return [...byDescription, ...byCode]
}
