import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import type { N8nNode } from '../n8n-workflow.ts'
import { quote } from './quote.ts'

const comparing: ReadonlySet<string> = new Set([
  'n8n-nodes-base.if',
  'n8n-nodes-base.filter',
  'n8n-nodes-base.switch',
])

/** What n8n 2 fills in itself. */
const options: JsonObject = {
  caseSensitive: true,
  leftValue: '',
  typeValidation: 'strict',
  version: 1,
}

/**
 * The parameters with what their conditions lack beside the list. n8n 2 fills it in; n8n 1 takes conditions without `combinator`
 * for true, and fails on those without `options`.
 */
export function completeConditions(node: N8nNode, repairs: string[]): JsonObject {
  if (!comparing.has(node.type)) return node.parameters
  const missing = new Set<string>()
  const completed = complete(node.parameters, missing)
  if (missing.size === 0 || !isObject(completed)) return node.parameters
  repairs.push(`Filled in ${[...missing].join(' and ')} of the conditions of ${quote(node.name)}.`)
  return completed
}

function complete(value: JsonValue, missing: Set<string>): JsonValue {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((each) => complete(each, missing))
  if (!isObject(value)) return value
  if (!isConditions(value)) {
    const entries = Object.entries(value).map(([key, each]) => [key, complete(each, missing)])
    return Object.fromEntries(entries) as JsonObject
  }
  if (value['combinator'] === undefined) missing.add('combinator')
  if (value['options'] === undefined) missing.add('options')
  return { options, combinator: 'and', ...value }
}

function isConditions({ conditions }: JsonObject): boolean {
  if (!Array.isArray(conditions) || conditions.length === 0) return false
  const list = conditions as readonly JsonValue[]
  return list.every((each) => isObject(each) && isObject(each['operator']))
}
