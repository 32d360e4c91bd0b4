import { type ChildProcess, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { typeCheckProgram } from './type-check-program.ts'

/** What is checked, as it crosses to the process. */
export interface TypeCheckRequest {
  readonly source: string
  readonly form: 'function' | 'factory'
  /** Ambient: what exists beside the language, and the types `Input` and `Output`. */
  readonly declarations: string
  readonly modules: readonly { readonly specifier: string; readonly source: string }[]
}

/** What came back: findings, or why there are none. */
export type TypeCheckAnswer =
  | {
      readonly problems: readonly {
        readonly line: number
        readonly column: number
        readonly message: string
      }[]
    }
  /** TypeScript itself failed on the source. */
  | { readonly failed: string }
  | { readonly ended: 'too-slow' | 'process-lost' }
  | { readonly unusable: string }

/** How a process is run. */
export interface TypeCheckProcessOptions {
  /** The main file of TypeScript. */
  readonly typescript: string
  readonly timeoutMs: number
  readonly startTimeoutMs: number
  readonly maxMemoryMb: number
}

/** How long after its time the process waits to be ended, before it ends itself, in milliseconds. */
const ownGraceMs = 5_000

type ProcessMessage = { readonly version: string; readonly isUsable: boolean } | TypeCheckAnswer

/**
 * One process that checks types, under Node's permission model, without environment, reading nothing but TypeScript's own
 * folder. It serves one request at a time and is ended when it does not answer; when this process is gone, it ends itself.
 */
export class TypeCheckProcess {
  readonly #child: ChildProcess
  readonly #options: TypeCheckProcessOptions
  readonly #start: Promise<ProcessMessage | undefined>
  #isAlive = true

  constructor(options: TypeCheckProcessOptions) {
    this.#options = options
    const { maxMemoryMb, timeoutMs, typescript } = options
    this.#child = spawn(
      process.execPath,
      [
        '--permission',
        // For the thread that ends it when its parent is gone.
        '--allow-worker',
        `--allow-fs-read=${dirname(dirname(typescript))}`,
        `--max-old-space-size=${maxMemoryMb}`,
        '--disable-proto=delete',
        '--input-type=commonjs',
        '-e',
        typeCheckProgram,
      ],
      {
        cwd: dirname(typescript),
        // Windows cannot start a program without it.
        env: {
          TYPESCRIPT: typescript,
          PARENT: String(process.pid),
          // Its parent ends it before.
          MOST_MS: String(timeoutMs + ownGraceMs),
          ...(process.env['SystemRoot'] && { SystemRoot: process.env['SystemRoot'] }),
        },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        windowsHide: true,
      },
    )
    const lost = (): void => {
      this.#isAlive = false
    }
    this.#child.once('exit', lost)
    this.#child.once('error', lost)
    this.#start = this.#nextMessage(options.startTimeoutMs)
    this.hold(false)
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Whether the process keeps its parent running; it does while it works. */
  hold(isHeld: boolean): void {
    const { channel } = this.#child
    if (isHeld) {
      this.#child.ref()
      channel?.ref()
    } else {
      this.#child.unref()
      channel?.unref()
    }
  }

  async check(request: TypeCheckRequest, signal: AbortSignal): Promise<TypeCheckAnswer> {
    const end = (): void => this.end()
    signal.addEventListener('abort', end, { once: true })
    this.hold(true)
    try {
      const started = await this.#start
      signal.throwIfAborted()
      if (started === undefined || !('version' in started))
        return { unusable: 'the process that checks types did not start' }
      if (!started.isUsable) return { unusable: `TypeScript ${started.version} has no such API` }
      if (!this.#isAlive) return { ended: 'process-lost' }
      const answer = this.#nextMessage(this.#options.timeoutMs)
      this.#child.send(request, () => undefined)
      const message = await answer
      signal.throwIfAborted()
      if (message !== undefined && !('version' in message)) return message
      const isSlow = this.#isAlive
      this.end()
      return { ended: isSlow ? 'too-slow' : 'process-lost' }
    } finally {
      signal.removeEventListener('abort', end)
      this.hold(false)
    }
  }

  end(): void {
    this.#isAlive = false
    this.#child.kill('SIGKILL')
  }

  /** The next message; `undefined` when none came in time, or the process ended. */
  async #nextMessage(timeoutMs: number): Promise<ProcessMessage | undefined> {
    return new Promise((resolve) => {
      const finish = (message: ProcessMessage | undefined): void => {
        clearTimeout(timer)
        this.#child.off('message', finish)
        this.#child.off('exit', lost)
        this.#child.off('error', lost)
        resolve(message)
      }
      const lost = (): void => finish(undefined)
      const timer = setTimeout(lost, timeoutMs)
      this.#child.on('message', finish)
      this.#child.on('exit', lost)
      this.#child.on('error', lost)
    })
  }
}
