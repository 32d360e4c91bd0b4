import type { GuestFile, GuestFiles } from '../guest-files.ts'
import { MemoryImage } from './memory-image.ts'
import type { Address } from './quickjs-exports.ts'
import { type Layout, QuickJsInstance } from './quickjs-instance.ts'
import type { WasmModule } from './web-assembly.ts'

/** Functions of the prelude. They stay where they are, because memory is restored byte by byte. */
export interface PreludeFunctions {
  readonly begin: Address
  readonly settle: Address
  readonly tick: Address
  readonly describe: Address
  readonly seed: Address
  /** Of the author context: makes `ctx` for one call. */
  readonly makeContext: Address
}

/** What every module is loaded into: an engine with the prelude, the shims and the author's context. */
export class GuestBase {
  readonly image: MemoryImage
  readonly functions: PreludeFunctions
  readonly #module: WasmModule
  readonly #layout: Layout

  constructor(module: WasmModule, files: GuestFiles) {
    this.#module = module
    const instance = new QuickJsInstance(module)
    this.#layout = instance.layout
    const run = ({ name, text }: GuestFile, ...values: Address[]): Address =>
      must(instance, instance.call(must(instance, instance.evaluateOwn(text, name)), values))
    const control = run(files.prelude, instance.newHostFunction('host'))
    const of = (name: string): Address => must(instance, instance.property(control, name))
    const host = of('host')
    const pristine = run(files.pristine)
    for (const shim of files.shims) run(shim, host, pristine)
    instance.exports.qjs_free_value(pristine)
    // It is there for its message only.
    const fetch = must(instance, instance.evaluate('fetch', 'fetch.js'))
    instance.hideType(fetch)
    instance.exports.qjs_free_value(fetch)
    this.functions = {
      begin: of('begin'),
      settle: of('settle'),
      tick: of('tick'),
      describe: of('describe'),
      seed: of('seed'),
      makeContext: run(files.authorContext, host),
    }
    instance.exports.qjs_free_value(host)
    instance.exports.qjs_free_value(control)
    instance.exports.qjs_run_gc()
    instance.reserve()
    this.image = MemoryImage.take(instance)
  }

  /** An instance that still has to be restored from an image. */
  newInstance(): QuickJsInstance {
    return new QuickJsInstance(this.#module, this.#layout)
  }
}

function must(instance: QuickJsInstance, answer: Address): Address {
  const exception = instance.takeException(answer)
  if (exception === undefined) return answer
  const message = instance.readString(instance.property(exception, 'message'))
  const stack = instance.readString(instance.property(exception, 'stack'))
  throw new Error(`The sandbox does not start: ${message ?? ''} ${stack ?? ''}`)
}
