import type { SourceRequest } from './source-tasks.ts'
import { type SourceOutcome, SourceThread } from './source-thread.ts'

/** What waits for a lane. */
export interface SourceJob {
  readonly request: SourceRequest
  /** From the moment when its turn came, in milliseconds. */
  readonly timeoutMs: number
  /** Goes before all that wait, and is never turned away. */
  readonly isFirst: boolean
  readonly signal: AbortSignal | undefined
}

interface WaitingJob extends SourceJob {
  readonly resolve: (outcome: SourceOutcome | 'full') => void
  readonly reject: (error: unknown) => void
}

/** How a lane works. */
interface SourceLaneOptions {
  readonly maxWaiting: number
  /** How long an idle thread stays, in milliseconds. */
  readonly idleMs: number
}

/** A queue before one thread; the thread is made anew after each source that it was lost on. */
export class SourceLane {
  readonly #options: SourceLaneOptions
  readonly #waiting: WaitingJob[] = []
  #thread: SourceThread | undefined
  #idle: NodeJS.Timeout | undefined
  #isRunning = false

  constructor(options: SourceLaneOptions) {
    this.#options = options
  }

  /** @throws the reason of the signal, at once, whatever runs. */
  add(job: SourceJob): Promise<SourceOutcome | 'full'> {
    const { isFirst, signal } = job
    if (!isFirst && this.#waiting.length >= this.#options.maxWaiting) return Promise.resolve('full')
    const outcome = Promise.withResolvers<SourceOutcome | 'full'>()
    const waiting: WaitingJob = { ...job, resolve: outcome.resolve, reject: outcome.reject }
    const abort = (): void => {
      const index = this.#waiting.indexOf(waiting)
      if (index !== -1) this.#waiting.splice(index, 1)
      outcome.reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
    if (isFirst) this.#waiting.unshift(waiting)
    else this.#waiting.push(waiting)
    void this.#run()
    return outcome.promise.finally(() => signal?.removeEventListener('abort', abort))
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    clearTimeout(this.#idle)
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      const thread = (this.#thread ??= new SourceThread())
      try {
        // oxlint-disable-next-line no-await-in-loop -- one at a time is the purpose
        const outcome = await thread.run(job.request, job.timeoutMs)
        if (typeof outcome === 'string') this.#end()
        job.resolve(outcome)
      } catch (error) {
        this.#end()
        job.reject(error)
      }
    }
    this.#isRunning = false
    this.#idle = setTimeout(() => this.#end(), this.#options.idleMs).unref()
  }

  #end(): void {
    this.#thread?.end()
    this.#thread = undefined
  }
}
