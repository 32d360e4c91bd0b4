import type { LoadedModule } from '../guest-engine/guest-load.ts'
import { hashModule } from './module-hash.ts'
import type { ModuleMessage } from '../lanes/protocol.ts'

/** How much memory the images of a worker may take together. What goes is made again from its source. */
const maxImageBytes = 64 * 1024 * 1024

interface KnownModule {
  readonly module: ModuleMessage
  loaded?: LoadedModule | undefined
}

/** The modules that a worker knows, and the images of those used last. */
export class ModuleCache {
  // In the order of their last use.
  readonly #modules = new Map<string, KnownModule>()
  #imageBytes = 0

  /** @throws {Error} when the source is not the one that the hash names */
  add(module: ModuleMessage): void {
    if (hashModule(module) !== module.hash) throw new Error('A module does not match its hash')
    this.delete(module.hash)
    this.#modules.set(module.hash, { module })
  }

  find(hash: string): KnownModule | undefined {
    const known = this.#modules.get(hash)
    if (known === undefined) return undefined
    this.#modules.delete(hash)
    this.#modules.set(hash, known)
    return known
  }

  keep(hash: string, loaded: LoadedModule): void {
    const known = this.#modules.get(hash)
    if (known === undefined) return
    known.loaded = loaded
    this.#imageBytes += loaded.image.storedBytes
    for (const other of this.#modules.values()) {
      if (this.#imageBytes <= maxImageBytes) return
      if (other !== known) this.#dropImage(other)
    }
  }

  delete(hash: string): void {
    const known = this.#modules.get(hash)
    if (known !== undefined) this.#dropImage(known)
    this.#modules.delete(hash)
  }

  #dropImage(known: KnownModule): void {
    this.#imageBytes -= known.loaded?.image.storedBytes ?? 0
    known.loaded = undefined
  }
}
