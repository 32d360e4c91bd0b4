import type { GuestBase } from './guest-base.ts'
import { GuestCall } from './guest-call.ts'
import { failure } from './guest-failure.ts'
import { GuestLoad } from './guest-load.ts'
import type { RunSetting } from './guest-run.ts'
import { InstancePool } from '../host/instance-pool.ts'
import type { MemoryImage } from './memory-image.ts'
import { ModuleCache } from '../host/module-cache.ts'
import type {
  CallMessage,
  HostMessage,
  LoadMessage,
  RunLimits,
  RunOutcome,
  WorkerMessage,
} from '../lanes/protocol.ts'
import { stopReasons } from '../host/stop-reasons.ts'
import type { LoadedModule } from './guest-load.ts'

interface Running {
  readonly call: GuestCall
  timer?: NodeJS.Timeout
}

/** What happens inside a worker: takes what the host says, runs guests, and says how it went. */
export class GuestEngine {
  readonly #base: GuestBase
  readonly #instances: InstancePool
  readonly #modules = new ModuleCache()
  readonly #running = new Map<number, Running>()
  readonly #post: (message: WorkerMessage) => void
  readonly #flags: Int32Array | undefined

  /** @param flags one for each slot: the index of a stop reason */
  constructor(base: GuestBase, post: (message: WorkerMessage) => void, flags?: Int32Array) {
    this.#base = base
    this.#instances = new InstancePool(base)
    this.#post = post
    this.#flags = flags
    post({ type: 'ready' })
  }

  receive(message: HostMessage): void {
    switch (message.type) {
      case 'module':
        this.#modules.add(message)
        return
      case 'forget':
        this.#modules.delete(message.hash)
        return
      case 'load':
        this.#load(message)
        return
      case 'call':
        this.#call(message)
        return
      case 'settle':
        this.#advance(message.id, (call) => call.settle(message.answers))
        return
      case 'abort':
        this.#advance(message.id, (call) => call.end(failure(message.reason, 'The host ended it')))
    }
  }

  #load({ id, slot, hash, limits }: LoadMessage): void {
    const run = this.#loadModule(hash, limits, slot)
    this.#end(id, run.loaded === undefined ? run.outcome : { ok: true, json: '' }, 0)
  }

  #loadModule(
    hash: string,
    limits: RunLimits,
    slot: number,
  ): { loaded?: LoadedModule; outcome: RunOutcome } {
    const problem = failure('load', 'The module is not known to this worker')
    const known = this.#modules.find(hash)
    if (known?.loaded !== undefined) return { loaded: known.loaded, outcome: problem }
    if (known === undefined) return { outcome: problem }
    const setting = this.#newSetting(limits, slot)
    const run = new GuestLoad(known.module, setting)
    const loaded = run.load()
    if (loaded !== undefined) this.#modules.keep(hash, loaded)
    if (!run.isTrapped) this.#instances.release(setting.instance, loaded?.image ?? this.#base.image)
    return loaded === undefined ? { outcome: run.outcome ?? problem } : { loaded, outcome: problem }
  }

  #call(message: CallMessage): void {
    const { loaded, outcome } = this.#loadModule(message.hash, message.limits, message.slot)
    if (loaded === undefined) {
      this.#end(message.id, outcome, 0)
      return
    }
    const setting = this.#newSetting(message.limits, message.slot, loaded.image)
    this.#running.set(message.id, { call: new GuestCall(message, loaded, setting) })
    this.#advance(message.id, (call) => call.start())
  }

  #newSetting(limits: RunLimits, slot: number, image?: MemoryImage): RunSetting {
    const flags = this.#flags
    return {
      base: this.#base,
      instance:
        image === undefined ? this.#instances.acquireFresh() : this.#instances.acquire(image),
      limits,
      stopReason: () => (flags === undefined ? undefined : stopReasons[Atomics.load(flags, slot)]),
    }
  }

  #advance(id: number, step: (call: GuestCall) => void): void {
    const running = this.#running.get(id)
    if (running === undefined) return
    const { call } = running
    step(call)
    clearTimeout(running.timer)
    const { cpuMs, outcome } = call
    if (outcome !== undefined) {
      this.#running.delete(id)
      const { logs, droppedLogs } = call.takeTurn()
      this.#post({ type: 'end', id, cpuMs, logs, droppedLogs, sleeps: call.sleeps, outcome })
      if (!call.isTrapped) this.#instances.release(call.instance, call.image)
      return
    }
    this.#post({ type: 'turn', id, cpuMs, ...call.takeTurn() })
    const { wakeAfterMs } = call
    if (wakeAfterMs !== undefined)
      running.timer = setTimeout(() => this.#wake(id), Math.min(wakeAfterMs, 2 ** 31 - 1))
  }

  #wake(id: number): void {
    this.#post({ type: 'wake', id })
    this.#advance(id, (call) => call.wake())
  }

  #end(id: number, outcome: RunOutcome, cpuMs: number): void {
    this.#post({ type: 'end', id, cpuMs, logs: [], droppedLogs: 0, sleeps: [], outcome })
  }
}
