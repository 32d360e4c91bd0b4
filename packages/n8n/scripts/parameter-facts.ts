import type { JsonValue } from '@toolcrib/registry'
import type {
  ConditionClauses,
  ParameterFacts,
  ParameterForm,
  ReadCondition,
} from '../src/parameters/parameter-facts.ts'
import type { DescribedNode, DescribedProperty, DisplayOptions } from './described-node.ts'

/** Facts of the parameters of one entry of `types/nodes.json`: names, forms, conditions and what conditions need. */
export function parametersOf({ properties }: DescribedNode): readonly ParameterFacts[] {
  const named = new Set<string>()
  collectNamed(properties, named)
  return factsOf(properties, named)
}

/** Texts that the editor shows stand among the parameters, and are none. */
const shownOnly: ReadonlySet<string | undefined> = new Set(['notice', 'callout', 'button'])

function factsOf(
  properties: readonly DescribedProperty[],
  named: ReadonlySet<string>,
): readonly ParameterFacts[] {
  return properties
    .filter(({ type }) => !shownOnly.has(type))
    .map((property) => factOf(property, named))
}

/** The names that conditions speak of, without the place where they begin. */
function collectNamed(properties: readonly DescribedProperty[], named: Set<string>): void {
  for (const { displayOptions, options, type } of properties) {
    for (const side of [displayOptions?.show, displayOptions?.hide])
      for (const key of Object.keys(side ?? {})) named.add(/^\/?([^.]*)/u.exec(key)?.[1] ?? key)
    if (type === 'collection') collectNamed(childrenOf(options), named)
    if (type === 'fixedCollection')
      for (const { values = [] } of options ?? []) collectNamed(values, named)
  }
}

function childrenOf(options: DescribedProperty['options'] = []): readonly DescribedProperty[] {
  // The options of a collection are parameters themselves.
  return options as readonly unknown[] as readonly DescribedProperty[]
}

function factOf(property: DescribedProperty, named: ReadonlySet<string>): ParameterFacts {
  const { name, options, type } = property
  // n8n marks the value of a resource locator when it fills one in.
  const preset =
    type === 'resourceLocator' && typeof property.default === 'object'
      ? { __rl: true, ...property.default }
      : property.default
  const isNamed = named.has(name)
  const own = formOf(property)
  // Of expressions that n8n takes as text only those matter that conditions would look at.
  const form = own === 'value' && isNamed && property.noDataExpression === true ? 'literal' : own
  const condition = conditionOf(property.displayOptions)
  const isTold = isNamed && (own === 'value' || own === 'locator')
  return {
    name,
    form,
    ...(condition && { condition }),
    ...(isTold && preset !== undefined && { preset: preset as JsonValue }),
    ...(form === 'collection' && {
      parameters: factsOf(childrenOf(options), named),
    }),
    ...((form === 'groups' || form === 'lists') && {
      groups: Object.fromEntries(
        (options ?? []).map((group) => [group.name ?? '', factsOf(group.values ?? [], named)]),
      ),
    }),
  }
}

function formOf({ type, typeOptions }: DescribedProperty): ParameterForm {
  const isMany = typeOptions?.multipleValues === true
  if (type === 'fixedCollection') return isMany ? 'lists' : 'groups'
  if (type === 'collection') return isMany ? 'value' : 'collection'
  if (type === 'filter') return 'filter'
  if (type === 'resourceLocator') return 'locator'
  if (type === 'resourceMapper') return 'mapper'
  return type === 'assignmentCollection' ? 'assignments' : 'value'
}

const knownMarks: ReadonlySet<string> = new Set(['@version', '@tool'])
const knownTests: ReadonlySet<string> = new Set([
  'eq',
  'not',
  'gte',
  'lte',
  'gt',
  'lt',
  'between',
  'includes',
  'startsWith',
  'endsWith',
  'regex',
  'exists',
])

function conditionOf(display: DisplayOptions | undefined): ReadCondition | undefined {
  const { show, hide } = display ?? {}
  if (show === undefined && hide === undefined) return undefined
  return { ...(show && { show: clausesOf(show) }), ...(hide && { hide: clausesOf(hide) }) }
}

/** What a newer release may know and the rules here do not has to be seen when the catalogue is made. */
function clausesOf(clauses: NonNullable<DisplayOptions['show']>): ConditionClauses {
  for (const [key, values] of Object.entries(clauses)) {
    if (key.startsWith('@') && !knownMarks.has(key)) throw new Error(`Unknown mark: ${key}`)
    for (const value of values) {
      const test: unknown = (value as Readonly<Record<string, object>> | null)?.['_cnd']
      const operation = Object.keys(test ?? {})[0]
      if (operation !== undefined && !knownTests.has(operation))
        throw new Error(`Unknown test: ${operation}`)
    }
  }
  return clauses as ConditionClauses
}
