import { failure } from '../guest-engine/guest-failure.ts'
import type { IsolateBase } from './isolate-guest.ts'
import { IsolateRun } from './isolate-run.ts'
import { hashModule } from '../host/module-hash.ts'
import type {
  CallMessage,
  HostMessage,
  LoadMessage,
  ModuleMessage,
  WorkerMessage,
} from '../lanes/protocol.ts'

interface Running {
  readonly run: IsolateRun
  timer?: NodeJS.Timeout
}

const longestTimerMs = 2 ** 31 - 1

/** What happens inside a child process of mode `isolate`: takes what the host says, runs guests, and says how it went. */
export class IsolateEngine {
  readonly #base: IsolateBase
  readonly #modules = new Map<string, ModuleMessage>()
  readonly #running = new Map<number, Running>()
  readonly #post: (message: WorkerMessage) => void

  constructor(base: IsolateBase, post: (message: WorkerMessage) => void) {
    this.#base = base
    this.#post = post
    post({ type: 'ready' })
  }

  receive(message: HostMessage): void {
    switch (message.type) {
      case 'module':
        if (hashModule(message) !== message.hash)
          throw new Error('A module does not match its hash')
        this.#modules.set(message.hash, message)
        return
      case 'forget':
        this.#modules.delete(message.hash)
        return
      case 'load':
      case 'call':
        this.#begin(message)
        return
      case 'settle':
        this.#advance(message.id, (run) => run.settle(message.answers))
        return
      case 'abort':
        this.#advance(message.id, (run) => run.end(failure(message.reason, 'The host ended it')))
    }
  }

  #begin(message: LoadMessage | CallMessage): void {
    const { id, hash } = message
    const module = this.#modules.get(hash)
    if (module === undefined) {
      const outcome = failure('load', 'The module is not known to this worker')
      this.#post({ type: 'end', id, cpuMs: 0, logs: [], droppedLogs: 0, sleeps: [], outcome })
      return
    }
    this.#running.set(id, { run: new IsolateRun(message, this.#base) })
    this.#advance(id, (run) => run.start(module))
  }

  #advance(id: number, step: (run: IsolateRun) => void): void {
    const running = this.#running.get(id)
    if (running === undefined) return
    const { run } = running
    step(run)
    clearTimeout(running.timer)
    const { cpuMs, outcome } = run
    if (outcome !== undefined) {
      this.#running.delete(id)
      const { logs, droppedLogs } = run.takeTurn()
      this.#post({ type: 'end', id, cpuMs, logs, droppedLogs, sleeps: run.sleeps, outcome })
      return
    }
    this.#post({ type: 'turn', id, cpuMs, ...run.takeTurn() })
    const { wakeAfterMs } = run
    if (wakeAfterMs !== undefined)
      running.timer = setTimeout(() => this.#wake(id), Math.min(wakeAfterMs, longestTimerMs))
  }

  #wake(id: number): void {
    this.#post({ type: 'wake', id })
    this.#advance(id, (run) => run.wake())
  }
}
