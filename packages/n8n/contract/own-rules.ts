import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

type Json = unknown

/** A node of a workflow, as far as n8n's rules look at it. */
export interface RuledNode {
  readonly type: string
  readonly typeVersion: number
  readonly parameters: Readonly<Record<string, Json>>
}

interface Description {
  readonly name: string
  readonly properties: readonly object[]
}

interface FilterRules {
  readonly isFilterValue: (value: Json) => boolean
  readonly executeFilterCondition: (condition: object, options: object) => boolean
  readonly LoggerProxy: { init(logger: object): void }
}

interface NodeHelpers {
  getNodeParameters(
    properties: readonly object[],
    values: object,
    returnDefaults: boolean,
    returnNoneDisplayed: boolean,
    node: object,
    description: object,
  ): Readonly<Record<string, Json>> | null
  getVersionedNodeType(type: object, version: number): { readonly description: Description }
}

/** The rules of an installed release of n8n itself, for holding the check to them: nothing here comes from the catalogue. */
export interface OwnRules {
  readonly n8nVersion: string
  /** The parameters that the node sees when it runs; `undefined` for a type or version that the release lacks. */
  seenBy(node: RuledNode): Readonly<Record<string, Json>> | undefined
  /** Where conditions stand that n8n does not compare: of another form, or with a comparison that it does not know. */
  uncompared(node: RuledNode): readonly string[]
}

const packages = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']

/** Loads the rules and the node classes of the release that is installed in a folder. */
export async function loadOwnRules(folder: string): Promise<OwnRules> {
  const modules = join(folder, 'node_modules')
  const load = createRequire(join(modules, 'n8n/package.json'))
  const library = load('n8n-workflow') as FilterRules & { readonly NodeHelpers: NodeHelpers }
  const helpers = library.NodeHelpers
  const { LazyPackageDirectoryLoader: Loader } = load('n8n-core') as {
    readonly LazyPackageDirectoryLoader: new (path: string) => {
      loadAll(): Promise<void>
      getNode(name: string): { readonly type: object }
    }
  }
  const loaders = new Map(
    await Promise.all(
      packages.map(async (name) => {
        const loader = new Loader(join(modules, name))
        await loader.loadAll()
        return [name, loader] as const
      }),
    ),
  )
  const toTool = readToolMaker(modules, load)
  const { version } = JSON.parse(readFileSync(join(modules, 'n8n/package.json'), 'utf8')) as {
    readonly version: string
  }
  const find = (type: string, typeVersion: number): Description | undefined => {
    const at = type.lastIndexOf('.')
    const loader = loaders.get(type.slice(0, at))
    if (loader === undefined) return undefined
    const versioned = (name: string): Description | undefined => {
      try {
        return helpers.getVersionedNodeType(loader.getNode(name).type, typeVersion)?.description
      } catch {
        return undefined
      }
    }
    const own = versioned(type.slice(at + 1))
    if (own !== undefined || !type.endsWith('Tool')) return own
    const base = versioned(type.slice(at + 1).replace(/Tool$/u, ''))
    return base === undefined ? undefined : toTool(structuredClone(dataOf(base)))
  }
  const known = new Map<string, Description | undefined>()
  const describe = ({ type, typeVersion }: RuledNode): Description | undefined => {
    const key = `${type}@${typeVersion}`
    if (!known.has(key)) known.set(key, find(type, typeVersion))
    return known.get(key)
  }
  const seenBy: OwnRules['seenBy'] = (node) => {
    const description = describe(node)
    if (description === undefined) return undefined
    const values = structuredClone(node.parameters)
    return (
      helpers.getNodeParameters(description.properties, values, true, false, node, description) ??
      {}
    )
  }
  return {
    n8nVersion: version,
    seenBy,
    uncompared: (node) => {
      const filters = new Set(filterNames(describe(node)?.properties ?? []))
      return filtersIn(node.parameters, seenBy(node), { names: filters }).flatMap(
        ({ path, value }) => (isCompared(value, library) ? [] : [`${path} is not compared`]),
      )
    },
  }
}

