import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isObject } from '../is-object.ts'

const operations: Readonly<Record<string, string>> = {
  equal: 'equals',
  notEqual: 'notEquals',
  isEmpty: 'empty',
  isNotEmpty: 'notEmpty',
  larger: 'gt',
  largerEqual: 'gte',
  smaller: 'lt',
  smallerEqual: 'lte',
}
const presets: Readonly<Record<string, string>> = {
  string: 'equal',
  number: 'smaller',
  boolean: 'equal',
  dateTime: 'after',
}

/** Conditions of the If node of version 1 (`{ string: [{ value1, operation, value2 }] }`) in the form of version 2. */
export function conditionsFromOld(given: JsonValue, combine?: JsonValue): JsonObject | undefined {
  if (!isObject(given)) return undefined
  const conditions = Object.entries(given).flatMap(([type, list]): (JsonValue | undefined)[] => {
    if (!Object.hasOwn(presets, type) || !Array.isArray(list)) return [undefined]
    return (list as readonly JsonValue[]).map((entry) => readCondition(type, entry))
  })
  const read = conditions.filter((condition) => condition !== undefined)
  if (read.length === 0 || read.length < conditions.length) return undefined
  return {
    options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
    combinator: combine === 'any' ? 'or' : 'and',
    conditions: read,
  }
}

function readCondition(type: string, entry: JsonValue): JsonValue | undefined {
  if (!isObject(entry)) return undefined
  const { value1 = '', value2, operation = presets[type] ?? '' } = entry
  if (typeof operation !== 'string') return undefined
  const name = Object.hasOwn(operations, operation)
    ? (operations[operation] ?? operation)
    : operation
  return {
    leftValue: value1,
    operator: { type, operation: name },
    ...(value2 !== undefined && { rightValue: value2 }),
  }
}

/** The name that version 2 of the If node has for an operation, where an older one was written. */
export function newOperation(operation: JsonValue | undefined): string | undefined {
  return typeof operation === 'string' && Object.hasOwn(operations, operation)
    ? operations[operation]
    : undefined
}

/** The name that version 1 of the If node has for an operation, where that of version 2 was written. */
export function oldOperation(operation: JsonValue): string | undefined {
  return Object.entries(operations).find(([, name]) => name === operation)?.[0]
}
