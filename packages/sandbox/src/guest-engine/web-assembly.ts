/** Compiled code; threads can share it. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string
}

/** The memory of an instance. Its buffer is another one after it has grown. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  /** @param pages of 64 KiB */
  grow(pages: number): number
}

interface WasmNamespace {
  readonly Module: new (bytes: Uint8Array) => WasmModule
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, Readonly<Record<string, (...values: never[]) => unknown>>>>,
  ) => { readonly exports: object }
}

/** What this package uses of the engine's WebAssembly, which the types of Node leave out. */
export const webAssembly: WasmNamespace = (
  globalThis as unknown as { readonly WebAssembly: WasmNamespace }
).WebAssembly