/** The names under which a node has conditions, wherever they stand in its parameters. */
function filterNames(properties: Json): readonly string[] {
  if (typeof properties !== 'object' || properties === null) return []
  const { name, type } = properties as { readonly name?: string; readonly type?: string }
  return [
    ...(type === 'filter' && name !== undefined ? [name] : []),
    ...Object.values(properties).flatMap((each) => filterNames(each as Json)),
  ]
}

/** The conditions that somebody gave, as n8n sees them. */
function filtersIn(
  given: Json,
  seen: Json,
  { names, path = '' }: { readonly names: ReadonlySet<string>; readonly path?: string },
): readonly { readonly path: string; readonly value: Json }[] {
  if (typeof given !== 'object' || given === null || names.size === 0) return []
  return Object.entries(given).flatMap(([key, value]) => {
    const at = path === '' ? key : `${path}.${key}`
    const own = (seen as Readonly<Record<string, Json>> | undefined)?.[key]
    return names.has(key) ? [{ path: at, value: own }] : filtersIn(value, own, { names, path: at })
  })
}

/** Whether n8n takes something for conditions, and knows each comparison in it: of one that it does not know it warns. */
function isCompared(value: Json, rules: FilterRules): boolean {
  if (typeof value === 'string') return value.startsWith('=')
  if (!rules.isFilterValue(value))
    // Nothing was given but what n8n fills in itself.
    return Object.keys(value ?? {}).every((key) => key === 'options' || key === 'combinator')
  const { conditions } = value as { readonly conditions: readonly Readonly<Record<string, Json>>[] }
  let warned = false
  const silent = (): void => undefined
  rules.LoggerProxy.init({
    error: silent,
    warn: () => (warned = true),
    info: silent,
    debug: silent,
  })
  for (const condition of conditions) {
    const { operator } = condition as { readonly operator?: { readonly type?: string } }
    if (operator === undefined) return false
    try {
      // Values that fit every type, so that the comparison itself is reached.
      const left = operator.type === 'dateTime' ? '2030-01-01' : undefined
      rules.executeFilterCondition(
        { ...condition, leftValue: left, rightValue: left },
        { version: 2 },
      )
    } catch {
      // It compares, and these values are not to its liking.
    }
  }
  return !warned
}

/** Descriptions may hold functions, which no rule of parameters asks for. */
function dataOf(description: Description): Description {
  return JSON.parse(JSON.stringify(description)) as Description
}

type ToolMaker = (description: Description) => Description

/** What makes the form for agents of a node: a module of its own in 2.x, a method in 1.x. */
function readToolMaker(modules: string, load: NodeJS.Require): ToolMaker {
  interface Item {
    readonly description: Description
  }
  if (existsSync(join(modules, 'n8n/dist/tool-generation/ai-tools.js'))) {
    const { convertNodeToAiTool } = load(join(modules, 'n8n/dist/tool-generation/ai-tools.js')) as {
      readonly convertNodeToAiTool: (item: Item) => Item
    }
    return (description) => convertNodeToAiTool({ description }).description
  }
  load('reflect-metadata')
  const { LoadNodesAndCredentials } = load(
    join(modules, 'n8n/dist/load-nodes-and-credentials.js'),
  ) as { readonly LoadNodesAndCredentials: { readonly prototype: object } }
  const loader = Object.create(LoadNodesAndCredentials.prototype) as {
    convertNodeToAiTool(item: Item): Item
  }
  return (description) => loader.convertNodeToAiTool({ description }).description
}

/** Everything that was given and is not seen any more, with its value. */
export function unseenIn(
  given: Json,
  seen: Json,
  path: readonly (string | number)[] = [],
): readonly { readonly path: readonly (string | number)[]; readonly value: Json }[] {
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).flatMap(([key, value]) => {
    const at = [...path, Array.isArray(given) ? Number(key) : key]
    const isSeen = typeof seen === 'object' && seen !== null && Object.hasOwn(seen, key)
    return isSeen ? unseenIn(value, (seen as Record<string, Json>)[key], at) : [{ path: at, value }]
  })
}
