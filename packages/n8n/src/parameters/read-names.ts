import type { N8nNode } from '../n8n-workflow.ts'
import type { NodeCatalogue } from '../workflow-check.ts'
import type { ParameterPath } from './ignored-parameter.ts'
import { ignoredParameters } from './ignored-parameters.ts'

/** The names that a node reads at a place of its parameters, such as `['options']`, as its parameters are. */
export function readNames(
  { parameters, type, typeVersion }: N8nNode,
  path: ParameterPath,
  catalogue: Pick<NodeCatalogue, 'parameters'>,
): readonly string[] {
  const [list] = catalogue.parameters?.(type, typeVersion) ?? []
  if (list === undefined) return []
  const wanted = JSON.stringify(path)
  let found: readonly string[] = []
  ignoredParameters(list, parameters, {
    type,
    version: typeVersion,
    visit: (at, names) => {
      if (at.length === path.length && JSON.stringify(at) === wanted) found = names
    },
  })
  return found
}
