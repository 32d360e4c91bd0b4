import { readFile } from 'node:fs/promises'

/** The types of Node leave it out. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<CompiledServer> }

/** A `WebAssembly.Module`. */
export type CompiledServer = object

let compiled: Promise<CompiledServer | undefined> | undefined

/**
 * The server of PGlite, compiled once for all threads of this process. Where it does not lie where PGlite 0.5 has it, each
 * thread is left to compile its own.
 */
export function compiledServer(): Promise<CompiledServer | undefined> {
  compiled ??= compile().catch(() => {
    compiled = undefined
    return undefined
  })
  return compiled
}

async function compile(): Promise<CompiledServer> {
  const library = import.meta.resolve('@electric-sql/pglite')
  return WebAssembly.compile(await readFile(new URL('pglite.wasm', library)))
}
