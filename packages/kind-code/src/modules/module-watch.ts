import { ToolError } from '@toolcrib/registry'
import type { PinnedModule } from '../code-definition.ts'
import { type FindModule, describeStaleModule } from './shared-modules.ts'

/** Asks whether the modules of a tool may still be used, at most once in a while. */
export class ModuleWatch {
  readonly #modules: readonly PinnedModule[]
  readonly #findModule: FindModule | undefined
  readonly #options: { readonly lastsMs: number; readonly now: () => number }
  #checkedAt = Number.NEGATIVE_INFINITY
  #checking: Promise<void> | undefined

  constructor(
    modules: readonly PinnedModule[],
    findModule: FindModule | undefined,
    options: { readonly lastsMs: number; readonly now: () => number },
  ) {
    this.#modules = modules
    this.#findModule = findModule
    this.#options = options
  }

  /** @throws {ToolError} TOOL_REVOKED when one of them is no approved version any more. */
  async assertUsable(): Promise<void> {
    const { lastsMs, now } = this.#options
    const age = now() - this.#checkedAt
    // A clock that was set back must not keep an old answer alive.
    if (this.#modules.length === 0 || (age >= 0 && age < lastsMs)) return
    this.#checking ??= this.#check(now()).finally(() => {
      this.#checking = undefined
    })
    await this.#checking
  }

  async #check(startedAt: number): Promise<void> {
    for (const module of this.#modules) {
      // oxlint-disable-next-line no-await-in-loop -- few
      const problem = await describeStaleModule(module, this.#findModule)
      if (problem !== undefined)
        throw new ToolError(
          'TOOL_REVOKED',
          `The tool is suspended, since a module it imports cannot be used: ${problem}`,
        )
    }
    this.#checkedAt = startedAt
  }
}
