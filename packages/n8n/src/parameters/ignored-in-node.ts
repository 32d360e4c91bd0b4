import type { JsonObject } from '@toolcrib/registry'
import type { N8nNode } from '../n8n-workflow.ts'
import type { NodeCatalogue } from '../workflow-check.ts'
import type { IgnoredParameter } from './ignored-parameter.ts'
import { ignoredParameters } from './ignored-parameters.ts'

/**
 * Finds what n8n does not read of the parameters of a node: with a catalogue of several releases what one of them does not
 * read. Nothing where the catalogue does not know the parameters of this type and version.
 */
export function ignoredInNode(
  { type, typeVersion }: Pick<N8nNode, 'type' | 'typeVersion'>,
  parameters: JsonObject,
  catalogue: Pick<NodeCatalogue, 'parameters'>,
): readonly IgnoredParameter[] {
  const lists = catalogue.parameters?.(type, typeVersion) ?? []
  const byPath = new Map<string, IgnoredParameter>()
  for (const list of lists)
    for (const each of ignoredParameters(list, parameters, { type, version: typeVersion })) {
      const path = JSON.stringify(each.path)
      if (!byPath.has(path)) byPath.set(path, each)
    }
  return [...byPath.values()]
}
