import { type Principal, principalKey, readFields } from './principal.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { type ToolView, viewTool } from './tool-view.ts'

/** A tool as a list shows it. */
export interface ToolListing {
  readonly name: string
  readonly description: string
}

/**
 * Tells whether a principal may see and call a tool: a made tool that is not shared belongs to its owner alone; a
 * person sees everything. What is no principal sees nothing.
 */
export function isVisibleTo({ source }: Pick<ToolDefinition, 'source'>, who: Principal): boolean {
  const principal = readFields(who)
  if (principal === undefined) return false
  if (source?.type !== 'made' || source.visibility === 'shared') return true
  return principal.kind !== 'agent' || principalKey(principal) === source.owner
}

/** Name and description of tools, sorted by name, so that equal registries give equal lists. */
export function listTools(tools: Iterable<ToolDefinition>): readonly ToolListing[] {
  return [...tools]
    .map(({ name, description }) => ({ name, description }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

/**
 * The tools of a registry at one moment, as views: what is known of them, and no way to run them. See
 * {@link ToolRegistry.snapshot}.
 */
export class RegistrySnapshot {
  /** The registry's revision when the snapshot was taken. */
  readonly revision: number
  readonly #tools: ReadonlyMap<string, ToolDefinition>
  readonly #views: Map<string, ToolView> = new Map()

  constructor(tools: ReadonlyMap<string, ToolDefinition>, revision: number) {
    this.#tools = tools
    this.revision = revision
    Object.freeze(this)
  }

  get(name: string): ToolView | undefined {
    const known = this.#views.get(name)
    if (known !== undefined) return known
    const tool = this.#tools.get(name)
    if (tool === undefined) return undefined
    const view = viewTool(tool)
    this.#views.set(name, view)
    return view
  }

  has(name: string): boolean {
    return this.#tools.has(name)
  }

  /** Name and description of every tool, sorted by name. */
  list(): readonly ToolListing[] {
    return listTools(this.#tools.values())
  }

  count(): number {
    return this.#tools.size
  }

  /** The views, sorted by name. */
  tools(): readonly ToolView[] {
    return [...this.#tools.keys()]
      .toSorted()
      .map((name) => this.get(name))
      .filter((view) => view !== undefined)
  }
}
