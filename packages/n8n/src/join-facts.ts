import type { NodeFacts, NodeRequirement } from './workflow-check.ts'

type Value = NonNullable<NodeFacts['values']>[string][number]

/**
 * What holds of a node type on every one of several releases: versions that all have, whatever one of them asks for, and values
 * that all take. `undefined` where no version is common to them.
 */
export function joinFacts(all: readonly NodeFacts[]): NodeFacts | undefined {
  const [first, ...others] = all
  if (first === undefined) return undefined
  const versions = first.versions.filter((version) =>
    others.every((each) => each.versions.includes(version)),
  )
  if (versions.length === 0) return undefined
  const credentials = joinRequirements(all.map((each) => each.credentials))
  const required = joinRequirements(all.map((each) => each.required))
  const defaults = Object.fromEntries(
    Object.entries(first.defaults ?? {}).filter(([name, value]) =>
      others.every((each) => each.defaults?.[name] === value),
    ),
  )
  const values = joinValues(all)
  const inputs = sameOf(all.map((each) => each.inputs))
  const outputs = sameOf(all.map((each) => each.outputs))
  return {
    versions,
    ...(all.some(({ isTrigger }) => isTrigger) && { isTrigger: true }),
    ...(all.some(({ hasWebhook }) => hasWebhook) && { hasWebhook: true }),
    ...(all.some(({ isExcluded }) => isExcluded) && { isExcluded: true }),
    ...(all.every(({ isTool }) => isTool) && { isTool: true }),
    ...(all.some(({ toolVersions }) => toolVersions) && {
      toolVersions: versions.filter((version) =>
        all.every((each) => (each.toolVersions ?? each.versions).includes(version)),
      ),
    }),
    ...(inputs !== undefined && { inputs }),
    ...(outputs !== undefined && { outputs }),
    ...(credentials.length > 0 && { credentials }),
    ...(required.length > 0 && { required }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(Object.keys(values).length > 0 && { values }),
  }
}

function sameOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.every((count) => count === counts[0]) ? counts[0] : undefined
}

function joinRequirements(
  all: readonly (readonly NodeRequirement[] | undefined)[],
): readonly NodeRequirement[] {
  const byText = new Map(
    all.flatMap((list = []) => list.map((each) => [JSON.stringify(each), each] as const)),
  )
  return [...byText.values()]
}

/** A list that only some releases know binds as well. */
function joinValues(all: readonly NodeFacts[]): Record<string, readonly Value[]> {
  const names = new Set(all.flatMap(({ values }) => Object.keys(values ?? {})))
  return Object.fromEntries(
    [...names].toSorted().map((name) => {
      const [first = [], ...others] = all.flatMap(({ values }) => {
        const list = values?.[name]
        return list === undefined ? [] : [list]
      })
      return [name, first.filter((value) => others.every((list) => list.includes(value)))]
    }),
  )
}
