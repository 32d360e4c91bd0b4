import { failure, importPrefix, moduleFileName } from './guest-failure.ts'
import { GuestRun, type RunSetting } from './guest-run.ts'
import { MemoryImage } from './memory-image.ts'
import type { ModuleMessage } from '../lanes/protocol.ts'
import type { Address } from './quickjs-exports.ts'
import type { InstanceHandler } from './quickjs-instance.ts'
import { randomSeeds } from '../host/random-seeds.ts'

/** A module right after its top level ran: what each of its calls starts from. */
export interface LoadedModule {
  readonly image: MemoryImage
  /** The default export. */
  readonly execute: Address
}

const promiseFulfilled = 1
const promiseRejected = 2

/** Runs the top level of a module. */
export class GuestLoad extends GuestRun implements InstanceHandler {
  readonly #module: ModuleMessage
  #loaded: LoadedModule | undefined

  constructor(module: ModuleMessage, setting: RunSetting) {
    super(setting)
    this.#module = module
  }

  protected get failureReason(): 'load' {
    return 'load'
  }

  protected get computeReason(): 'timeout' {
    return 'timeout'
  }

  /** The module, or `undefined` where {@link GuestRun.outcome} says what is wrong. */
  load(): LoadedModule | undefined {
    const { instance, base, limits } = this.setting
    instance.handler = this
    instance.clockStart = performance.now()
    instance.limitMemory(limits.memoryBytes)
    this.compute(() => {
      this.callPrelude(
        base.functions.seed,
        randomSeeds().map((seed) => instance.newNumber(seed)),
      )
      const answer = instance.evaluate(this.#module.source, moduleFileName, true)
      const exception = instance.takeException(answer)
      if (exception !== undefined) this.failWith(exception)
      this.runJobs()
      this.#loaded = this.#take(answer)
    })
    return this.#loaded
  }

  #take(namespacePromise: Address): LoadedModule {
    const { exports } = this.setting.instance
    const state = exports.qjs_promise_state(namespacePromise)
    if (state !== promiseFulfilled && state !== promiseRejected)
      this.stopNow(failure('load', 'The top level waits for something that never comes'))
    const result = exports.qjs_promise_result(namespacePromise)
    if (state === promiseRejected) this.failWith(result)
    const { instance, base } = this.setting
    const execute = instance.property(result, 'default')
    if (exports.qjs_is_function(execute) === 0)
      this.stopNow(failure('load', 'The module has no default export that is a function'))
    exports.qjs_free_value(result)
    exports.qjs_free_value(namespacePromise)
    exports.qjs_run_gc()
    return { image: MemoryImage.take(instance, base.image), execute }
  }

  resolveImport(specifier: string): string | undefined {
    return Object.hasOwn(this.#module.imports, specifier) ? importPrefix + specifier : undefined
  }

  readImport(name: string): string | undefined {
    const specifier = name.slice(importPrefix.length)
    return Object.hasOwn(this.#module.imports, specifier)
      ? this.#module.imports[specifier]
      : undefined
  }

  onNativeCall(): Address {
    // Nothing of the host is there for a module that is being loaded; the prelude says so.
    const { instance } = this.setting
    return instance.exports.qjs_dup_value(instance.undefinedValue)
  }
}
