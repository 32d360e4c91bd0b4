import type { JsonValue } from '@toolcrib/registry'
import type {
  ConditionClauses,
  ParameterFacts,
  ParameterForm,
  ReadCondition,
} from './parameter-facts.ts'
import {
  clauseLines,
  conditionLines,
  listLines,
  releaseNames,
  runLines,
  typeLines,
  valueLines,
} from './parameter-lines.ts'

type Clause = readonly [string, ConditionClauses[string]]
/** Numbers of clauses: those of `show`, and of `hide` where there are any. */
type ConditionLine = readonly [readonly number[], (readonly number[])?]
/** A parameter: its name, or name, form, what belongs to the form, and the number of the values that it may have. */
type Item = string | readonly [string, number, (JsonValue | number)?, number?]
/** A condition, or -1, and the parameters under it. */
type RunLine = readonly [number, ...Item[]]
/** The number of a list, and the versions that have it. */
type TypeEntry = readonly number[]
type TypeLine = readonly [string, ...(readonly (readonly number[])[])[]]

const forms: readonly ParameterForm[] = [
  'value',
  'collection',
  'groups',
  'lists',
  'filter',
  'assignments',
  'literal',
  'locator',
  'mapper',
]

/** Lines that are parsed when they are asked for, each once: few of them are needed for a workflow. */
class Lines<Parsed> {
  readonly #text: string
  readonly #parsed = new Map<number, Parsed>()
  #lines: readonly string[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  at(index: number): Parsed {
    const known = this.#parsed.get(index)
    if (known !== undefined) return known
    this.#lines ??= this.#text.split('\n')
    const parsed = JSON.parse(this.#lines[index] ?? 'null') as Parsed
    this.#parsed.set(index, parsed)
    return parsed
  }
}

const clauses = new Lines<Clause>(clauseLines)
const conditions = new Lines<ConditionLine>(conditionLines)
const runs = new Lines<RunLine>(runLines)
const lists = new Lines<readonly number[]>(listLines)
const values = new Lines<NonNullable<ParameterFacts['values']>>(valueLines)
const listsByNumber = new Map<number, readonly ParameterFacts[]>()
let typesByName: ReadonlyMap<string, string> | undefined

/** The releases whose parameters are known, the oldest first. */
const parameterReleases: readonly string[] = releaseNames.split('\n')

/**
 * The parameters that a node type has in a version, under whatever conditions; `undefined` where the release lacks the type or
 * the version. The same list is given each time.
 */
export function parametersIn(
  release: string,
  type: string,
  version: number,
): readonly ParameterFacts[] | undefined {
  typesByName ??= new Map(
    typeLines.split('\n').map((line) => [line.slice(2, line.indexOf('"', 2)), line]),
  )
  const line = typesByName.get(type)
  if (line === undefined) return undefined
  const [, ...byRelease] = JSON.parse(line) as TypeLine
  const index = parameterReleases.indexOf(release)
  const entries: readonly TypeEntry[] = byRelease[byRelease.length === 1 ? 0 : index] ?? []
  const entry = entries.find(([, ...versions]) => versions.includes(version))
  return entry === undefined ? undefined : listAt(entry[0] ?? -1)
}

function listAt(number: number): readonly ParameterFacts[] {
  const known = listsByNumber.get(number)
  if (known !== undefined) return known
  const ranges = lists.at(number)
  const list: ParameterFacts[] = []
  for (let at = 0; at < ranges.length; at += 2) {
    const first = ranges[at] ?? 0
    for (let run = first; run < first + (ranges[at + 1] ?? 0); run += 1) list.push(...runAt(run))
  }
  listsByNumber.set(number, list)
  return list
}

function runAt(number: number): readonly ParameterFacts[] {
  const [condition, ...items] = runs.at(number)
  const shared = condition === -1 ? {} : { condition: conditionAt(condition) }
  return items.map((item) => ({ ...factsOf(item), ...shared }))
}

function factsOf(item: Item): ParameterFacts {
  if (typeof item === 'string') return { name: item, form: 'value' }
  const [name, code, inner, valueNumber] = item
  const form = forms[code] ?? 'value'
  if (valueNumber !== undefined) {
    const preset = inner === null || inner === undefined ? {} : { preset: inner }
    return { name, form, ...preset, values: values.at(valueNumber) }
  }
  if (form === 'collection') return { name, form, parameters: listAt(inner as number) }
  if (form === 'groups' || form === 'lists') {
    const groups = Object.entries(inner as Readonly<Record<string, number>>)
    return {
      name,
      form,
      groups: Object.fromEntries(groups.map(([key, list]) => [key, listAt(list)])),
    }
  }
  return inner === undefined ? { name, form } : { name, form, preset: inner }
}

function conditionAt(number: number): ReadCondition {
  const [show, hide] = conditions.at(number)
  return {
    ...(show.length > 0 && { show: clausesAt(show) }),
    ...(hide !== undefined && { hide: clausesAt(hide) }),
  }
}

function clausesAt(numbers: readonly number[]): ConditionClauses {
  return Object.fromEntries(numbers.map((each) => clauses.at(each)))
}
