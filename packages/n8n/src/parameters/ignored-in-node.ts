import type { JsonObject } from '@toolcrib/registry'
import type { N8nNode } from '../n8n-workflow.ts'
import type { NodeCatalogue } from '../workflow-check.ts'
import { ignoredSettings } from './condition-settings.ts'
import type { IgnoredParameter } from './ignored-parameter.ts'
import { ignoredParameters } from './ignored-parameters.ts'
import { unsentBody } from './unsent-body.ts'

type Node = Pick<N8nNode, 'type' | 'typeVersion'>

/**
 * Finds what n8n does not read of the parameters of a node: with a catalogue of several releases what one of them does not
 * read. Where the catalogue does not know the parameters of this type and version, only what is known of n8n's code.
 */
export function ignoredInNode(
  node: Node,
  parameters: JsonObject,
  catalogue: Pick<NodeCatalogue, 'parameters' | 'n8nVersion'>,
): readonly IgnoredParameter[] {
  const { type, typeVersion: version } = node
  const lists = catalogue.parameters?.(type, version) ?? []
  const found = [
    ...lists.flatMap((list) => ignoredParameters(list, parameters, { type, version })),
    ...ignoredByCode(node, parameters, catalogue.n8nVersion),
  ]
  const byPath = new Map<string, IgnoredParameter>()
  for (const each of found) {
    const path = JSON.stringify(each.path)
    if (!byPath.has(path)) byPath.set(path, each)
  }
  return [...byPath.values()]
}

/** What the description of a node has, and its code does not heed. Of several releases the oldest one heeds least. */
export function ignoredByCode(
  node: Node,
  parameters: JsonObject,
  n8nVersion: string,
): readonly IgnoredParameter[] {
  return [...ignoredSettings(node, parameters), ...unsentBody(node, parameters, n8nVersion)]
}
