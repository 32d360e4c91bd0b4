import type { ToolRegistry } from '@toolcrib/registry'

/** The names in a registry, followed as it changes: asking the registry for a list costs a sort of all its tools. */
export class KnownNames {
  readonly #names = new Set<string>()

  constructor(registry: ToolRegistry) {
    for (const { name } of registry.list()) this.#names.add(name)
    registry.on('changed', ({ name, type }) => {
      if (type === 'unregistered') this.#names.delete(name)
      else this.#names.add(name)
    })
  }

  values(): Iterable<string> {
    return this.#names
  }
}
