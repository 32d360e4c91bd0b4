import type { JsonObject, JsonValue } from '@toolcrib/registry'
import type { ParameterFacts } from '../src/parameters/parameter-facts.ts'

/** Conditions that are tried of one list. */
const mostSettings = 6

/**
 * Parameters with everything that a list names, in the first form that it has under that name: as presets let them be read, and
 * with what the conditions of the list ask for, one condition after the other; the rest unset, or set by an expression.
 */
export function sampleParameters(list: readonly ParameterFacts[]): readonly JsonObject[] {
  const everything = sampleOf(list)
  const deciding = new Set(
    list.flatMap(({ condition }) =>
      [condition?.show, condition?.hide].flatMap((side) =>
        Object.keys(side ?? {}).map((name) => name.replace(/^\//u, '')),
      ),
    ),
  )
  const others = Object.fromEntries(
    Object.entries(everything).filter(([name]) => !deciding.has(name)),
  )
  const expressions = Object.fromEntries([...deciding].map((name) => [name, '={{ 1 }}']))
  const settings = new Map(
    [{}, ...list.map((facts) => settingOf(facts))].map((each) => [JSON.stringify(each), each]),
  )
  return [...settings.values()].slice(0, mostSettings).flatMap((setting) => [
    { ...others, ...setting },
    { ...others, ...expressions, ...setting },
  ])
}

function settingOf({ condition }: ParameterFacts): JsonObject {
  const fixed = Object.entries(condition?.show ?? {}).flatMap(([name, [value]]) =>
    /^[@/]/u.test(name) || typeof value === 'object' || value === undefined ? [] : [[name, value]],
  )
  return Object.fromEntries(fixed) as JsonObject
}

function sampleOf(list: readonly ParameterFacts[]): JsonObject {
  const values: Record<string, JsonValue> = {}
  for (const facts of list) values[facts.name] ??= valueOf(facts)
  return values
}

function valueOf({ form, groups, parameters }: ParameterFacts): JsonValue {
  if (form === 'collection') return sampleOf(parameters ?? [])
  if (form === 'filter') return { combinator: 'and', conditions: [], options: {} }
  if (form === 'assignments') return { assignments: [] }
  if (groups === undefined) return 'x'
  return Object.fromEntries(
    Object.entries(groups).map(([name, list]) => [
      name,
      form === 'lists' ? [sampleOf(list), {}] : sampleOf(list),
    ]),
  )
}
