import type { JsonValue } from '@toolcrib/registry'
import { isExpression } from '../check/expression-parts.ts'
import { isObject } from '../is-object.ts'
import { type IgnoredParameter, type ParameterPath, notRead } from './ignored-parameter.ts'

const filterKeys: ReadonlySet<string> = new Set(['options', 'conditions', 'combinator'])
const conditionKeys: ReadonlySet<string> = new Set(['id', 'leftValue', 'rightValue', 'operator'])

const operations: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    string:
      'empty notEmpty equals notEquals contains notContains startsWith notStartsWith endsWith notEndsWith regex notRegex',
    number: 'empty notEmpty equals notEquals gt lt gte lte',
    dateTime: 'empty notEmpty equals notEquals after before afterOrEquals beforeOrEquals',
    boolean: 'empty notEmpty true false equals notEquals',
    array:
      'empty notEmpty contains notContains lengthEquals lengthNotEquals lengthGt lengthLt lengthGte lengthLte',
    object: 'empty notEmpty',
    any: '',
  }).map(([type, names]) => [type, new Set([...names.split(' '), 'exists', 'notExists'])]),
)

/**
 * What is not read of conditions, which are `{ options, combinator, conditions: [{ leftValue, operator: { type, operation },
 * rightValue }] }`. Conditions of another form make n8n take the true branch, an unknown operation the false one, always.
 */
export function strayConditions(
  given: JsonValue,
  path: ParameterPath,
): readonly IgnoredParameter[] {
  if (!isObject(given)) return isUnresolved(given) ? [] : [notRead(given, path)]
  const { conditions, combinator } = given
  const unknown = Object.entries(given).filter(([key]) => !filterKeys.has(key))
  // Nothing of it is read without its list of conditions.
  if (conditions === undefined) return unknown.length === 0 ? [] : [notRead(given, path)]
  if (!Array.isArray(conditions))
    return isUnresolved(conditions) ? [] : [notRead(conditions, [...path, 'conditions'])]
  const found = unknown.map(([key, value]) => notRead(value, [...path, key], 'unknown'))
  if (
    combinator !== undefined &&
    combinator !== 'and' &&
    combinator !== 'or' &&
    !isUnresolved(combinator)
  )
    found.push(notRead(combinator, [...path, 'combinator']))
  for (const [index, entry] of (conditions as readonly JsonValue[]).entries()) {
    const at = [...path, 'conditions', index]
    if (!isObject(entry) || !isObject(entry['operator'])) {
      found.push(notRead(entry, at))
      continue
    }
    const { type, operation } = entry['operator']
    if (!isKnownOperation(type, operation))
      found.push(notRead(entry['operator'], [...at, 'operator']))
    for (const [key, value] of Object.entries(entry))
      if (!conditionKeys.has(key)) found.push(notRead(value, [...at, key], 'unknown'))
  }
  return found
}

function isUnresolved(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && isExpression(value)
}

function isKnownOperation(type: JsonValue | undefined, operation: JsonValue | undefined): boolean {
  if (isUnresolved(type) || isUnresolved(operation)) return true
  if (typeof type !== 'string' || typeof operation !== 'string') return false
  return Object.hasOwn(operations, type) && operations[type]?.has(operation) === true
}
