import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { n8nError } from './error-catalogue.ts'
import type { StoredWorkflow, WorkflowVersion } from './n8n-client.ts'
import type { N8nConnections, N8nNode, N8nWorkflow } from './n8n-workflow.ts'
import { assertName, optionError } from './option-check.ts'

const nodeFields = [
  'id',
  'name',
  'type',
  'typeVersion',
  'position',
  'parameters',
  'credentials',
  'webhookId',
  'disabled',
  'notes',
  'notesInFlow',
  'onError',
  'retryOnFail',
  'maxTries',
  'waitBetweenTries',
  'alwaysOutputData',
  'executeOnce',
  'continueOnFail',
] as const satisfies readonly (keyof N8nNode)[]

const oldSettings = [
  'saveExecutionProgress',
  'saveManualExecutions',
  'saveDataErrorExecution',
  'saveDataSuccessExecution',
  'executionTimeout',
  'errorWorkflow',
  'timezone',
  'executionOrder',
  'callerPolicy',
  'callerIds',
  'timeSavedPerExecution',
  'availableInMCP',
] as const

const settingsOf: Readonly<Record<1 | 2, readonly string[]>> = {
  1: oldSettings,
  2: [
    ...oldSettings,
    'binaryMode',
    'timeSavedMode',
    'redactionPolicy',
    'customTelemetryTags',
    'credentialResolverId',
  ],
}

/**
 * What of a workflow is sent. n8n refuses a request for one field that it does not take, its own read-only ones included, so
 * that nothing it gave could be sent back as it is.
 *
 * @throws {ToolError} N8N_OPTION_INVALID
 */
export function toSentWorkflow(workflow: N8nWorkflow, major: 1 | 2): JsonObject {
  const { name, nodes, connections, settings, staticData, pinData } = workflow
  assertName('workflow.name', name)
  if (!Array.isArray(nodes))
    throw optionError({ field: 'workflow.nodes', rule: 'an array', value: nodes })
  if (!isObject(connections))
    throw optionError({ field: 'workflow.connections', rule: 'an object', value: connections })
  return {
    name,
    nodes: (nodes as readonly N8nNode[]).map((node, index) => {
      if (!isObject(node))
        throw optionError({ field: `workflow.nodes[${index}]`, rule: 'an object', value: node })
      return pick(node, nodeFields)
    }),
    connections: connections as unknown as JsonObject,
    settings: pick(settings ?? {}, settingsOf[major]),
    ...(staticData === undefined || staticData === null ? {} : { staticData }),
    ...(pinData === undefined || pinData === null ? {} : { pinData }),
  }
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
  const { activeVersion } = entity
  // n8n 1.x has version ids too, but nothing that takes them.
  const hasVersions = major > 1
  return {
    id: String(entity['id']),
    name: String(entity['name']),
    active: entity['active'] === true,
    isArchived: entity['isArchived'] === true,
    nodes: entity['nodes'] as unknown as readonly N8nNode[],
    connections: entity['connections'] as unknown as N8nConnections,
    settings: isObject(entity['settings']) ? entity['settings'] : {},
    ...present('staticData', entity['staticData']),
    ...(isObject(entity['pinData']) ? { pinData: entity['pinData'] } : {}),
    ...(hasVersions ? presentText('versionId', entity['versionId']) : {}),
    ...(hasVersions ? presentText('activeVersionId', entity['activeVersionId']) : {}),
    ...(hasVersions && isObject(activeVersion)
      ? {
          activeVersion: {
            versionId: String(activeVersion['versionId']),
            nodes: activeVersion['nodes'] as unknown as readonly N8nNode[],
            connections: activeVersion['connections'] as unknown as N8nConnections,
          },
        }
      : {}),
    createdAt: String(entity['createdAt'] ?? ''),
    updatedAt: String(entity['updatedAt'] ?? ''),
    tags: Array.isArray(entity['tags'])
      ? (entity['tags'] as readonly JsonObject[]).map(({ id, name }) => ({
          id: String(id),
          name: String(name),
        }))
      : [],
  }
}

/** @throws {ToolError} N8N_RESPONSE_INVALID when it is none */
export function toWorkflowVersion(json: JsonValue | undefined): WorkflowVersion {
  const entity = readEntity('version', json, ['versionId'])
  return {
    versionId: String(entity['versionId']),
    ...presentText('name', entity['name']),
    ...presentText('description', entity['description']),
    createdAt: String(entity['createdAt'] ?? ''),
    ...(Array.isArray(entity['nodes'])
      ? { nodes: entity['nodes'] as unknown as readonly N8nNode[] }
      : {}),
    ...(isObject(entity['connections'])
      ? { connections: entity['connections'] as unknown as N8nConnections }
      : {}),
  }
}

/** @throws {ToolError} N8N_RESPONSE_INVALID when a field is missing */
export function readEntity(
  what: string,
  json: JsonValue | undefined,
  fields: readonly string[],
): JsonObject {
  const missing = isObject(json)
    ? fields.find((field) => json[field] === undefined || json[field] === null)
    : ''
  if (isObject(json) && missing === undefined) return json
  const which = missing === '' ? 'is no object' : `has no "${missing}"`
  throw n8nError(
    'N8N_RESPONSE_INVALID',
    `n8n answered with a ${what} that ${which}. Check baseUrl, and that this release of n8n is supported.`,
    { data: { sent: true } },
  )
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function present(field: string, value: JsonValue | undefined): Record<string, JsonValue> {
  return value === undefined || value === null ? {} : { [field]: value }
}

export function presentText(field: string, value: JsonValue | undefined): Record<string, string> {
  return value === undefined || value === null || value === '' ? {} : { [field]: String(value) }
}
