import { fingerprintEngine, readGuestFiles, readWasm, wasmLocation } from './guest-files.ts'
import { readEngineVersion } from './guest-engine/quickjs-instance.ts'
import { type WasmModule, webAssembly } from './guest-engine/web-assembly.ts'

interface EngineFacts {
  readonly name: string
  readonly module: WasmModule
  readonly version: string
  readonly fingerprint: string
}

let facts: EngineFacts | undefined

/** The engine of this installation, compiled once in a process: threads share the compiled code. */
export function readEngineFacts(): EngineFacts {
  if (facts !== undefined) return facts
  const wasm = readWasm(wasmLocation())
  const module = new webAssembly.Module(wasm)
  facts = {
    name: 'quickjs-ng',
    module,
    version: readEngineVersion(module),
    fingerprint: fingerprintEngine(wasm, readGuestFiles()),
  }
  return facts
}
