import { type JsonValue, ToolError } from '@toolcrib/registry'
import type { Sandbox, SandboxFailure, SandboxModule } from '@toolcrib/sandbox'
import { hashJson } from '@toolcrib/toolsmaker/kind'
import type { CodeDefinition, PinnedModule } from '../code-definition.ts'
import { factoryEntry } from '../tool-file/factory-form.ts'
import { SourceSyntaxError } from '../source/source-syntax-error.ts'
import { stripTypes } from '../source/strip-types.ts'

/** Where a definition was loaded, or why it cannot be. */
export type LoadedCode = { readonly ok: true; readonly hash: string } | SandboxFailure

/** Where definitions are loaded. */
export interface CodePlace {
  readonly sandbox: Sandbox
  /** How long that may take, the start of a worker included, in milliseconds. */
  readonly loadTimeoutMs: number
  /** On whose behalf it is tried. @default it is in use */
  readonly trialOf?: string
}

/**
 * One definition in a sandbox. It is made into JavaScript and loaded when it is first needed, and loaded again when the
 * sandbox forgot it; each time what goes in is compared with what was there at the beginning.
 */
export class CodeModule {
  readonly #place: CodePlace
  readonly #definition: CodeDefinition
  readonly #definitionHash: string
  #moduleHash: string | undefined
  #loading: Promise<LoadedCode> | undefined

  constructor(definition: CodeDefinition, place: CodePlace) {
    this.#place = place
    this.#definition = definition
    this.#definitionHash = hashDefinition(definition)
  }

  /**
   * The hash under which the sandbox has it.
   *
   * @throws {ToolError} TOOL_TAMPERED when it is no longer what it was.
   */
  load(): Promise<LoadedCode> {
    this.#loading ??= this.#load().then(
      (loaded) => {
        // A module that cannot be loaded may be one that the machine had no time or memory for.
        if (!loaded.ok) this.#loading = undefined
        return loaded
      },
      (error: unknown) => {
        this.#loading = undefined
        throw error
      },
    )
    return this.#loading
  }

  /** The sandbox forgot it: the next {@link load} brings it back. */
  forget(): void {
    this.#loading = undefined
  }

  async #load(): Promise<LoadedCode> {
    if (hashDefinition(this.#definition) !== this.#definitionHash) throw tampered('definition')
    const module = await toModule(this.#definition)
    if ('reason' in module) return module
    const { loadTimeoutMs: timeoutMs, sandbox, trialOf } = this.#place
    const trial = trialOf === undefined ? {} : { trialOf }
    const loaded = await sandbox.load(module, { timeoutMs, ...trial })
    if (!loaded.ok) return toLoadFailure(loaded)
    this.#moduleHash ??= loaded.hash
    if (this.#moduleHash !== loaded.hash) throw tampered('source')
    return { ok: true, hash: loaded.hash }
  }
}

function hashDefinition(definition: CodeDefinition): string {
  return hashJson(definition as unknown as JsonValue)
}

async function toModule(definition: CodeDefinition): Promise<SandboxModule | SandboxFailure> {
  const { form, modules = [], source } = definition
  try {
    if (form === 'factory') return await factoryEntry(definition, { isFirst: true })
    return await plainModule(source, modules)
  } catch (error) {
    if (!(error instanceof SourceSyntaxError)) throw error
    const { column, line, message } = error
    return {
      ok: false,
      reason: 'load',
      message,
      errorName: 'SyntaxError',
      position: { line, column },
    }
  }
}

async function plainModule(
  source: string,
  modules: readonly PinnedModule[],
): Promise<SandboxModule> {
  const imports: Record<string, string> = {}
  // What was checked already does not wait behind what was not.
  for (const { source: text, specifier } of modules)
    // oxlint-disable-next-line no-await-in-loop -- they are read one after the other anyway
    imports[specifier] = await stripTypes(text, { isFirst: true })
  return { source: await stripTypes(source, { isFirst: true }), imports }
}

/** What a tool does before it is called is a matter of its source, whichever limit ended it. */
function toLoadFailure(failure: SandboxFailure): SandboxFailure {
  const { message, reason } = failure
  if (reason === 'load' || reason === 'closed' || reason === 'worker-lost') return failure
  return {
    ...failure,
    reason: 'load',
    message: reason === 'guest-error' ? message : `its top level was ended (${reason}: ${message})`,
  }
}

function tampered(what: string): ToolError {
  return new ToolError(
    'TOOL_TAMPERED',
    `The ${what} is not what it was when the tool was put into use.`,
  )
}
