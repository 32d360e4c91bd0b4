import { canonicalJson, hashText, type JsonObject, type JsonValue } from '@toolcrib/registry'
import { isObject } from './is-object.ts'
import type { N8nNode, N8nWorkflow } from './n8n-workflow.ts'
import { isLikeNone } from './sent-settings.ts'

const scheduleTrigger = 'n8n-nodes-base.scheduleTrigger'

/**
 * A workflow as what it means: equal for two that n8n runs the same way, different as soon as one node, parameter, position,
 * connection, setting, credential, pinned or static value differs.
 *
 * It is indifferent to the order of keys, and to what a server adds by itself, each by an exact rule: pinned and static data
 * that are absent, null or `{}` are the same; a setting at the one value that says what leaving it out says counts as absent
 * (n8n 1.x adds two of them, and no setting can be removed from a stored workflow); what a schedule trigger notes of its own
 * firing is not static data.
 */
export function canonicalWorkflow(workflow: N8nWorkflow): JsonObject {
  const { name, nodes, connections, settings, pinData, staticData } = workflow
  const pinned = withoutEmpty(pinData ?? null)
  const kept = withoutEmpty(withoutScheduleNotes(staticData ?? null, nodes))
  const settled = Object.entries(settings).filter(
    ([key, value]) => value !== undefined && !isLikeNone(key, value),
  )
  // Through JSON, as it goes over the wire: keys that are undefined do not exist there.
  return JSON.parse(
    JSON.stringify({
      name,
      nodes,
      connections,
      settings: Object.fromEntries(settled),
      ...(pinned === null ? {} : { pinData: pinned }),
      ...(kept === null ? {} : { staticData: kept }),
    }),
  ) as JsonObject
}

/**
 * SHA-256 of {@link canonicalWorkflow}, in 64 hexadecimal digits.
 *
 * @throws {ToolError} VALUE_NOT_JSON when a text in it is none that n8n could keep, or it nests deeper than 200.
 */
export async function hashWorkflow(workflow: N8nWorkflow): Promise<string> {
  return hashText(canonicalJson(canonicalWorkflow(workflow)))
}

function withoutEmpty(value: JsonValue): JsonValue {
  return isObject(value) && Object.keys(value).length === 0 ? null : value
}

/** Leaves out `"node:<a schedule trigger>": { recurrenceRules, recurrenceRuleSignatures? }`, and only that shape. */
function withoutScheduleNotes(staticData: JsonValue, nodes: readonly N8nNode[]): JsonValue {
  if (!isObject(staticData)) return staticData
  const schedules = new Set(
    nodes.filter(({ type }) => type === scheduleTrigger).map(({ name }) => `node:${name}`),
  )
  return Object.fromEntries(
    Object.entries(staticData).filter(([key, value]) => !(schedules.has(key) && isNote(value))),
  )
}

function isNote(value: JsonValue): boolean {
  if (!isObject(value)) return false
  const { recurrenceRules, recurrenceRuleSignatures, ...others } = value
  return (
    Object.keys(others).length === 0 &&
    isListOf(recurrenceRules, 'number') &&
    (recurrenceRuleSignatures === undefined || isListOf(recurrenceRuleSignatures, 'string'))
  )
}

function isListOf(value: JsonValue | undefined, type: 'number' | 'string'): boolean {
  return Array.isArray(value) && value.every((entry) => entry === null || typeof entry === type)
}
