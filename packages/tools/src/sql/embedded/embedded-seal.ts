import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Compile = (source: unknown, imports?: object) => unknown

interface MemoryConstructor {
  new (size: { readonly initial: number; readonly maximum: number }): object
}

interface ModuleConstructor {
  new (source: unknown): object
  readonly prototype: object
  readonly customSections: unknown
  readonly exports: unknown
  readonly imports: unknown
}

/** Node has it, but its types come with those of browsers. */
declare const WebAssembly: {
  readonly Memory: MemoryConstructor
  readonly Module: ModuleConstructor
  readonly compile: Compile
  readonly instantiate: Compile
}

const pageBytes = 65_536

/** The embedded server's user is a superuser, who may write a library into its file system and load it. */
const refusal = 'Only libraries that ship with PGlite are loaded.'

/**
 * Makes this thread load no WebAssembly library but those of the PGlite package. A library of somebody else's could
 * bring JavaScript along, which would run here, outside of the embedded machine. The machine gets no more memory than it
 * may; it would take 2 GiB, which no limit of the thread counts. To be called before PGlite is loaded.
 */
export function sealWebAssembly(maxMemoryBytes: number): void {
  const shipped = readShipped()
  const check = (source: unknown): void => {
    const bytes = asBytes(source)
    if (bytes === undefined || !isLibrary(bytes)) return
    if (!shipped.some((file) => file.includes(bytes))) throw new Error(refusal)
  }
  const { Memory, Module, compile, instantiate } = WebAssembly
  const guarded =
    (original: Compile): Compile =>
    async (source, imports) => {
      check(source)
      return await original(source, imports)
    }
  const GuardedModule = function GuardedModule(source: unknown): object {
    check(source)
    return new Module(source)
  }
  const maxPages = Math.floor(maxMemoryBytes / pageBytes)
  class LimitedMemory extends Memory {
    constructor({ initial, maximum }: { readonly initial: number; readonly maximum: number }) {
      super({ initial, maximum: Math.min(maximum, maxPages) })
    }
  }
  // `instanceof` and the static functions go on working.
  GuardedModule.prototype = Module.prototype
  Object.assign(GuardedModule, {
    customSections: Module.customSections,
    exports: Module.exports,
    imports: Module.imports,
  })
  Object.assign(WebAssembly, {
    Memory: LimitedMemory,
    Module: GuardedModule,
    compile: guarded(compile),
    instantiate: guarded(instantiate),
    // These take a stream, whose bytes cannot be looked at; everything here comes from files.
    compileStreaming: undefined,
    instantiateStreaming: undefined,
  })
  Object.freeze(WebAssembly)
}

function asBytes(source: unknown): Buffer | undefined {
  if (source instanceof ArrayBuffer || source instanceof SharedArrayBuffer)
    return Buffer.from(source)
  if (ArrayBuffer.isView(source))
    return Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  return undefined
}

/** A library begins with a section of its own kind; without it the loader refuses it by itself. */
function isLibrary(bytes: Buffer): boolean {
  return bytes[8] === 0
}

function readShipped(): readonly Buffer[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite')))
  return readdirSync(folder)
    .filter((name) => name.endsWith('.wasm') || name.endsWith('.data'))
    .map((name) => readFileSync(join(folder, name)))
}
