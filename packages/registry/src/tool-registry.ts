import { assertOptions } from './assert-options.ts'
import { type Logger, silentLogger } from './logger.ts'
import { type Principal, toPrincipal } from './principal.ts'
import { assertToolDefinition } from './tool-definition-check.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { ToolError } from './tool-error.ts'
import { RegistrySnapshot, type ToolListing, isVisibleTo, listTools } from './registry-snapshot.ts'

/** What changed in a registry. */
export interface RegistryChange {
  readonly type: 'registered' | 'replaced' | 'unregistered'
  readonly name: string
  /** Counts changes; grows by one with each. */
  readonly revision: number
}

/** Is told of every change, after it happened. */
export type RegistryListener = (change: RegistryChange) => void

/** What a registry may be given. */
export interface ToolRegistryOptions {
  /** Told of listeners that fail. @default silentLogger */
  readonly logger?: Logger
}

/** The tools of a program, by name. Built-in, made and mounted tools all live here, and nothing is callable elsewhere. */
export class ToolRegistry {
  #tools: Map<string, ToolDefinition> = new Map()
  /** A snapshot holds the present map, so the next change must copy it first. */
  #mapIsShared = false
  #revision = 0
  readonly #listeners: Set<RegistryListener> = new Set()
  /** Changes that listeners are still to be told of. */
  readonly #untold: RegistryChange[] = []
  readonly #logger: Logger

  constructor(options: ToolRegistryOptions = {}) {
    assertOptions<ToolRegistryOptions>('ToolRegistry', options, { logger: true })
    this.#logger = options.logger ?? silentLogger
  }

  /**
   * Adds a tool.
   *
   * @throws {ToolError} TOOL_EXISTS when the name is taken; nothing is overwritten.
   * @throws {ToolError} TOOL_NAME_INVALID or TOOL_DEFINITION_INVALID when the definition cannot be used.
   */
  register(tool: ToolDefinition): void {
    assertToolDefinition(tool)
    if (this.#tools.has(tool.name))
      throw new ToolError(
        'TOOL_EXISTS',
        `A tool named "${tool.name}" is already registered. Choose another name, or call replace().`,
        { data: { name: tool.name } },
      )
    this.#ownMap().set(tool.name, tool)
    this.#announce('registered', tool.name)
  }

  /** Removes a tool; tells whether there was one. Calls that run already are not disturbed. */
  unregister(name: string): boolean {
    if (!this.#tools.has(name)) return false
    this.#ownMap().delete(name)
    this.#announce('unregistered', name)
    return true
  }

  /**
   * Puts a tool in the place of the one with its name, in one step: no caller ever finds the name empty. Adds it where
   * there was none. Returns the tool that was there.
   *
   * @throws {ToolError} TOOL_NAME_INVALID or TOOL_DEFINITION_INVALID when the definition cannot be used; the old tool stays.
   */
  replace(tool: ToolDefinition): ToolDefinition | undefined {
    assertToolDefinition(tool)
    const previous = this.#tools.get(tool.name)
    this.#ownMap().set(tool.name, tool)
    this.#announce(previous === undefined ? 'registered' : 'replaced', tool.name)
    return previous
  }

  /**
   * The tool itself, with the function that does its work: for whoever wires a program, such as an invoker. Everybody else
   * is given views; see {@link snapshot}.
   */
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

  /** How often the registry has changed. */
  get revision(): number {
    return this.#revision
  }

  /**
   * Views of the tools as they are now, for one turn of an agent; with a principal, only those it may see. Later changes do
   * not reach the snapshot. It freezes lists and schemas only, never permission: each call checks that by itself. Nothing in
   * it can be run: that is for an invoker, which finds tools in the registry.
   */
  snapshot(principal?: Principal): RegistrySnapshot {
    if (principal !== undefined) {
      const known = toPrincipal(principal)
      const visible =
        known === undefined ? [] : [...this.#tools].filter(([, tool]) => isVisibleTo(tool, known))
      return new RegistrySnapshot(new Map(visible), this.#revision)
    }
    this.#mapIsShared = true
    return new RegistrySnapshot(this.#tools, this.#revision)
  }

  /**
   * Calls `listener` after every change, in their order, until the returned function is called. A listener that throws is
   * logged.
   */
  on(_event: 'changed', listener: RegistryListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  #ownMap(): Map<string, ToolDefinition> {
    if (this.#mapIsShared) {
      this.#tools = new Map(this.#tools)
      this.#mapIsShared = false
    }
    return this.#tools
  }

  // A listener may change the registry itself: that change waits until all have heard of this one, so that everyone
  // hears of changes in the order in which they happened.
  #announce(type: RegistryChange['type'], name: string): void {
    this.#revision += 1
    this.#untold.push({ type, name, revision: this.#revision })
    if (this.#untold.length > 1) return
    for (let change = this.#untold[0]; change !== undefined; change = this.#untold[0]) {
      // A copy, so that a listener added meanwhile hears of later changes only.
      const listeners = [...this.#listeners]
      for (const listener of listeners) this.#tell(listener, change)
      this.#untold.shift()
    }
  }

  #tell(listener: RegistryListener, change: RegistryChange): void {
    try {
      listener(change)
    } catch (error) {
      this.#logger.error({ error, name: change.name }, 'A listener of the tool registry failed')
    }
  }
}
