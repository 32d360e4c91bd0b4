import type { GuestBase } from '../guest-engine/guest-base.ts'
import type { MemoryImage } from '../guest-engine/memory-image.ts'
import type { QuickJsInstance } from '../guest-engine/quickjs-instance.ts'

const mebibyte = 1024 * 1024
/** Above this an instance is thrown away, since the memory of WebAssembly cannot shrink. */
const maxKeptBytes = 8 * mebibyte
/** Or above what its image takes and this. */
const maxGrownBytes = 4 * mebibyte

interface FreeInstance {
  readonly instance: QuickJsInstance
  /** What its memory is at the moment. */
  readonly image: MemoryImage
}

/** Instances for use one after another. How many are in use at once is bounded by the host. */
export class InstancePool {
  readonly #base: GuestBase
  readonly #free: FreeInstance[] = []

  constructor(base: GuestBase) {
    this.#base = base
  }

  /** An instance whose memory is an image. */
  acquire(image: MemoryImage): QuickJsInstance {
    const index = this.#free.findLastIndex((free) => free.image === image)
    const [found] = index < 0 ? [] : this.#free.splice(index, 1)
    if (found !== undefined) return found.instance
    const instance = this.#free.shift()?.instance ?? this.#base.newInstance()
    image.restore(instance)
    return instance
  }

  /** An instance for loading. It has not grown: what one call took would become part of each call of the module. */
  acquireFresh(): QuickJsInstance {
    const { image } = this.#base
    const index = this.#free.findLastIndex(({ instance }) => sizeOf(instance) <= image.length)
    const [found] = this.#free.splice(Math.max(0, index), 1)
    if (index < 0 || found === undefined) {
      const instance = this.#base.newInstance()
      image.restore(instance)
      return instance
    }
    if (found.image !== image) image.restore(found.instance)
    return found.instance
  }

  /** Wipes an instance at once: nothing of a call stays, and the next one of the same module need not wait for it. */
  release(instance: QuickJsInstance, image: MemoryImage): void {
    instance.handler = undefined
    if (sizeOf(instance) > Math.max(maxKeptBytes, image.length + maxGrownBytes)) return
    image.restore(instance)
    this.#free.push({ instance, image })
  }
}

function sizeOf(instance: QuickJsInstance): number {
  return instance.exports.memory.buffer.byteLength
}
