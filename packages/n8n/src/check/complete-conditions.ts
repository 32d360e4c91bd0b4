import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import type { N8nNode } from '../n8n-workflow.ts'
import { defaultOptions } from '../parameters/condition-settings.ts'
import { quote } from './quote.ts'

const comparing: ReadonlySet<string> = new Set([
  'n8n-nodes-base.if',
  'n8n-nodes-base.filter',
  'n8n-nodes-base.switch',
  '@n8n/n8n-nodes-langchain.modelSelector',
])

interface Completion {
  readonly options: JsonObject
  readonly done: Set<string>
}

/**
 * The parameters with what their conditions lack beside the list, as the settings beside them say. n8n 2 fills in the same
 * whatever those say; n8n 1 takes conditions without `combinator` for true, fails on those without `options`, and converts types
 * and ignores case where `options` say nothing of it.
 */
export function completeConditions(node: N8nNode, repairs: string[]): JsonObject {
  if (!comparing.has(node.type)) return node.parameters
  const done = new Set<string>()
  const options = defaultOptions(node, node.parameters)
  const completed = complete(node.parameters, { options, done })
  if (done.size === 0 || !isObject(completed)) return node.parameters
  repairs.push(`Filled in ${[...done].join(' and ')} of the conditions of ${quote(node.name)}.`)
  return completed
}

function complete(value: JsonValue, completion: Completion): JsonValue {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((each) => complete(each, completion))
  if (!isObject(value)) return value
  if (!isConditions(value)) {
    const entries = Object.entries(value).map(([key, each]) => [key, complete(each, completion)])
    return Object.fromEntries(entries) as JsonObject
  }
  const { done, options } = completion
  const { options: given = {}, ...rest } = value
  if (!isObject(given)) return value
  const { combinator: inside, ...own } = given
  // Where models write it; n8n reads it beside the options only.
  const isInside = rest['combinator'] === undefined && (inside === 'and' || inside === 'or')
  if (rest['combinator'] === undefined) done.add('combinator')
  const isWhole = ['caseSensitive', 'typeValidation'].every((key) => own[key] !== undefined)
  if (!isWhole) done.add('options')
  const kept = isInside ? own : given
  return {
    options: isWhole ? kept : { ...options, ...kept },
    combinator: isInside ? inside : 'and',
    ...rest,
  }
}

function isConditions({ conditions }: JsonObject): boolean {
  if (!Array.isArray(conditions) || conditions.length === 0) return false
  const list = conditions as readonly JsonValue[]
  return list.every((each) => isObject(each) && isObject(each['operator']))
}
