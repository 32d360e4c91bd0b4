import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { N8nWorkflow } from '../n8n-workflow.ts'
import { isObject } from '../is-object.ts'
import type { ProblemList } from './problem-list.ts'
import type { ReadContext } from './read-context.ts'
import { readConnections } from './read-connections.ts'
import { type DraftNode, readNode } from './read-node.ts'
import { either, quote } from './quote.ts'
import { repairNodes } from './repair-nodes.ts'
import { readSettingsValues } from './settings-values.ts'
import { settingsFields } from '../sent-settings.ts'
import { workflowFields } from '../workflow-fields.ts'

/** n8n takes no longer name. */
const maxNameLength = 128

/** A workflow in its shape, and where each of its nodes stands in the text. */
export interface ReadWorkflow {
  readonly workflow: N8nWorkflow
  /** By name, such as `nodes[2]`. */
  readonly places: ReadonlyMap<string, string>
}

/** Reads a workflow from plain JSON, and repairs what can be repaired. Undefined when there is nothing to go on with. */
export function readWorkflow(json: JsonValue, context: ReadContext): ReadWorkflow | undefined {
  const { problems, repairs } = context
  if (!isObject(json)) {
    problems.error({
      code: 'not-a-workflow',
      path: '',
      message: `A workflow is an object with name, nodes and connections; this is ${quote(json)}.`,
      fix: 'Hand over the workflow itself, not its text and not a list.',
    })
    return undefined
  }
  const name = readName(json['name'], problems)
  const settings = readSettings(json['settings'], context)
  const drafts = readNodes(json['nodes'], context)
  const unknown = Object.keys(json).filter((key) => !workflowFields.has(key))
  if (unknown.length > 0)
    repairs.push(
      `Left out ${either(unknown).replace(' or ', ' and ')}: n8n sets these itself, or does not know them.`,
    )
  if (drafts === undefined) return undefined
  const connections = readConnections(json['connections'], drafts, context)
  const workflow: N8nWorkflow = {
    name,
    nodes: repairNodes({ name, drafts, connections }, context),
    connections,
    settings,
    ...readExtras(json, context),
  }
  return { workflow, places: new Map(drafts.map(({ name: node, place }) => [node, place])) }
}

function readName(name: JsonValue | undefined, problems: ProblemList): string {
  if (typeof name === 'string' && name.trim() !== '' && name.length <= maxNameLength) return name
  problems.error({
    code: 'bad-workflow-name',
    path: 'name',
    message: `The name of a workflow has 1 to ${maxNameLength} characters; it is ${
      typeof name === 'string' && name.length > maxNameLength ? `${name.length} long` : quote(name)
    }.`,
    fix: 'Give it a short name.',
  })
  return 'Workflow'
}

function readSettings(settings: JsonValue | undefined, context: ReadContext): JsonObject {
  if (settings !== undefined && !isObject(settings)) {
    context.problems.error({
      code: 'bad-settings',
      path: 'settings',
      message: `settings is an object; it is ${quote(settings)}.`,
      fix: 'Write "settings": {}.',
    })
    return { executionOrder: 'v1' }
  }
  const given = settings ?? {}
  const unknown = Object.keys(given).filter((key) => !settingsFields.includes(key))
  if (unknown.length > 0)
    context.repairs.push(
      `Left out ${either(unknown).replace(' or ', ' and ')} of the settings: n8n does not know them.`,
    )
  const known = readSettingsValues(
    Object.fromEntries(Object.entries(given).filter(([key]) => settingsFields.includes(key))),
    context,
  )
  if (known['executionOrder'] !== undefined) return known
  context.repairs.push('Put settings.executionOrder in: "v1".')
  return { ...known, executionOrder: 'v1' }
}

function readNodes(
  nodes: JsonValue | undefined,
  context: ReadContext,
): readonly DraftNode[] | undefined {
  const { problems, limits } = context
  if (!Array.isArray(nodes) || nodes.length === 0) {
    problems.error({
      code: 'no-nodes',
      path: 'nodes',
      message: `nodes is a list of at least one node; it is ${
        Array.isArray(nodes) ? 'empty' : quote(nodes)
      }.`,
      fix: 'Put a webhook node and the nodes that do the work in.',
    })
    return undefined
  }
  const list = nodes as readonly JsonValue[]
  if (list.length > limits.maxNodes) {
    problems.error({
      code: 'too-large',
      path: 'nodes',
      message: `The workflow has ${list.length} nodes; ${limits.maxNodes} are allowed.`,
      fix: 'Make the workflow smaller, or raise limits.maxNodes.',
    })
    return undefined
  }
  const drafts = list.map((node, index) => readNode(node, `nodes[${index}]`, context))
  return withoutDuplicates(
    drafts.filter((draft) => draft !== undefined),
    problems,
  )
}

function withoutDuplicates(drafts: readonly DraftNode[], problems: ProblemList): DraftNode[] {
  const names = new Map<string, string>()
  const ids = new Map<string, string>()
  return drafts.filter(({ name, id, place }) => {
    const sameName = names.get(name)
    const sameId = id === undefined ? undefined : ids.get(id)
    if (id !== undefined && sameId === undefined) ids.set(id, name)
    if (sameId !== undefined)
      problems.error({
        code: 'duplicate-node-id',
        path: `${place}.id`,
        node: name,
        message: `Two nodes have the id ${quote(id)}: ${quote(sameId)} and ${quote(name)}.`,
        fix: 'Leave the ids out; they are made from the names.',
      })
    if (sameName === undefined) names.set(name, place)
    else
      problems.error({
        code: 'duplicate-node-name',
        path: `${place}.name`,
        node: name,
        message: `Two nodes are called ${quote(name)}: ${sameName} and ${place}.`,
        fix: 'Give each node a name of its own, and use it in connections and expressions.',
      })
    return sameName === undefined
  })
}

/** `staticData` and `pinData`, which n8n takes as objects only. */
function readExtras(
  json: JsonObject,
  { catalogue, problems, repairs }: ReadContext,
): Pick<N8nWorkflow, 'staticData' | 'pinData'> {
  const extras: { staticData?: JsonObject; pinData?: JsonObject } = {}
  for (const key of ['staticData', 'pinData'] as const) {
    const value = json[key]
    // The editor exports them as null or {} when there are none.
    if (value === undefined || value === null) continue
    if (isObject(value)) {
      if (Object.keys(value).length === 0) continue
      if (key === 'pinData' && catalogue.n8nVersion.startsWith('1.'))
        repairs.push('Left out pinData: the public API of n8n 1.x takes none.')
      else extras[key] = value
      continue
    }
    problems.error({
      code: key === 'pinData' ? 'bad-pin-data' : 'bad-static-data',
      path: key,
      message: `${key} is an object; it is ${quote(value)}.`,
      fix: `Leave ${key} out.`,
    })
  }
  return extras
}
