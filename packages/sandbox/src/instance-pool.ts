import type { GuestBase } from './guest-base.ts'
import type { QuickJsInstance } from './quickjs-instance.ts'

/** Above this an instance is thrown away, since the memory of WebAssembly cannot shrink. */
const maxKeptBytes = 8 * 1024 * 1024

/** Instances for use one after another. How many are in use at once is bounded by the host. */
export class InstancePool {
  readonly #base: GuestBase
  readonly #free: QuickJsInstance[] = []

  constructor(base: GuestBase) {
    this.#base = base
  }

  acquire(): QuickJsInstance {
    return this.#free.pop() ?? this.#base.newInstance()
  }

  release(instance: QuickJsInstance, isTrapped: boolean): void {
    instance.handler = undefined
    if (isTrapped || instance.exports.memory.buffer.byteLength > maxKeptBytes) return
    this.#free.push(instance)
  }
}
