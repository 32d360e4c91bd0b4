import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ComputeError } from '@toolcrib/compute'
import { ToolError } from '@toolcrib/registry'
import type { JobMessage, JobReply, ProgramText } from './compute-job.ts'

/** How long an idle thread stays, in milliseconds. */
const idleMs = 10_000
/** What the largest inputs and lists that the default limits allow take is a tenth of it. */
const maxHeapMb = 512
/** Items of a list that are handed over at once. */
const itemsAtOnce = 2_000

/**
 * A thread for runs that would keep the event loop, one after the other. It is started when it is first needed, ended while it
 * runs a program that nobody waits for any more, and keeps no process open while idle.
 */
export class ComputeThread {
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  /** Settles when all runs before are over. */
  #turn: Promise<unknown> = Promise.resolve()

  /**
   * Runs a program.
   *
   * @throws {ComputeError} what the program gives for these arguments.
   * @throws {ToolError} TOOL_FAILED when it needs too much memory.
   * @throws the reason of the signal.
   */
  async run(program: ProgramText, input: object, signal: AbortSignal): Promise<unknown> {
    const before = this.#turn
    const over = Promise.withResolvers<void>()
    this.#turn = Promise.all([before, over.promise])
    try {
      await orAbort(before, signal)
      return read(await this.#work(program, input, signal))
    } finally {
      over.resolve()
    }
  }

  async #work(program: ProgramText, input: object, signal: AbortSignal): Promise<JobReply> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    const reply = Promise.withResolvers<JobReply>()
    // Whoever was told of an abort waits for no reply.
    reply.promise.catch(() => undefined)
    const lose = (cause: unknown): void => reply.reject(lost(cause))
    // `exit` follows an error.
    worker.once('message', reply.resolve).once('error', lose).once('exit', lose)
    try {
      await send(worker, { program, input, signal })
      return await orAbort(reply.promise, signal)
    } catch (error) {
      this.#end()
      throw error
    } finally {
      worker.off('message', reply.resolve).off('error', lose).off('exit', lose)
      worker.unref()
      this.#idle = setTimeout(() => this.#end(), idleMs).unref()
    }
  }

  #start(): Worker {
    const worker = startWorker()
    // An error that nobody listens to would end the process.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }

  #end(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}

function startWorker(): Worker {
  // From its sources the package runs as TypeScript, built as JavaScript; the worker is of the same kind.
  const isSource = import.meta.url.endsWith('.ts')
  return new Worker(new URL(`./compute-worker.${isSource ? 'ts' : 'js'}`, import.meta.url), {
    name: 'toolcrib compute',
    env: {},
    argv: [],
    execArgv: isSource ? ['--conditions=@toolcrib/source'] : [],
    stdin: false,
    // Nobody reads these; the thread writes nothing to them.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
}

/** Hands the arguments over with pauses: copying a long list would keep the event loop as the run itself would. */
async function send(
  worker: Worker,
  {
    program,
    input,
    signal,
  }: { readonly program: ProgramText; readonly input: object; readonly signal: AbortSignal },
): Promise<void> {
  const post = async (message: JobMessage): Promise<void> => {
    await nextTurn()
    signal.throwIfAborted()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message)
  }
  for (const [name, value] of Object.entries(input) as [string, unknown][]) {
    const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined
    // oxlint-disable-next-line no-await-in-loop -- the pauses are the purpose
    if (items === undefined || items.length <= itemsAtOnce) await post({ name, value })
    else
      for (let from = 0; from < items.length; from += itemsAtOnce)
        // oxlint-disable-next-line no-await-in-loop
        await post({ name, items: items.slice(from, from + itemsAtOnce) })
  }
  await post({ run: program })
}

function read(reply: JobReply): unknown {
  if ('issues' in reply) throw new ComputeError(reply.issues)
  if ('failure' in reply) throw new Error(reply.failure)
  return reply.value
}

function lost(cause: unknown): ToolError {
  return new ToolError(
    'TOOL_FAILED',
    `The program was ended: its run was lost, most likely because it needs more than ${maxHeapMb} MB of memory. Pass less.`,
    { cause },
  )
}

/** Waits for a promise, at most until the signal aborts. */
async function orAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const stop = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
