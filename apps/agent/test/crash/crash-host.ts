import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Fact } from './fact.ts'
import type { WorkloadOrder } from './workload-order.ts'

/** How long a host may take for its start and its checks, also on a machine that is busy with other things. */
const longestStartMs = 300_000

/** Hundreds of hosts load the same sources. */
const compileCache = resolve(import.meta.dirname, '../../../../node_modules/.cache/compiled')

/** A host that is loaded, waits for its order, and is killed at a moment that was drawn for it. */
export class CrashHost {
  readonly #child: ChildProcess
  readonly #errors: Buffer[] = []
  readonly #ended: Promise<NodeJS.Signals | number | null>
  #onFact: (fact: Fact) => void = () => undefined
  #isKilled = false

  constructor() {
    this.#child = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        '--conditions=@toolcrib/source',
        // Its embedded database lives for seconds: the second compiler costs more than it brings.
        '--liftoff-only',
        resolve(import.meta.dirname, 'workload.ts'),
      ],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
      },
    )
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#errors.push(chunk))
    // Whoever was killed reads no more.
    this.#child.stdin?.on('error', () => undefined)
    this.#ended = new Promise((done) =>
      this.#child.once('close', (code, signal) => done(signal ?? code)),
    )
    this.#readFacts()
  }

  /** Lets the host begin. */
  begin(order: WorkloadOrder, onFact: (fact: Fact) => void): void {
    this.#onFact = onFact
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
  }

  /** Kills it, and resolves when everything that it said was heard. */
  async kill(): Promise<void> {
    this.#isKilled = true
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  /** Tells its clients to stop, and resolves when it has come to its end in good order. */
  async close(): Promise<void> {
    this.#child.stdin?.end('enough\n')
    const ended = await this.#ended
    if (ended !== 0) throw this.#fell(ended)
  }

  /** Waits for something that the host does; rejects when it ends by itself, or does nothing for too long. */
  async until<Result>(reached: Promise<Result>): Promise<void> {
    const waited = new AbortController()
    const tooLong = async (): Promise<never> => {
      await wait(longestStartMs, undefined, { signal: waited.signal })
      throw new Error(`The host did nothing more for ${longestStartMs} ms.`)
    }
    const fell = async (): Promise<void> => {
      const ended = await this.#ended
      if (!this.#isKilled) throw this.#fell(ended)
    }
    try {
      await Promise.race([reached, fell(), tooLong()])
    } finally {
      waited.abort()
    }
  }

  #fell(ended: NodeJS.Signals | number | null): Error {
    return new Error(
      `The host ended by itself (${ended}):\n${Buffer.concat(this.#errors).toString()}`,
    )
  }

  #readFacts(): void {
    let rest = ''
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#onFact(JSON.parse(line) as Fact)
    })
  }
}
