import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isExpression } from '../check/expression-parts.ts'
import { isObject } from '../is-object.ts'
import type { ConditionClauses, ConditionTest, ReadCondition } from './parameter-facts.ts'

/** What conditions are looked up in. */
export interface ConditionScope {
  /** What parameters on the level of the condition have, presets filled in. */
  readonly values: JsonObject
  /** The same for the top of the parameters. */
  readonly root: JsonObject
  /** Of the node. */
  readonly type: string
  readonly version: number
}

/** Whether n8n reads a parameter with this condition. As n8n does it, one clause that an expression decides on is enough. */
export function holds(condition: ReadCondition | undefined, scope: ConditionScope): boolean {
  for (const [name, wanted] of Object.entries(condition?.show ?? {})) {
    const values = valuesOf(name, scope)
    if (values.some((value) => typeof value === 'string' && isExpression(value))) return true
    if (!matches(wanted, values)) return false
  }
  return !Object.entries(condition?.hide ?? {}).some(([name, wanted]) => {
    const values = valuesOf(name, scope)
    return values.length > 0 && matches(wanted, values)
  })
}

/** A clause that keeps a parameter from being read. */
export interface UnmetClause {
  /** As the condition has it, such as `sendBody` or `/operation`. */
  readonly name: string
  readonly wanted: ConditionClauses[string]
  /** Whether it is read unless the parameter has one of the values. */
  readonly isHide: boolean
  /** What the parameter has; `undefined` where it is not there and has no preset. */
  readonly has: JsonValue | undefined
  /** Whether the workflow says so, and not a preset. */
  readonly isGiven: boolean
}

/** What would have to be other for {@link holds}. */
export function unmetClauses(
  condition: ReadCondition | undefined,
  scope: ConditionScope & { readonly isGiven: (name: string) => boolean },
): readonly UnmetClause[] {
  const unmet = (side: ConditionClauses | undefined, isHide: boolean): readonly UnmetClause[] =>
    Object.entries(side ?? {}).flatMap(([name, wanted]) => {
      const values = valuesOf(name, scope)
      const [has] = values
      return matches(wanted, values) === isHide
        ? [{ name, wanted, isHide, has, isGiven: scope.isGiven(name) }]
        : []
    })
  return [...unmet(condition?.show, false), ...unmet(condition?.hide, true)]
}

/** The values of a parameter that has several, or its one value. */
function valuesOf(
  name: string,
  { values, root, type, version }: ConditionScope,
): readonly (JsonValue | undefined)[] {
  if (name === '@version') return [version]
  if (name === '@tool') return [type.endsWith('Tool')]
  const found = name.startsWith('/') ? lookUp(root, name.slice(1)) : lookUp(values, name)
  const value = isObject(found) && isTruthy(found['__rl']) ? found['value'] : found
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value]
}

function lookUp(values: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = values
  for (const step of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined
    value = value[step]
  }
  return value
}

function isTruthy(value: JsonValue | undefined): boolean {
  return Boolean(value)
}

function matches(
  wanted: ConditionClauses[string],
  values: readonly (JsonValue | undefined)[],
): boolean {
  return wanted.some((each) => {
    if (typeof each !== 'object' || each === null) return values.includes(each)
    const [test = '', operand] = Object.entries(each['_cnd'])[0] ?? []
    if (values.length === 0) return test === 'not'
    return values.every((value) => passes(test, value, operand))
  })
}

type Operand = ConditionTest['_cnd'][string] | undefined

function passes(test: string, value: JsonValue | undefined, operand: Operand): boolean {
  if (test === 'eq') return isSame(value, operand)
  if (test === 'not') return !isSame(value, operand)
  if (test === 'exists') return value !== null && value !== undefined && value !== ''
  if (typeof value === 'number') {
    if (test === 'between' && isObject(operand))
      return value >= Number(operand['from']) && value <= Number(operand['to'])
    const bound = Number(operand)
    if (test === 'gte') return value >= bound
    if (test === 'lte') return value <= bound
    if (test === 'gt') return value > bound
    return test === 'lt' && value < bound
  }
  if (typeof value !== 'string' || typeof operand !== 'string') return false
  if (test === 'includes') return value.includes(operand)
  if (test === 'startsWith') return value.startsWith(operand)
  if (test === 'endsWith') return value.endsWith(operand)
  // The patterns come with n8n's nodes, never from a workflow.
  return test === 'regex' && new RegExp(operand).test(value)
}

function isSame(left: JsonValue | undefined, right: Operand): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}
