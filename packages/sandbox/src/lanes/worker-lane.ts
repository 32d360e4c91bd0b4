import { Worker } from 'node:worker_threads'
import { stopReasons } from '../host/stop-reasons.ts'
import type { Lane, LaneEvents } from './lane.ts'
import type { HostMessage, WorkerMessage } from './protocol.ts'
import type { WasmModule } from '../guest-engine/web-assembly.ts'

/** What a worker thread is started with. */
export interface WorkerStart {
  readonly module: WasmModule
  readonly flags: Int32Array
}

/**
 * Of the thread's own memory; that of the guests lies outside. V8 ends the whole program when one text is too large for what is
 * left, so this is far above what inputs, sources and answers of operations can take.
 */
const defaultHeapMb = 4096
const stackSizeMb = 4

/** What a thread may have. */
export interface WorkerRoom {
  /** Runs at a time. */
  readonly slots: number
  /** @default 4096 */
  readonly maxHeapMb?: number
}

/** A lane in a thread of this process. */
export class WorkerLane implements Lane {
  readonly #worker: Worker
  readonly #flags: Int32Array

  constructor(
    module: WasmModule,
    { slots, maxHeapMb = defaultHeapMb }: WorkerRoom,
    events: LaneEvents,
  ) {
    this.#flags = new Int32Array(new SharedArrayBuffer(slots * 4))
    // From its sources the package runs as TypeScript, built as JavaScript; the worker is of the same kind.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const start: WorkerStart = { module, flags: this.#flags }
    this.#worker = new Worker(new URL(`./sandbox-worker.${extension}`, import.meta.url), {
      name: 'toolcrib sandbox',
      workerData: start,
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      // Nobody reads these; the thread writes nothing to them.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, stackSizeMb },
    })
    this.#worker.unref()
    this.#worker.on('message', (message: WorkerMessage) => events.onMessage(message))
    // The message of the error may name places of this machine; `exit` follows it.
    this.#worker.on('error', () => undefined)
    this.#worker.on('exit', (code) => events.onLost(`its thread ended with code ${code}`))
  }

  post(message: HostMessage): void {
    // oxlint-disable-next-line require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(message)
  }

  setFlag(slot: number, reason: 'aborted' | 'timeout' | undefined): void {
    Atomics.store(this.#flags, slot, stopReasons.indexOf(reason))
  }

  hold(isHeld: boolean): void {
    if (isHeld) this.#worker.ref()
    else this.#worker.unref()
  }

  async kill(): Promise<void> {
    await this.#worker.terminate()
  }
}
