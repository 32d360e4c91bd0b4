import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ToolRegistry } from '@toolcrib/registry'
import { NameIndex } from './name-index.ts'

/** How many names are taken in between two turns of the event loop. */
const namesAtOnce = 2_000

/**
 * The names in a registry and in a log, followed as they change, so that a new name is compared with those that are like it and
 * with no others. They are taken in when the first new name comes: a start with many tools need not wait for that.
 */
export class KnownNames {
  readonly #registry: ToolRegistry
  readonly #recorded: ReadonlyMap<string, unknown>
  readonly #index = new NameIndex()
  #filling: Promise<void> | undefined

  constructor(registry: ToolRegistry, recorded: ReadonlyMap<string, unknown>) {
    this.#registry = registry
    this.#recorded = recorded
    registry.on('changed', ({ name, type }) => {
      if (this.#filling === undefined) return
      if (type !== 'unregistered') this.add(name)
      else if (!this.#recorded.has(name)) this.#index.delete(name)
    })
  }

  /** Adds the name of a tool that the log knows from now on. */
  add(name: string): void {
    if (this.#filling !== undefined && !this.#index.has(name)) this.#index.add(name)
  }

  /** The names that differ from a name in nothing but case, "_" and "-", or in one edit. */
  async similarTo(name: string): Promise<Iterable<string>> {
    this.#filling ??= this.#fill()
    await this.#filling
    return this.#index.similarTo(name)
  }

  async #fill(): Promise<void> {
    let count = 0
    for (const names of [
      this.#registry
        .snapshot()
        .tools()
        .map((tool) => tool.name),
      this.#recorded.keys(),
    ])
      for (const name of names) {
        // Not by `add`, which waits for this to have begun.
        if (!this.#index.has(name)) this.#index.add(name)
        count += 1
        // oxlint-disable-next-line no-await-in-loop -- calls have their turn meanwhile
        if (count % namesAtOnce === 0) await nextTurn()
      }
  }
}
