import {
  type Principal,
  type ToolDefinition,
  ToolError,
  type ToolRegistry,
  isVisibleTo,
} from '@toolcrib/registry'
import type { PinnedCallee } from '../proposals/capability.ts'
import { toolsmakerError } from '../error-catalogue.ts'
import { describeChangedCallee } from '../validation/pin-callees.ts'

/** A made tool that is in the registry because its signatures were verified. */
export interface CallableTool {
  readonly tool: ToolDefinition
  readonly version: number
  readonly hash: string
  /** Milliseconds since the epoch; `Infinity`: never. */
  readonly expiresAt: number
  /** The same, for others than its owner. */
  readonly sharedUntil: number
  readonly callees: readonly PinnedCallee[]
}

/** That tools were stopped by somebody, and that what runs of them is to end. */
export interface ToolStop {
  /** Why, as calls of them are refused from now on. */
  readonly error: ToolError
  /** Whether it stops this tool. */
  concerns(tool: ToolDefinition): boolean
}

/** The made tools that may be called at this moment, and nothing else. */
export class CallableTools {
  readonly #registry: ToolRegistry
  readonly #now: () => number
  readonly #reserved: ReadonlySet<string>
  readonly #entries = new Map<string, CallableTool>()
  /** Versions that are stopped although no record says so yet, and by how many requests. */
  readonly #stopped = new Map<string, number>()
  #paused: string | undefined
  #pauses = 0
  #onExpired: (name: string) => void = () => undefined
  #onShareEnded: (name: string) => void = () => undefined
  #onStop: (stop: ToolStop) => void = () => undefined

  constructor(
    registry: ToolRegistry,
    {
      now,
      reservedNames,
    }: { readonly now: () => number; readonly reservedNames: readonly string[] },
  ) {
    this.#registry = registry
    this.#now = now
    this.#reserved = new Set(reservedNames)
  }

  /** Calls `listener` when a call finds an approval that has run out. */
  onExpired(listener: (name: string) => void): void {
    this.#onExpired = listener
  }

  /** Calls `listener` when a call finds that a share has run out. */
  onShareEnded(listener: (name: string) => void): void {
    this.#onShareEnded = listener
  }

  /** Calls `listener` when somebody stops tools, from the moment when they are stopped. */
  onStop(listener: (stop: ToolStop) => void): void {
    this.#onStop = listener
  }

  /** The tools whose share has run out, and which still look shared. */
  namesPastShare(): readonly string[] {
    return [...this.#entries].flatMap(([name, entry]) => (this.#isPastShare(entry) ? [name] : []))
  }

  get(name: string): CallableTool | undefined {
    return this.#entries.get(name)
  }

  names(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** Tells whether a name belongs to something that was not made here, or is kept for it. */
  isForeign(name: string): boolean {
    if (this.#reserved.has(name)) return true
    const there = this.#registry.get(name)
    return there !== undefined && there !== this.#entries.get(name)?.tool
  }

  /**
   * Puts a verified tool into the registry, in place of an older version.
   *
   * @throws {ToolError} TOOL_NAME_TAKEN when something that was not made here has the name.
   * @throws {ToolError} TOOL_DEFINITION_INVALID when the registry refuses it.
   */
  set(name: string, entry: CallableTool): void {
    if (this.isForeign(name))
      throw toolsmakerError(
        'TOOL_NAME_TAKEN',
        `The name "${name}" belongs to a tool that was not made here. Choose another name.`,
      )
    this.#registry.replace(entry.tool)
    this.#entries.set(name, entry)
  }

  /** Takes a tool out of the registry. */
  remove(name: string): void {
    const entry = this.#entries.get(name)
    this.#entries.delete(name)
    if (entry !== undefined && this.#registry.get(name) === entry.tool)
      this.#registry.unregister(name)
  }

  /** Stops one version from this moment, whatever is on record. Gives what lets go of it, once the record says so or nothing came of it. */
  stop(name: string, version: number): () => void {
    const letGo = this.#hold(name, version)
    this.#onStop({
      error: takenOutOfUse(name, version),
      concerns: ({ name: called, source }) =>
        called === name && source?.type === 'made' && source.version === version,
    })
    return letGo
  }

  #hold(name: string, version: number): () => void {
    const key = stopKey(name, version)
    this.#stopped.set(key, (this.#stopped.get(key) ?? 0) + 1)
    return () => {
      const left = (this.#stopped.get(key) ?? 1) - 1
      if (left === 0) this.#stopped.delete(key)
      else this.#stopped.set(key, left)
    }
  }

  /** The same for the version in use, if there is one; what runs of older versions ends with it. */
  stopInUse(name: string): () => void {
    const version = this.#entries.get(name)?.version
    const letGo = version === undefined ? () => undefined : this.#hold(name, version)
    this.#onStop({
      error: new ToolError('TOOL_REVOKED', `${name} was taken out of use.`),
      concerns: ({ name: called, source }) => called === name && source?.type === 'made',
    })
    return letGo
  }

