import type { JsonObject, JsonValue } from '@toolcrib/registry'
import { isExpression } from '../check/expression-parts.ts'
import { isObject } from '../is-object.ts'
import { type IgnoredParameter, type ParameterPath, notRead } from './ignored-parameter.ts'
import { strayKeys } from './closed-keys.ts'
import { strayAssignments } from './stray-assignments.ts'
import { strayConditions } from './stray-conditions.ts'
import type { ParameterFacts } from './parameter-facts.ts'
import { type ConditionScope, holds, unmetClauses } from './read-condition.ts'

/** What a node is, for the conditions of its parameters. */
export type NodeIdentity = Pick<ConditionScope, 'type' | 'version'> & {
  /** Told the names that are read at each place that is looked at. */
  readonly visit?: (path: ParameterPath, names: readonly string[]) => void
  /** Told each value that is read and may be one of few only. */
  readonly choice?: (
    path: ParameterPath,
    value: JsonValue,
    allowed: NonNullable<ParameterFacts['values']>,
  ) => void
}

/**
 * Finds what n8n throws away before a node of this type and version sees its parameters. A release that begins a run keeps those
 * that the node has, and of them those whose conditions hold, presets filled in.
 */
export function ignoredParameters(
  list: readonly ParameterFacts[],
  parameters: JsonObject,
  node: NodeIdentity,
): readonly IgnoredParameter[] {
  const ignored: IgnoredParameter[] = []
  walk(list, parameters, { ...node, path: [], ignored })
  return ignored
}

interface Walk extends NodeIdentity {
  readonly path: ParameterPath
  readonly ignored: IgnoredParameter[]
  /** What the top of the parameters has; absent there. */
  readonly root?: JsonObject
  /** What the workflow says there; absent there. */
  readonly given?: JsonObject
  /** Parameters of a collection have no presets. */
  readonly isCollection?: boolean
}

function walk(list: readonly ParameterFacts[], given: JsonValue, context: Walk): void {
  if (!isObject(given)) {
    if (given !== null) context.ignored.push(notRead(given, context.path))
    return
  }
  const values = fillPresets(list, given, context)
  const root = context.root ?? values
  // Of several parameters with one name n8n keeps the last one that is read.
  const read = new Map<string, ParameterFacts>()
  for (const facts of resolveOrder(list))
    if (holds(facts.condition, { ...context, values, root })) read.set(facts.name, facts)
  context.visit?.(context.path, [...read.keys()])
  const top = context.given ?? given
  const isGiven = (name: string): boolean =>
    name.startsWith('/') ? Object.hasOwn(top, name.slice(1)) : Object.hasOwn(given, name)
  for (const [name, value] of Object.entries(given)) {
    const path = [...context.path, name]
    const facts = read.get(name)
    if (facts !== undefined) {
      walkInto(facts, value, { ...context, path, root, given: top })
      continue
    }
    const hidden = list.filter((each) => each.name === name)
    context.ignored.push({
      path,
      value,
      reason: hidden.length === 0 ? 'unknown' : 'hidden',
      unmet: hidden.map(({ condition }) =>
        unmetClauses(condition, { ...context, values, root, isGiven }),
      ),
    })
  }
}

function walkInto(facts: ParameterFacts, value: JsonValue, context: Walk): void {
  const { form, parameters, groups } = facts
  const { path, ignored } = context
  if (facts.values !== undefined) context.choice?.(path, value, facts.values)
  if (form === 'filter') ignored.push(...strayConditions(value, path))
  else if (form === 'assignments') ignored.push(...strayAssignments(value, path))
  else if (form === 'locator') ignored.push(...strayLocator(value, path))
  else if (form === 'mapper' && lacks(value, 'mappingMode')) ignored.push(notRead(value, path))
  else if (form === 'collection') {
    if (value !== null) walk(parameters ?? [], value, { ...context, isCollection: true })
  } else if (groups !== undefined) walkGroups(facts, value, context)
}

/** Whether an object is given that has not what n8n looks for first in it. */
function lacks(value: JsonValue, key: string): boolean {
  return isObject(value) && Object.keys(value).length > 0 && !Object.hasOwn(value, key)
}

