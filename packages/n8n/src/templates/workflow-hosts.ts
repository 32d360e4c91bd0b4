import type { N8nWorkflow } from '../n8n-workflow.ts'

/** The origins of all addresses that nodes of a template reach; none is made by an expression. */
export function hostsOf(workflow: N8nWorkflow): readonly string[] {
  const urls = workflow.nodes.flatMap(({ parameters }) =>
    typeof parameters['url'] === 'string' ? [new URL(parameters['url']).origin] : [],
  )
  return [...new Set(urls)].toSorted()
}
