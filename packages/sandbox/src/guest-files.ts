import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** What makes the globals of the guest, in this order. */
const shimNames = ['text-coding', 'shims', 'abort', 'url', 'structured-clone'] as const

/** A script that runs in the guest before any module. */
export interface GuestFile {
  readonly name: string
  readonly text: string
}

/** All of them, in the order in which they run. */
export interface GuestFiles {
  readonly prelude: GuestFile
  /** What the shims share. */
  readonly pristine: GuestFile
  readonly shims: readonly GuestFile[]
  readonly authorContext: GuestFile
}

/** Where `quickjs.wasm` lies. */
export function wasmLocation(): URL {
  return new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm'))
}

/** Where the guest's scripts lie: beside the sources, and beside what is built. */
export const guestLocation: URL = new URL('./guest/', import.meta.url)

export function readGuestFiles(): GuestFiles {
  return {
    prelude: readGuestFile('prelude'),
    pristine: readGuestFile('pristine'),
    shims: shimNames.map(readGuestFile),
    authorContext: readGuestFile('author-context'),
  }
}

/** What mode `isolate` puts around them. */
export function readIsolateAdapter(): string {
  return readGuestFile('isolate').text
}

/** Every script that decides what a guest finds. */
export function listGuestFiles({
  prelude,
  pristine,
  shims,
  authorContext,
}: GuestFiles): readonly GuestFile[] {
  return [prelude, pristine, ...shims, authorContext]
}

function readGuestFile(name: string): GuestFile {
  return { name: `${name}.js`, text: readFileSync(new URL(`${name}.js`, guestLocation), 'utf8') }
}

export function readWasm(path: string | URL): Buffer<ArrayBuffer> {
  return readFileSync(path)
}

/** Says which engine and which built-in functions a guest finds. */
export function fingerprintEngine(wasm: Uint8Array, files: GuestFiles): string {
  const hash = createHash('sha256').update(wasm)
  for (const { name, text } of listGuestFiles(files)) hash.update(`\0${name}\0`).update(text)
  return hash.digest('hex').slice(0, 16)
}
