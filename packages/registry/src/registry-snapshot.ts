import { type Principal, principalKey } from './principal.ts'
import type { ToolDefinition } from './tool-definition.ts'

/** A tool as a list shows it. */
export interface ToolListing {
  readonly name: string
  readonly description: string
}

/**
 * Tells whether a principal may see and call a tool: a made tool that is not shared belongs to its owner alone; a
 * person sees everything.
 */
export function isVisibleTo(tool: ToolDefinition, principal: Principal): boolean {
  const { source } = tool
  if (source?.type !== 'made' || source.visibility === 'shared') return true
  return principal.kind !== 'agent' || principalKey(principal) === source.owner
}

/** Name and description of tools, sorted by name, so that equal registries give equal lists. */
export function listTools(tools: Iterable<ToolDefinition>): readonly ToolListing[] {
  return [...tools]
    .map(({ name, description }) => ({ name, description }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

/** The tools of a registry at one moment; see {@link ToolRegistry.snapshot}. */
export class RegistrySnapshot {
  /** The registry's revision when the snapshot was taken. */
  readonly revision: number
  readonly #tools: ReadonlyMap<string, ToolDefinition>

  constructor(tools: ReadonlyMap<string, ToolDefinition>, revision: number) {
    this.#tools = tools
    this.revision = revision
  }

  get(name: string): ToolDefinition | undefined {
    return this.#tools.get(name)
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

  /** The definitions, sorted by name. */
  tools(): readonly ToolDefinition[] {
    return [...this.#tools.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1))
  }
}
