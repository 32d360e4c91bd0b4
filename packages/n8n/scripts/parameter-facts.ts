import type { JsonValue } from '@toolcrib/registry'
import type {
  ConditionClauses,
  ParameterFacts,
  ParameterForm,
  ReadCondition,
} from '../src/parameters/parameter-facts.ts'
import type { DescribedNode, DescribedProperty, DisplayOptions } from './described-node.ts'

/** Facts of the parameters of one entry of `types/nodes.json`: names, forms, conditions and what conditions need. */
export function parametersOf(
  { properties }: DescribedNode,
  { isCore }: { readonly isCore: boolean },
): readonly ParameterFacts[] {
  const named = new Set<string>()
  collectNamed(properties, named)
  return factsOf(properties, { named, isCore, isInner: false })
}

/** What is told of parameters. */
interface Telling {
  /** The names that conditions speak of. */
  readonly named: ReadonlySet<string>
  /** Whether the values that a parameter may have are worth their bytes. */
  readonly isCore: boolean
  /** The values of those at the top are among the facts of the node. */
  readonly isInner: boolean
}

/** Texts that the editor shows stand among the parameters, and are none. */
const shownOnly: ReadonlySet<string | undefined> = new Set(['notice', 'callout'])

function factsOf(
  properties: readonly DescribedProperty[],
  telling: Telling,
): readonly ParameterFacts[] {
  return properties
    .filter(({ type }) => !shownOnly.has(type))
    .map((property) => factOf(property, telling))
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

function factOf(property: DescribedProperty, telling: Telling): ParameterFacts {
  const { name, options, type } = property
  const { named, isCore, isInner } = telling
  const inner = { ...telling, isInner: true }
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
  const values = isCore && isInner && own === 'value' ? closedValuesOf(property) : undefined
  return {
    name,
    form,
    ...(condition && { condition }),
    ...(isTold && preset !== undefined && { preset: preset as JsonValue }),
    ...(values && { values }),
    ...(form === 'collection' && {
      parameters: factsOf(childrenOf(options), inner),
    }),
    ...((form === 'groups' || form === 'lists') && {
      groups: Object.fromEntries(
        (options ?? []).map((group) => [group.name ?? '', factsOf(group.values ?? [], inner)]),
      ),
    }),
  }
}

/** The values that a parameter may have, where it is one of a list that nothing is loaded into, or a switch. */
function closedValuesOf({
  options,
  type,
  typeOptions,
}: DescribedProperty): ParameterFacts['values'] {
  if (type === 'boolean') return [false, true]
  const isLoaded =
    typeOptions?.loadOptionsMethod !== undefined || typeOptions?.loadOptions !== undefined
  if (type !== 'options' || isLoaded) return undefined
  const values = (options ?? []).map(({ value }) => value)
  const isClosed = values.every((value) => ['string', 'number', 'boolean'].includes(typeof value))
  return isClosed && values.length > 0 ? (values as (string | number | boolean)[]) : undefined
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
