import { findNodeFacts } from '../node-catalogue.ts'
import type { N8nConnections, N8nNode } from '../n8n-workflow.ts'
import { deriveNodeId, deriveUuid } from './derived-id.ts'
import { layOut } from './layout.ts'
import { quote } from './quote.ts'
import type { DraftNode } from './read-node.ts'
import type { ReadContext } from './read-context.ts'
import { repairParameters } from './repair-parameters.ts'

interface Drafts {
  /** Of the workflow. */
  readonly name: string
  readonly drafts: readonly DraftNode[]
  readonly connections: N8nConnections
}

/** Fills in what nodes lack. The same drafts always give the same nodes, and complete nodes stay as they are. */
export function repairNodes(
  { name: workflowName, drafts, connections }: Drafts,
  context: ReadContext,
): readonly N8nNode[] {
  const { catalogue, repairs } = context
  const takenIds = new Set(drafts.flatMap(({ id }) => (id === undefined ? [] : [id])))
  const places = drafts.some(({ position }) => position === undefined)
    ? layOut(
        drafts.map(({ name }) => name),
        connections,
      )
    : undefined
  return drafts.map((draft): N8nNode => {
    const { place, id, typeVersion, position, parameters, ...rest } = draft
    const { name, type } = rest
    const facts = findNodeFacts(catalogue, type)
    const missing: string[] = []
    const fill = <Value>(field: string, given: Value | undefined, value: () => Value): Value => {
      if (given !== undefined) return given
      missing.push(field)
      return value()
    }
    const filledId = fill('id', id, () => deriveNodeId(name, takenIds))
    takenIds.add(filledId)
    const node: N8nNode = {
      ...rest,
      id: filledId,
      // As n8n itself reads a missing one, whatever newer versions there are.
      typeVersion: fill('typeVersion', typeVersion, () => 1),
      position: fill('position', position, () => places?.get(name) ?? [0, 0]),
      parameters: fill('parameters', parameters, () => ({})),
      ...(facts?.hasWebhook && {
        webhookId: fill('webhookId', rest.webhookId, () =>
          deriveUuid([workflowName, filledId, name]),
        ),
      }),
    }
    if (missing.length > 0) repairs.push(`Filled in ${missing.join(', ')} of ${quote(name)}.`)
    return repairParameters(node, place, context)
  })
}