  /** Stops all made tools from this moment. */
  pause(reason: string): void {
    this.#paused = reason
    this.#pauses += 1
    this.#onStop({ error: toolsPaused(reason), concerns: ({ source }) => source?.type === 'made' })
  }

  /** Whether a pause is in force, on record or not yet. */
  get isPaused(): boolean {
    return this.#paused !== undefined
  }

  /** How often a pause was asked for. */
  get pauses(): number {
    return this.#pauses
  }

  /** Lets made tools run again, unless another pause was asked for since `pauses` was counted. */
  unpause(pauses: number): void {
    if (this.#pauses === pauses) this.#paused = undefined
  }

  /** Tells why a tool must not run now, or `undefined` when it may. */
  check(tool: ToolDefinition, principal: Principal): ToolError | undefined {
    const { name, source } = tool
    if (source?.type !== 'made') return undefined
    if (this.#paused !== undefined) return toolsPaused(this.#paused)
    const entry = this.#entries.get(name)
    if (entry === undefined || entry.version !== source.version)
      return new ToolError(
        'TOOL_REVOKED',
        `Version ${source.version} of ${name} is not in use${entry === undefined ? '' : `; version ${entry.version} is`}.`,
      )
    if (entry.hash !== source.hash || entry.tool.execute !== tool.execute)
      return new ToolError('TOOL_TAMPERED', `${name} is not what was approved under that name.`)
    if (!this.#isVisible(entry, principal))
      return new ToolError('TOOL_NOT_FOUND', `There is no tool ${name}.`)
    return this.#checkMoment(name, entry)
  }

  #isVisible(entry: CallableTool, principal: Principal): boolean {
    const { source } = entry.tool
    if (source?.type !== 'made' || !this.#isPastShare(entry))
      return isVisibleTo(entry.tool, principal)
    this.#onShareEnded(entry.tool.name)
    return isVisibleTo({ source: { ...source, visibility: 'owner' } }, principal)
  }

  #isPastShare({ sharedUntil, tool: { source } }: CallableTool): boolean {
    return source?.type === 'made' && source.visibility === 'shared' && this.#now() >= sharedUntil
  }

  #checkMoment(name: string, entry: CallableTool): ToolError | undefined {
    if (this.#stopped.size > 0 && this.#stopped.has(stopKey(name, entry.version)))
      return takenOutOfUse(name, entry.version)
    if (this.#now() >= entry.expiresAt) {
      // What began in time may end.
      this.#hold(name, entry.version)
      this.#onExpired(name)
      return new ToolError('TOOL_REVOKED', `The approval of ${name} has run out.`)
    }
    if (entry.callees.length === 0) return undefined
    const changed = this.#describeSuspension(entry, new Set([name]))
    return changed === undefined
      ? undefined
      : new ToolError('TOOL_REVOKED', `${name} is suspended: ${changed}.`)
  }

  /** What changed of that which a tool calls, or which is called by that. */
  #describeSuspension(entry: CallableTool, seen: Set<string>): string | undefined {
    const changed = describeChangedCallee(entry.callees, this.#registry)
    if (changed !== undefined) return changed
    for (const { name, hash } of entry.callees) {
      const callee = hash === null || seen.has(name) ? undefined : this.#entries.get(name)
      if (callee === undefined || callee.callees.length === 0) continue
      const deeper = this.#describeSuspension(callee, seen.add(name))
      if (deeper !== undefined) return `${name}, which it calls, is suspended: ${deeper}`
    }
    return undefined
  }
}

function toolsPaused(reason: string): ToolError {
  return new ToolError('TOOLS_PAUSED', `All made tools are paused: ${reason}`)
}

function takenOutOfUse(name: string, version: number): ToolError {
  return new ToolError('TOOL_REVOKED', `Version ${version} of ${name} was taken out of use.`)
}

function stopKey(name: string, version: number): string {
  return `${name}@${version}`
}
