import type { JsonValue } from '@toolcrib/registry'
import type { NodeParameters, PathStep } from './node-parameters.ts'
import { quote } from './show-text.ts'

const operations: Readonly<Record<string, string>> = {
  equals: 'equals',
  notEquals: 'does not equal',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  notStartsWith: 'does not start with',
  endsWith: 'ends with',
  notEndsWith: 'does not end with',
  regex: 'matches the pattern',
  notRegex: 'does not match the pattern',
  gt: 'is greater than',
  lt: 'is less than',
  gte: 'is at least',
  lte: 'is at most',
  after: 'is after',
  before: 'is before',
  afterOrEquals: 'is at or after',
  beforeOrEquals: 'is at or before',
  lengthEquals: 'has the length',
  lengthNotEquals: 'does not have the length',
  lengthGt: 'is longer than',
  lengthLt: 'is shorter than',
  lengthGte: 'has at least the length',
  lengthLte: 'has at most the length',
}

const aloneOperations: Readonly<Record<string, string>> = {
  true: 'is true',
  false: 'is false',
  exists: 'exists',
  notExists: 'does not exist',
  empty: 'is empty',
  notEmpty: 'is not empty',
}

const longest = 200

/** One side of a comparison, where it is short enough for a sentence. */
function showSide(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return value.length > longest ? undefined : quote(value)
  return typeof value === 'object' && value !== null ? undefined : String(value)
}

/**
 * The conditions of an If, Filter or Switch node in words; `undefined` where they are of another form or too long for a
 * sentence. With `tell`, what is told is marked as told.
 */
export function showCondition(
  parameters: NodeParameters,
  path: readonly PathStep[],
  options: { readonly tell?: boolean } = {},
): string | undefined {
  const conditions = parameters.list(...path, 'conditions')
  if (conditions.length === 0 || conditions.length > 10) return undefined
  const told: (readonly PathStep[])[] = [[...path, 'combinator']]
  const words = conditions.map((_, index) => {
    const at = [...path, 'conditions', index]
    const operation = parameters.text(...at, 'operator', 'operation')
    const left = showSide(parameters.at(...at, 'leftValue'))
    if (operation === undefined || left === undefined) return undefined
    told.push([...at, 'leftValue'], [...at, 'operator', 'operation'])
    const alone = Object.hasOwn(aloneOperations, operation) ? aloneOperations[operation] : undefined
    if (alone !== undefined) return `${left} ${alone}`
    const right = showSide(parameters.at(...at, 'rightValue'))
    const verb = Object.hasOwn(operations, operation) ? operations[operation] : undefined
    if (right === undefined || verb === undefined) return undefined
    told.push([...at, 'rightValue'])
    return `${left} ${verb} ${right}`
  })
  const combinator = parameters.at(...path, 'combinator') ?? 'and'
  if (words.includes(undefined) || (combinator !== 'and' && combinator !== 'or')) return undefined
  if (options.tell === true) for (const each of told) parameters.tell(...each)
  return words.join(` ${combinator} `)
}
