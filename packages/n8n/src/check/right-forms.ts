import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'
import type { N8nNode } from '../n8n-workflow.ts'
import type { ParameterPath } from '../parameters/ignored-parameter.ts'
import { baseType } from './check-context.ts'
import { fieldsFromValues } from './old-fields.ts'

/** What to write in the place of a parameter of another version. */
export interface RightForm {
  /** The parameters that say the same. */
  readonly parameters: JsonObject
  /** Whether it is the same for certain, so that it may be put in. */
  readonly isSure: boolean
}

type Converter = (value: JsonValue) => RightForm | undefined

const sure = (parameters: JsonObject | undefined): RightForm | undefined =>
  parameters && { parameters, isSure: true }

/** The names of older versions of the HTTP Request node, and what is written by mistake, with their form from version 3 on. */
const requestForms: Readonly<Record<string, Converter>> = {
  requestMethod: (value) => (typeof value === 'string' ? sure({ method: value }) : undefined),
  headers: (value) => sure(pairs(value, 'sendHeaders', 'headerParameters')),
  headerParametersUi: (value) => sure(pairs(value, 'sendHeaders', 'headerParameters')),
  headerParametersJson: (value) => sure(asJson(value, 'Headers')),
  query: (value) => sure(pairs(value, 'sendQuery', 'queryParameters')),
  queryParametersUi: (value) => sure(pairs(value, 'sendQuery', 'queryParameters')),
  queryParametersJson: (value) => sure(asJson(value, 'Query')),
  bodyParametersUi: (value) => sure(pairs(value, 'sendBody', 'bodyParameters')),
  bodyParametersJson: (value) => sure(asJson(value, 'Body')),
  body: (value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return { parameters: asJson(text, 'Body') ?? {}, isSure: false }
  },
}

/**
 * The form in which a version of a node reads what is written in that of another one; `undefined` where there is no rule for it.
 * Rules are for the nodes that are most often written from memory.
 */
export function rightFormOf(
  node: Pick<N8nNode, 'type' | 'typeVersion'>,
  path: ParameterPath,
  value: JsonValue,
): RightForm | undefined {
  const [name, ...deeper] = path
  if (typeof name !== 'string' || deeper.length > 0) return undefined
  const kind = baseType(node)?.replace(/Tool$/, '')
  if (kind === 'httpRequest') {
    if (node.typeVersion < 3)
      return name === 'method' && typeof value === 'string'
        ? sure({ requestMethod: value })
        : undefined
    return Object.hasOwn(requestForms, name) ? requestForms[name]?.(value) : undefined
  }
  if (kind === 'set' && node.typeVersion >= 3.3 && (name === 'values' || name === 'fields')) {
    const fields = fieldsFromValues(value)
    return fields && { parameters: { assignments: { assignments: fields } }, isSure: false }
  }
  return undefined
}

/** Names and values, whether as an object, a list, or a list within a group. */
function pairs(value: JsonValue, flag: string, name: string): JsonObject | undefined {
  const list = readPairs(value)
  return list && { [flag]: true, [name]: { parameters: list } }
}

function readPairs(value: JsonValue): JsonValue[] | undefined {
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[]
    return list.length > 0 && list.every((each) => isPair(each)) ? [...list] : undefined
  }
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
  const [only] = entries
  if (only !== undefined && entries.length === 1 && Array.isArray(only[1]))
    return only[0] === 'parameter' || only[0] === 'parameters' ? readPairs(only[1]) : undefined
  return entries.length > 0 && entries.every(([, each]) => isPlain(each))
    ? entries.map(([key, each]) => ({ name: key, value: each }))
    : undefined
}

function isPair(value: JsonValue): boolean {
  if (!isObject(value)) return false
  const { name, value: own, ...others } = value
  return typeof name === 'string' && isPlain(own) && Object.keys(others).length === 0
}

function isPlain(value: JsonValue | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function asJson(value: JsonValue, part: 'Headers' | 'Query' | 'Body'): JsonObject | undefined {
  if (typeof value !== 'string') return undefined
  return { [`send${part}`]: true, [`specify${part}`]: 'json', [`json${part}`]: value }
}
