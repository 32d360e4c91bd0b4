import { canonicalJson, type JsonObject, type JsonValue } from '@toolcrib/registry'
import { canonicalWorkflow } from './canonical-workflow.ts'
import type { N8nWorkflow } from './n8n-workflow.ts'
import { isObject } from './is-object.ts'

const maxFields = 20

/** Where two workflows differ, as fields that a person finds again in n8n; empty where they mean the same. */
export function findDifferences(expected: N8nWorkflow, actual: N8nWorkflow): string[] {
  const before = canonicalWorkflow(expected)
  const after = canonicalWorkflow(actual)
  if (canonicalJson(before) === canonicalJson(after)) return []
  const fields = [
    ...compareNodes(listNodes(before), listNodes(after)),
    ...compareKeys(before, after, 'connections', (name) => `connections of "${name}"`),
    ...compareKeys(before, after, 'settings', (name) => `settings.${name}`),
    ...['name', 'pinData', 'staticData'].filter((key) => !isSame(before[key], after[key])),
  ]
  // Nothing by name, and yet not the same: the list of nodes was put into another order.
  if (fields.length === 0) return ['order of the nodes']
  const rest = fields.length - maxFields
  return rest > 0 ? [...fields.slice(0, maxFields), `${rest} more`] : fields
}

function listNodes(workflow: JsonObject): ReadonlyMap<string, JsonObject> {
  const nodes = workflow['nodes'] as readonly (JsonObject & { readonly name: string })[]
  return new Map(nodes.map((node) => [node.name, node]))
}

function compareNodes(
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
): string[] {
  const fields: string[] = []
  for (const [name, node] of before) {
    const other = after.get(name)
    if (other === undefined) fields.push(`node "${name}" removed or renamed`)
    else fields.push(...compareNode(name, node, other))
  }
  for (const name of after.keys()) if (!before.has(name)) fields.push(`node "${name}" added`)
  return fields
}

function compareNode(name: string, before: JsonObject, after: JsonObject): string[] {
  return changedKeys(before, after).flatMap((key) =>
    key === 'parameters' && isObject(before[key]) && isObject(after[key])
      ? changedKeys(before[key], after[key]).map((inner) => `node "${name}" parameters.${inner}`)
      : [`node "${name}" ${key}`],
  )
}

function compareKeys(
  before: JsonObject,
  after: JsonObject,
  ...[key, name]: readonly [string, (inner: string) => string]
): string[] {
  const [left, right] = [before[key], after[key]]
  if (!isObject(left) || !isObject(right)) return isSame(left, right) ? [] : [key]
  return changedKeys(left, right).map(name)
}

function changedKeys(before: JsonObject, after: JsonObject): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].filter((key) => !isSame(ownValue(before, key), ownValue(after, key)))
}

/** A parameter may be called like a method of every object. */
function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function isSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined || after === undefined) return before === after
  return canonicalJson(before) === canonicalJson(after)
}
