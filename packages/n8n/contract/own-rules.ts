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
}

const packages = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']

/** Loads the rules and the node classes of the release that is installed in a folder. */
export async function loadOwnRules(folder: string): Promise<OwnRules> {
  const modules = join(folder, 'node_modules')
  const load = createRequire(join(modules, 'n8n/package.json'))
  const { NodeHelpers: helpers } = load('n8n-workflow') as { readonly NodeHelpers: NodeHelpers }
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
  return {
    n8nVersion: version,
    seenBy(node) {
      const key = `${node.type}@${node.typeVersion}`
      if (!known.has(key)) known.set(key, find(node.type, node.typeVersion))
      const description = known.get(key)
      if (description === undefined) return undefined
      const values = structuredClone(node.parameters)
      return (
        helpers.getNodeParameters(description.properties, values, true, false, node, description) ??
        {}
      )
    },
  }
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
