import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isAbsent, readEntity, textField, textOf } from './entity.ts'
import { isObject } from './is-object.ts'
import { n8nError } from './error-catalogue.ts'
import type { StoredWorkflow, WorkflowVersion } from './n8n-client.ts'
import type { N8nConnections, N8nNode, N8nWorkflow } from './n8n-workflow.ts'
import { toSentSettings } from './sent-settings.ts'
import { assertName, optionError } from './option-check.ts'
import { nodeFields } from './workflow-fields.ts'

/**
 * What of a workflow is sent. n8n refuses a request for one field that it does not take, its own read-only ones included, so
 * that nothing it gave could be sent back as it is.
 *
 * @throws {ToolError} N8N_OPTION_INVALID
 */
export function toSentWorkflow(
  workflow: N8nWorkflow,
  { major, stored }: { readonly major: 1 | 2; readonly stored?: StoredWorkflow },
): JsonObject {
  if (!isObject(workflow))
    throw optionError({ field: 'workflow', rule: 'an object', value: workflow })
  const { name, nodes, connections, settings, staticData, pinData } = workflow
  assertName('workflow.name', name)
  if (!Array.isArray(nodes))
    throw optionError({ field: 'workflow.nodes', rule: 'an array', value: nodes })
  if (!isObject(connections))
    throw optionError({ field: 'workflow.connections', rule: 'an object', value: connections })
  if (!isObject(settings))
    throw optionError({ field: 'workflow.settings', rule: 'an object', value: settings })
  return {
    name,
    nodes: (nodes as readonly N8nNode[]).map((node, index) => {
      if (!isObject(node))
        throw optionError({ field: `workflow.nodes[${index}]`, rule: 'an object', value: node })
      return pick(node, nodeFields)
    }),
    connections,
    settings: toSentSettings(settings, { major, stored: stored?.settings }),
    // Null takes back what is stored; there is nothing to take back from a new workflow.
    ...(staticData === undefined || (staticData === null && stored === undefined)
      ? {}
      : { staticData }),
    ...(major === 1 ? {} : toSentPins(pinData, stored)),
  }
}

/** Those that are stored stay unless they are taken back; n8n 1.x takes none at all. */
function toSentPins(
  pinData: N8nWorkflow['pinData'],
  stored: StoredWorkflow | undefined,
): JsonObject {
  if (!isAbsent(pinData)) return { pinData }
  return stored?.pinData === undefined ? {} : { pinData: null }
}

function pick(from: object, fields: readonly string[]): JsonObject {
  const source = from as Readonly<Record<string, JsonValue | undefined>>
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = Object.hasOwn(source, field) ? source[field] : undefined
      return value === undefined ? [] : [[field, value]]
    }),
  )
}

/** @throws {ToolError} N8N_RESPONSE_INVALID when it is none */
export function toStoredWorkflow(json: JsonValue | undefined, major: 1 | 2): StoredWorkflow {
  const entity = readEntity('workflow', json, ['id', 'name', 'nodes', 'connections'])
  assertContent(entity)
  const { activeVersion } = entity
  if (isObject(activeVersion)) assertContent(activeVersion)
  // n8n 1.x has version ids too, but nothing that takes them.
  const hasVersions = major > 1
  return {
    id: textOf(entity['id']),
    name: textOf(entity['name']),
    active: entity['active'] === true,
    isArchived: entity['isArchived'] === true,
    nodes: entity['nodes'] as unknown as readonly N8nNode[],
    connections: entity['connections'] as unknown as N8nConnections,
    settings: isObject(entity['settings']) ? entity['settings'] : {},
    ...(isAbsent(entity['staticData']) ? {} : { staticData: entity['staticData'] }),
    ...(isObject(entity['pinData']) ? { pinData: entity['pinData'] } : {}),
    ...(hasVersions ? textField('versionId', entity['versionId']) : {}),
    ...(hasVersions ? textField('activeVersionId', entity['activeVersionId']) : {}),
    ...(hasVersions && isObject(activeVersion)
      ? {
          activeVersion: {
            versionId: textOf(activeVersion['versionId']),
            nodes: activeVersion['nodes'] as unknown as readonly N8nNode[],
            connections: activeVersion['connections'] as unknown as N8nConnections,
          },
        }
      : {}),
    createdAt: textOf(entity['createdAt']),
    updatedAt: textOf(entity['updatedAt']),
    tags: Array.isArray(entity['tags'])
      ? (entity['tags'] as readonly JsonObject[]).map(({ id, name }) => ({
          id: textOf(id),
          name: textOf(name),
        }))
      : [],
  }
}

/** So that whoever reads nodes and connections can rely on what they are. */
function assertContent({ nodes, connections }: JsonObject): void {
  const isList = Array.isArray(nodes) && nodes.every(isObject)
  if (!isList || !isObject(connections))
    throw n8nError(
      'N8N_RESPONSE_INVALID',
      'n8n answered with a workflow whose nodes or connections are none. Check baseUrl, and that this release of n8n is supported.',
      { data: { sent: true } },
    )
}

/** @throws {ToolError} N8N_RESPONSE_INVALID when it is none */
export function toWorkflowVersion(json: JsonValue | undefined): WorkflowVersion {
  const entity = readEntity('version', json, ['versionId'])
  return {
    versionId: textOf(entity['versionId']),
    ...textField('name', entity['name']),
    ...textField('description', entity['description']),
    createdAt: textOf(entity['createdAt']),
    ...(Array.isArray(entity['nodes']) ? { nodes: entity['nodes'] as readonly N8nNode[] } : {}),
    ...(isObject(entity['connections'])
      ? { connections: entity['connections'] as unknown as N8nConnections }
      : {}),
  }
}
