import type ivm from 'isolated-vm'
import { importPrefix, moduleFileName } from '../guest-engine/guest-failure.ts'
import type { GuestFiles } from '../guest-files.ts'
import type { IsolatedVm } from './isolate-addon.ts'
import type { ModuleMessage } from '../lanes/protocol.ts'

/** What may go into an isolate and come out of it. */
type Plain = string | number | undefined

/** Asked by the guest's inside half, while the guest waits. */
export type NativeCall = (kind: number, ...values: readonly Plain[]) => Plain

/** The addon and what every isolate begins with. */
export interface IsolateBase {
  readonly ivm: IsolatedVm
  /** A script whose value is `(native) => enter`. */
  readonly boot: string
}

const mebibyte = 1024 * 1024
/** The engine takes no lower limit. */
const leastMemory = 8 * mebibyte
const longestTimeout = 2 ** 31 - 1

/** Is evaluated after the module, its top level and what that waits for. */
const entrySource = `import * as tool from 'tool'
export const execute = tool.default`

/** @param adapter what stands around the scripts of the guest */
export function newIsolateBase(ivm: IsolatedVm, files: GuestFiles, adapter: string): IsolateBase {
  return { ivm, boot: `(0, eval)(${JSON.stringify(adapter)})(${JSON.stringify(files)})` }
}

/** One V8 isolate for one run. Only strings and numbers go in and out, and the guest's own functions back to the guest. */
export class IsolateGuest {
  readonly #isolate: ivm.Isolate
  readonly #context: ivm.Context
  readonly #enter: ivm.Reference
  #execute: ivm.Reference | undefined

  constructor({ ivm, boot: source }: IsolateBase, memoryBytes: number, native: NativeCall) {
    const memoryLimit = Math.ceil(Math.max(memoryBytes, leastMemory) / mebibyte)
    this.#isolate = new ivm.Isolate({ memoryLimit })
    this.#context = this.#isolate.createContextSync()
    const boot: ivm.Reference = this.#context.evalSync(source, { reference: true })
    this.#enter = boot.applySync(undefined, [new ivm.Callback(native)], {
      result: { reference: true },
    })
  }

  get isDisposed(): boolean {
    return this.#isolate.isDisposed
  }

  /** Ends it at once, also from within a native call. */
  dispose(): void {
    if (!this.#isolate.isDisposed) this.#isolate.dispose()
  }

  /**
   * Does something in the guest, with all that promises leave to do.
   *
   * @throws {Error} when the time is over, or the memory, or when the guest left a rejection unhandled
   */
  enter(timeoutMs: number, action: 'seed' | 'settle' | 'tick', values: readonly Plain[]): unknown {
    return this.#apply(timeoutMs, [action, ...values])
  }

  /** Calls the default export of the module that was loaded. */
  begin(timeoutMs: number, values: readonly Plain[]): void {
    if (this.#execute === undefined) throw new Error('No module is loaded')
    this.#apply(timeoutMs, ['begin', this.#execute.derefInto(), ...values])
  }

  #apply(timeoutMs: number, values: readonly (Plain | ivm.Dereference<unknown>)[]): unknown {
    return this.#enter.applySync(undefined, [...values], { timeout: toTimeout(timeoutMs) })
  }

  /**
   * Runs the top level of a module.
   *
   * @returns whether its default export is a function; `undefined` when the top level did not come to its end
   * @throws {Error} as {@link enter}, and what is wrong with the module
   */
  load(module: ModuleMessage, timeoutMs: number): boolean | undefined {
    const entry = this.#isolate.compileModuleSync(entrySource, { filename: 'entry.js' })
    const known = new Map<string, ivm.Module>()
    const main = this.#isolate.compileModuleSync(module.source, { filename: moduleFileName })
    entry.instantiateSync(this.#context, (specifier, referrer) => {
      if (referrer === entry) return main
      const found = known.get(specifier) ?? this.#compileImport(module, specifier)
      known.set(specifier, found)
      return found
    })
    let problem: unknown
    try {
      entry.evaluateSync({ timeout: toTimeout(timeoutMs) })
    } catch (error) {
      problem = error
    }
    try {
      // Throws while it has no value; a rejection that nobody handled is no reason not to load.
      this.#execute = entry.namespace.getSync('execute', { reference: true })
    } catch {
      if (problem !== undefined) throw problem
      return undefined
    }
    return this.#execute?.typeof === 'function'
  }

  #compileImport({ imports }: ModuleMessage, specifier: string): ivm.Module {
    const source = Object.hasOwn(imports, specifier) ? imports[specifier] : undefined
    if (source === undefined) throw new ReferenceError(`There is no module '${specifier}'`)
    return this.#isolate.compileModuleSync(source, { filename: importPrefix + specifier })
  }
}

function toTimeout(milliseconds: number): number {
  return Math.min(Math.max(1, Math.ceil(milliseconds)), longestTimeout)
}
