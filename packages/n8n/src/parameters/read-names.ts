import type { N8nNode } from '../n8n-workflow.ts'
import type { NodeCatalogue } from '../workflow-check.ts'
import type { ParameterFacts } from './parameter-facts.ts'
import type { ParameterPath } from './ignored-parameter.ts'
import { ignoredParameters } from './ignored-parameters.ts'
import { withValueAt } from './change-parameters.ts'

/** The names that a node reads at a place of its parameters, such as `['options']`, as its other parameters are. */
export function readNames(
  node: N8nNode,
  path: ParameterPath,
  catalogue: Pick<NodeCatalogue, 'parameters'>,
): readonly string[] {
  const { type, typeVersion } = node
  const [list] = catalogue.parameters?.(type, typeVersion) ?? []
  if (list === undefined) return []
  const names = [...new Set(namesAt(list, path))]
  // Each is tried: what is not read is told by the same rules.
  return names.filter((name) => {
    const tried = withValueAt(node.parameters, [...path, name], 0)
    const at = JSON.stringify([...path, name])
    const ignored = ignoredParameters(list, tried, { type, version: typeVersion })
    return !ignored.some((each) => JSON.stringify(each.path) === at && each.reason !== 'form')
  })
}

function namesAt(list: readonly ParameterFacts[], [step, ...rest]: ParameterPath): string[] {
  if (step === undefined) return list.map(({ name }) => name)
  return list
    .filter(({ name }) => name === step)
    .flatMap(({ groups, parameters }) => {
      if (parameters !== undefined) return namesAt(parameters, rest)
      if (groups === undefined) return []
      const [group, ...inner] = rest
      if (group === undefined) return Object.keys(groups)
      const [index, ...deeper] = inner
      const within = typeof index === 'number' ? deeper : inner
      return namesAt(groups[String(group)] ?? [], within)
    })
}
