import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { refuse } from './double-answer.ts'
import type { DoubleNode } from './double-state.ts'
import { textOf } from './json-text.ts'
import { isObject } from '../is-object.ts'
import { settingsFields } from '../sent-settings.ts'
import { nodeFields } from '../workflow-fields.ts'

const settingsKeys = new Set<string>(settingsFields)
const nodeKeys = new Set<string>([...nodeFields, 'createdAt', 'updatedAt'])
const readOnly = {
  1: new Set(['id', 'active', 'createdAt', 'updatedAt', 'tags', 'activeVersion']),
  2: new Set([
    'id',
    'active',
    'createdAt',
    'updatedAt',
    'tags',
    'versionId',
    'triggerCount',
    'isArchived',
    'meta',
    'activeVersion',
  ]),
}
const writable = ['name', 'nodes', 'connections', 'settings', 'staticData', 'shared']

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** What a workflow's body has to be, in the words of either release. */
export interface WorkflowBody {
  readonly name: string
  readonly nodes: readonly DoubleNode[]
  readonly connections: JsonObject
  readonly settings: JsonObject
  readonly staticData: JsonValue
  readonly pinData: JsonValue
  readonly description: string | null | undefined
}

/** Reads the body of a workflow that is created or replaced, and refuses what n8n refuses. */
export function readWorkflowBody(
  body: JsonValue,
  { major, update }: { readonly major: 1 | 2; readonly update: boolean },
): WorkflowBody {
  if (!isObject(body))
    refuse(
      400,
      major === 1
        ? 'request/body must be object'
        : `request/body Expected object, received ${typeName(body)}`,
    )
  const unknown = (where: string, keys: readonly string[]): never =>
    refuse(
      400,
      major === 1
        ? `request/body${where} must NOT have additional properties`
        : `request/body${where} Unrecognized key(s) in object: ${keys.map((key) => `'${key}'`).join(', ')}`,
    )
  const keys = Object.keys(body)
  const fixed = keys.find((key) => readOnly[major].has(key))
  const allowed = new Set([
    ...writable,
    ...(major === 2 ? ['pinData', 'nodeGroups', 'projectId', 'parentFolderId'] : []),
    ...(major === 2 && update ? ['description'] : []),
  ])
  const extra = keys.filter((key) => !allowed.has(key) && !readOnly[major].has(key))
  // A body as it was read has both kinds of keys, and 1.x names the unknown ones first.
  if (major === 1 && extra.length > 0) unknown('', extra)
  if (fixed !== undefined) refuse(400, `request/body/${fixed} is read-only`)
  for (const key of ['name', 'nodes', 'connections', 'settings'])
    if (!(key in body))
      refuse(
        400,
        major === 2 && key === 'connections'
          ? 'request/body/connections must be object'
          : `request/body must have required property '${key}'`,
      )
  if (extra.length > 0) unknown('', extra)
  const { name, nodes, connections, settings } = body
  const wrongType = (key: string, expected: string, value: unknown): never =>
    refuse(
      400,
      major === 1
        ? `request/body/${key} must be ${expected}`
        : `request/body/${key} Expected ${expected}, received ${typeName(value)}`,
    )
  if (typeof name !== 'string') return wrongType('name', 'string', name)
  if (!Array.isArray(nodes)) return wrongType('nodes', 'array', nodes)
  if (!isObject(connections)) return refuse(400, 'request/body/connections must be object')
  if (!isObject(settings)) return wrongType('settings', 'object', settings)
  const wrongSettings = Object.keys(settings).filter((key) => !settingsKeys.has(key))
  if (wrongSettings.length > 0) unknown('/settings', wrongSettings)
  if ('timezone' in settings && typeof settings['timezone'] !== 'string')
    wrongType('settings/timezone', 'string', settings['timezone'])
  for (const [index, node] of nodes.entries()) {
    if (!isObject(node)) return wrongType(`nodes/${String(index)}`, 'object', node)
    const wrong = Object.keys(node).filter((key) => !nodeKeys.has(key))
    if (wrong.length > 0) unknown(`/nodes/${String(index)}`, wrong)
  }
  if (major === 2) {
    if (name.length < 1 || name.length > 128)
      refuse(400, 'Workflow name must be 1 to 128 characters long.')
    const problems = structureProblems(nodes as readonly JsonObject[], connections)
    if (problems.length > 0) refuse(400, `Workflow structure is invalid. ${problems.join('; ')}`)
  }
  return {
    name,
    nodes: nodes as readonly DoubleNode[],
    connections,
    settings,
    staticData: body['staticData'] ?? null,
    pinData: body['pinData'] ?? null,
    description: body['description'] as string | null | undefined,
  }
}

/** What 2.x finds wrong with the shape of nodes and connections. */
function structureProblems(nodes: readonly JsonObject[], connections: JsonObject): string[] {
  const problems: string[] = []
  const names = new Set<JsonValue | undefined>()
  const ids = new Map<JsonValue | undefined, JsonValue | undefined>()
  for (const [index, node] of nodes.entries()) {
    for (const key of ['name', 'type', 'position'])
      if (node[key] === undefined)
        problems.push(`nodes[${String(index)}].${key} (invalid_type): Required`)
    if (node['name'] !== undefined && names.has(node['name']))
      problems.push(
        `nodes[${String(index)}].name (duplicate_node_name): Duplicate node name "${textOf(node['name'])}"`,
      )
    if (node['id'] !== undefined && ids.has(node['id']))
      problems.push(
        `nodes[${String(index)}].id (duplicate_node_id): Nodes "${textOf(ids.get(node['id']))}" and "${textOf(node['name'])}" share the node ID "${textOf(node['id'])}"`,
      )
    names.add(node['name'])
    if (!ids.has(node['id'])) ids.set(node['id'], node['name'])
  }
  // Names that are missing make every connection look wrong; n8n stops before.
  if (problems.some((problem) => problem.includes('invalid_type'))) return problems
  for (const [source, byType] of Object.entries(connections)) {
    if (!isObject(byType)) {
      problems.push(
        `connections.${source} (invalid_type): Expected object, received ${typeName(byType)}`,
      )
      continue
    }
    if (!names.has(source))
      problems.push(
        `connections.${source} (unknown_connection_source): Connection source "${source}" does not reference an existing node`,
      )
    for (const [type, outputs] of Object.entries(byType))
      for (const [output, targets] of (Array.isArray(outputs) ? outputs : []).entries())
        for (const [place, target] of (Array.isArray(targets) ? targets : []).entries())
          if (isObject(target) && !names.has(target['node']))
            problems.push(
              `connections.${source}.${type}[${String(output)}][${String(place)}].node (unknown_connection_target): Connection target "${textOf(target['node'])}" does not reference an existing node`,
            )
  }
  return problems
}
