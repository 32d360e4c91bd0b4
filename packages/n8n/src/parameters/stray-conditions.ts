import type { JsonValue } from '@toolcrib/registry'
import { isExpression } from '../check/expression-parts.ts'
import { isObject } from '../is-object.ts'
import { strayKeys } from './closed-keys.ts'
import { type IgnoredParameter, type ParameterPath, notRead } from './ignored-parameter.ts'

// What n8n reads: n8n-workflow, node-parameters/filter-parameter.
const filterKeys = ['options', 'conditions', 'combinator']
const conditionKeys = ['id', 'leftValue', 'rightValue', 'operator']
const operatorKeys = ['type', 'operation', 'name', 'rightType', 'singleValue']
const optionKeys = ['caseSensitive', 'leftValue', 'typeValidation', 'version']
/** Of options, the values that do what they say: of others n8n makes one of these, and mostly not the one that was meant. */
const optionValues: Readonly<Record<string, readonly JsonValue[]>> = {
  caseSensitive: [true, false],
  typeValidation: ['strict', 'loose'],
  version: [1, 2, 3],
}

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
  const { conditions, combinator, options } = given
  const unknown = strayKeys(given, filterKeys, path)
  // Nothing of it is read without its list of conditions.
  if (conditions === undefined) return unknown.length === 0 ? [] : [notRead(given, path)]
  if (!Array.isArray(conditions))
    return isUnresolved(conditions) ? [] : [notRead(conditions, [...path, 'conditions'])]
  const found = [...unknown, ...strayOptions(options, [...path, 'options'])]
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
    const { operator } = entry
    if (!isKnownOperation(operator['type'], operator['operation']))
      found.push(notRead(operator, [...at, 'operator']))
    else found.push(...strayKeys(operator, operatorKeys, [...at, 'operator']))
    found.push(...strayKeys(entry, conditionKeys, at))
  }
  return found
}

function strayOptions(
  options: JsonValue | undefined,
  path: ParameterPath,
): readonly IgnoredParameter[] {
  if (options === undefined || isUnresolved(options)) return []
  if (!isObject(options)) return [notRead(options, path)]
  const wrong = Object.entries(optionValues).flatMap(([key, values]) => {
    const value = options[key]
    if (value === undefined || isUnresolved(value) || values.includes(value)) return []
    const fix = `Write ${values.map((each) => JSON.stringify(each)).join(' or ')}.`
    return [notRead(value, [...path, key], { fix })]
  })
  return [...strayKeys(options, optionKeys, path), ...wrong]
}

function isUnresolved(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && isExpression(value)
}

function isKnownOperation(type: JsonValue | undefined, operation: JsonValue | undefined): boolean {
  if (isUnresolved(type) || isUnresolved(operation)) return true
  if (typeof type !== 'string' || typeof operation !== 'string') return false
  return Object.hasOwn(operations, type) && operations[type]?.has(operation) === true
}