// What n8n and its editor keep of a locator. n8n takes what lacks one of the first two for the value itself: n8n-core,
// node-execution-context/utils/extract-value.
const locatorKeys = ['mode', 'value', '__rl', '__regex', 'cachedResultName', 'cachedResultUrl']

function strayLocator(value: JsonValue, path: ParameterPath): readonly IgnoredParameter[] {
  if (!isObject(value) || Object.keys(value).length === 0) return []
  const fix = 'Write {"__rl":true,"mode":"id","value":…}, or the value alone.'
  if (!Object.hasOwn(value, 'mode') || !Object.hasOwn(value, 'value'))
    return [notRead(value, path, { fix })]
  return strayKeys(value, locatorKeys, path)
}

function walkGroups(facts: ParameterFacts, given: JsonValue, context: Walk): void {
  const { path, ignored } = context
  context.visit?.(path, Object.keys(facts.groups ?? {}))
  if (!isObject(given)) {
    if (given !== null) ignored.push(notRead(given, path))
    return
  }
  const inner = { ...context, isCollection: false }
  for (const [name, value] of Object.entries(given)) {
    const at = [...path, name]
    const list = facts.groups?.[name]
    if (list === undefined) ignored.push(notRead(value, at, { reason: 'unknown' }))
    else if (facts.form === 'groups') walk(list, value, { ...inner, path: at })
    else if (Array.isArray(value))
      for (const [index, entry] of (value as readonly JsonValue[]).entries())
        walk(list, entry, { ...inner, path: [...at, index] })
    else ignored.push(notRead(value, at))
  }
}

/**
 * What conditions compare with: simple parameters with their presets. Where a name is there several times, the one whose
 * condition holds counts, judged by what is known so far, in n8n's order.
 */
function fillPresets(
  list: readonly ParameterFacts[],
  given: JsonObject,
  context: Walk,
): JsonObject {
  const counts = new Map<string, number>()
  for (const { name } of list) counts.set(name, (counts.get(name) ?? 0) + 1)
  const values: Record<string, JsonValue> = {}
  for (const { name, form, condition, preset } of resolveOrder(list)) {
    if (form === 'collection' || form === 'groups' || form === 'lists') continue
    const own = Object.hasOwn(given, name) ? given[name] : undefined
    if (own === undefined && context.isCollection === true) continue
    const isOne = counts.get(name) === 1
    if (!isOne && !holds(condition, { ...context, values, root: context.root ?? values })) continue
    const value = form === 'literal' ? withoutMark(own ?? preset) : (own ?? preset)
    if (value !== undefined) values[name] = value
    else delete values[name]
  }
  return values
}

const agentValue =
  /^=\s*(?:\{\{)?\s*(?:\/\*n8n-auto-generated-fromAI-override\*\/)?\s*\$fromAI\([^{}]*\)\s*(?:\}\})?\s*$/

/** A literal without the mark of an expression, which stays only where an agent fills the value in. */
function withoutMark(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string' || !isExpression(value) || agentValue.test(value)) return value
  return value.slice(1)
}

/** Parameters as they stand, then those again that came before one that their conditions name. */
function resolveOrder(list: readonly ParameterFacts[]): readonly ParameterFacts[] {
  const known = orders.get(list)
  if (known !== undefined) return known
  const named = new Map<string, Set<string>>()
  for (const { name, condition } of list) {
    const names = named.get(name) ?? new Set()
    for (const side of [condition?.show, condition?.hide])
      for (const key of Object.keys(side ?? {})) names.add(key)
    named.set(name, names)
  }
  const seen = new Set<string>()
  const again: ParameterFacts[] = []
  for (const facts of list) {
    const isEarly = [...(named.get(facts.name) ?? [])].some(
      (name) => named.has(name) && !seen.has(name),
    )
    if (isEarly) again.push(facts)
    seen.add(facts.name)
  }
  const order = [...list, ...again]
  orders.set(list, order)
  return order
}

const orders = new WeakMap<readonly ParameterFacts[], readonly ParameterFacts[]>()
