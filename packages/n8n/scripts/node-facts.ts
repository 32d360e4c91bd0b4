import type { NodeFacts, NodeRequirement } from '../src/workflow-check.ts'
import type { DescribedNode, DescribedProperty, DisplayOptions } from './described-node.ts'

type Primitive = string | number | boolean

/** Nodes whose values and required parameters are worth their bytes: those that most workflows are made of. */
export const coreNodes: ReadonlySet<string> = new Set(
  `aggregate code compareDatasets convertToFile crypto dateTime emailSend errorTrigger executeWorkflow executeWorkflowTrigger
  extractFromFile filter form formTrigger graphql html httpRequest if jwt limit markdown merge noOp redis removeDuplicates
  renameKeys respondToWebhook rssFeedRead scheduleTrigger set sort splitInBatches splitOut stopAndError summarize switch
  wait webhook xml`.split(/\s+/),
)

/** Joins the entries of one node type into its facts. */
export function factsOf(
  entries: readonly DescribedNode[],
  options: { readonly isCore: boolean; readonly isExcluded: boolean },
): NodeFacts {
  const requirements = entries.flatMap((entry) => credentialsOf(entry))
  const required = options.isCore ? entries.flatMap((entry) => requiredOf(entry)) : []
  const values = options.isCore ? valuesOf(entries) : {}
  const inputs = portsOf(entries.map(({ inputs: ports }) => ports))
  const outputs = portsOf(entries.map(({ outputs: ports }) => ports))
  const credentials = sameEverywhere(requirements, entries)
  const requiredEverywhere = sameEverywhere(required, entries)
  const defaults = defaultsOf(entries, [...credentials, ...requiredEverywhere])
  return {
    versions: entries.flatMap((entry) => versionsOf(entry)).toSorted((left, right) => left - right),
    ...(entries.some(({ group }) => group?.includes('trigger')) && { isTrigger: true }),
    ...(entries.some(({ webhooks }) => webhooks !== undefined) && { hasWebhook: true }),
    ...(options.isExcluded && { isExcluded: true }),
    ...toolFactsOf(entries),
    ...(inputs !== undefined && { inputs }),
    ...(outputs !== undefined && { outputs }),
    ...(credentials.length > 0 && { credentials }),
    ...(requiredEverywhere.length > 0 && { required: requiredEverywhere }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(Object.keys(values).length > 0 && { values }),
  }
}

/** Whether agents may use the node, and in which versions where not in all. */
function toolFactsOf(
  entries: readonly DescribedNode[],
): Pick<NodeFacts, 'isTool' | 'toolVersions'> {
  const usable = entries.filter(({ usableAsTool }) => Boolean(usableAsTool))
  if (usable.length === 0) return {}
  if (usable.length === entries.length) return { isTool: true }
  const versions = usable.flatMap((entry) => versionsOf(entry))
  return { isTool: true, toolVersions: versions.toSorted((left, right) => left - right) }
}

function versionsOf(entry: DescribedNode): readonly number[] {
  return typeof entry.version === 'number' ? [entry.version] : entry.version
}

/** The number of plain ports where every version has the same ones; they may also be computed from parameters. */
function portsOf(all: readonly unknown[]): number | undefined {
  const counts = all.map((ports) =>
    Array.isArray(ports) && ports.every((port) => port === 'main') ? ports.length : undefined,
  )
  return counts.every((count) => count === counts[0]) ? counts[0] : undefined
}

function credentialsOf(entry: DescribedNode): NodeRequirement[] {
  return (entry.credentials ?? []).flatMap((credential): NodeRequirement[] => {
    const condition = readCondition(credential.displayOptions, versionsOf(entry))
    const isOptional = condition === undefined || credential.required !== true
    // With a condition that cannot be said in facts, it is only known that the node takes the credential.
    return [
      {
        name: credential.name,
        versions: versionsOf(entry),
        ...condition,
        ...(isOptional && { optional: true as const }),
      },
    ]
  })
}

const texts: ReadonlySet<string> = new Set(['string', 'json', 'dateTime', 'credentialsSelect'])

function requiredOf(entry: DescribedNode): NodeRequirement[] {
  return entry.properties.flatMap(({ name, type, required, displayOptions, default: preset }) => {
    const isText = type !== undefined && texts.has(type)
    if (required !== true || !isText || (preset !== '' && preset !== undefined)) return []
    const condition = readCondition(displayOptions, versionsOf(entry))
    return condition === undefined ? [] : [{ name, versions: versionsOf(entry), ...condition }]
  })
}

type Condition = Pick<NodeRequirement, 'versions' | 'show' | 'hide'>

/** Undefined when the condition is of a form that facts have no words for. */
function readCondition(
  display: DisplayOptions | undefined,
  versions: readonly number[],
): Condition | undefined {
  let remaining = versions
  const condition: { show?: Record<string, Primitive[]>; hide?: Record<string, Primitive[]> } = {}
  for (const side of ['show', 'hide'] as const)
    for (const [key, allowed] of Object.entries(display?.[side] ?? {})) {
      if (key === '@version') {
        const matched = matchVersions(remaining, allowed)
        if (matched === undefined) return undefined
        remaining = remaining.filter((version) => matched.includes(version) === (side === 'show'))
        continue
      }
      const name = key.startsWith('/') ? key.slice(1) : key
      if (!/^\w+$/.test(name) || !allowed.every((value) => isPrimitive(value))) return undefined
      condition[side] = {
        ...condition[side],
        [name]: allowed.filter((value) => isPrimitive(value)),
      }
    }
  return { ...condition, versions: remaining }
}

function matchVersions(
  versions: readonly number[],
  allowed: readonly unknown[],
): readonly number[] | undefined {
  const tests = allowed.map((entry): ((version: number) => boolean) | undefined => {
    if (typeof entry === 'number') return (version) => version === entry
    const condition = (entry as Record<string, Record<string, unknown>> | null)?.['_cnd'] ?? {}
    const [operation, operand] = Object.entries(condition)[0] ?? []
    if (typeof operand !== 'number') return undefined
    if (operation === 'gte') return (version) => version >= operand
    if (operation === 'lte') return (version) => version <= operand
    if (operation === 'gt') return (version) => version > operand
    if (operation === 'lt') return (version) => version < operand
    if (operation === 'not') return (version) => version !== operand
    return operation === 'eq' ? (version) => version === operand : undefined
  })
  if (tests.includes(undefined)) return undefined
  return versions.filter((version) => tests.some((test) => test?.(version)))
}

function isPrimitive(value: unknown): value is Primitive {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Says a requirement once for all versions that have it, and leaves the versions out where all have it. */
function sameEverywhere(
  requirements: readonly NodeRequirement[],
  entries: readonly DescribedNode[],
): NodeRequirement[] {
  const all = new Set(entries.flatMap((entry) => versionsOf(entry)))
  const joined = new Map<string, { requirement: NodeRequirement; versions: Set<number> }>()
  for (const { versions, ...requirement } of requirements) {
    const key = JSON.stringify(requirement)
    const known = joined.get(key) ?? { requirement, versions: new Set() }
    for (const version of versions ?? []) known.versions.add(version)
    joined.set(key, known)
  }
  return [...joined.values()].flatMap(({ requirement, versions }) => {
    if (versions.size === all.size) return [requirement]
    return versions.size === 0
      ? []
      : [{ ...requirement, versions: [...versions].toSorted((left, right) => left - right) }]
  })
}

/** What parameters have that conditions name, when a workflow does not set them. */
function defaultsOf(
  entries: readonly DescribedNode[],
  requirements: readonly NodeRequirement[],
): Record<string, Primitive> {
  const named = new Set(requirements.flatMap(({ show, hide }) => Object.keys({ ...show, ...hide })))
  const defaults: Record<string, Primitive> = {}
  for (const name of [...named].toSorted()) {
    const found = new Set(
      entries.flatMap(({ properties }) =>
        properties.filter((property) => property.name === name).map((property) => property.default),
      ),
    )
    const [first] = found
    // Where versions differ, a condition on a missing parameter stays unknown, and nothing is required.
    if (found.size === 1 && isPrimitive(first)) defaults[name] = first
  }
  return defaults
}

/** By parameter: every value that it may have in any version and place; none where a place takes any text. */
function valuesOf(entries: readonly DescribedNode[]): Record<string, Primitive[]> {
  const byName = new Map<string, Primitive[] | undefined>()
  for (const property of entries.flatMap(({ properties }) => properties)) {
    const options =
      property.type === 'options' && !hasLoadedOptions(property)
        ? property.options?.map(({ value }) => value)
        : undefined
    const known = byName.has(property.name) ? byName.get(property.name) : []
    const isClosed = options?.every((value) => isPrimitive(value)) === true
    byName.set(
      property.name,
      isClosed && known
        ? [...new Set([...known, ...options.filter((o) => isPrimitive(o))])]
        : undefined,
    )
  }
  const closed = [...byName].filter(
    (entry): entry is [string, Primitive[]] => entry[1] !== undefined && entry[1].length > 0,
  )
  return Object.fromEntries(closed.toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

function hasLoadedOptions({ typeOptions }: DescribedProperty): boolean {
  return typeOptions?.loadOptionsMethod !== undefined || typeOptions?.loadOptions !== undefined
}
