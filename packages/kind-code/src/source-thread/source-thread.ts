import { Worker } from 'node:worker_threads'
import type { SourceReply, SourceRequest } from './source-tasks.ts'

/** What came of a request. `too-slow` and `lost` are the end of the thread. */
export type SourceOutcome = SourceReply | 'too-slow' | 'lost'

/** How long the thread may take to start on a machine under load, in milliseconds. */
const startTimeoutMs = 30_000
/** A source of the largest size takes a tenth of it. */
const maxHeapMb = 256
const stackSizeMb = 4

/** A thread that reads sources, one at a time, and is ended when it does not answer. It keeps no process open while idle. */
export class SourceThread {
  readonly #worker: Worker
  readonly #ready: Promise<boolean>
  #onMessage: ((message: SourceReply | 'ready' | 'lost') => void) | undefined
  #isAlive = true

  constructor() {
    // From its sources the package runs as TypeScript, built as JavaScript; the worker is of the same kind.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.#worker = new Worker(new URL(`./source-worker.${extension}`, import.meta.url), {
      name: 'toolcrib source reader',
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      // Nobody reads these; the thread writes nothing to them.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, stackSizeMb },
    })
    const lost = (): void => {
      this.#isAlive = false
      this.#onMessage?.('lost')
    }
    this.#worker.on('message', (message: SourceReply | 'ready') => this.#onMessage?.(message))
    // `exit` follows an error.
    this.#worker.on('error', () => undefined)
    this.#worker.once('exit', lost)
    this.#ready = this.#next(startTimeoutMs).then((message) => message === 'ready')
  }

  /**
   * @param timeoutMs from the moment when the thread is there
   * @throws {Error} when the thread cannot be started
   */
  async run(request: SourceRequest, timeoutMs: number): Promise<SourceOutcome> {
    this.#worker.ref()
    try {
      if (!(await this.#ready))
        throw new Error(
          'The thread that reads TypeScript did not start; is the package amaro there?',
        )
      if (!this.#isAlive) return 'lost'
      const answer = this.#next(timeoutMs)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(request)
      const message = await answer
      return message === 'ready' ? 'lost' : message
    } finally {
      this.#worker.unref()
    }
  }

  end(): void {
    this.#isAlive = false
    void this.#worker.terminate()
  }

  #next(timeoutMs: number): Promise<SourceReply | 'ready' | 'too-slow' | 'lost'> {
    return new Promise((resolve) => {
      const finish = (message: SourceReply | 'ready' | 'too-slow' | 'lost'): void => {
        clearTimeout(timer)
        this.#onMessage = undefined
        resolve(message)
      }
      const timer = setTimeout(() => finish('too-slow'), timeoutMs)
      this.#onMessage = finish
    })
  }
}
