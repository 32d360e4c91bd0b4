import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { FrameReader, type FrameLimits, encodeFrame } from './frame.ts'
import type { Lane, LaneEvents } from './lane.ts'
import type { CallLimits, HostMessage } from './protocol.ts'
import { readWorkerMessage } from './worker-message.ts'

/** How a child process is started. */
export interface ChildCommand {
  readonly file: string
  readonly args: readonly string[]
  /** Whether its engine ends the process by a fatal error of its own when the memory is full. */
  readonly endsWhenFull?: boolean
}

/** How V8 ends a process. */
const fatalSignals: ReadonlySet<unknown> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL'])

const mebibyte = 1024 * 1024
/** Beside texts: numbers and names of requests, of logs and of waits. */
const maxFrameOverhead = 8 * mebibyte

/** A lane in a child process, which is spoken to over two pipes. */
export class ProcessLane implements Lane {
  readonly #child: ChildProcess
  readonly #pipes: readonly Socket[]
  /** What an honest process may say at once, by the limits of the calls that it was given. */
  #limits: FrameLimits = { maxBytes: mebibyte, maxHeadBytes: mebibyte }
  readonly #exited = Promise.withResolvers<void>()

  constructor({ file, args, endsWhenFull = false }: ChildCommand, events: LaneEvents) {
    const child = spawn(file, [...args], {
      cwd: '/',
      // Windows starts no program without this one.
      env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {},
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    })
    this.#child = child
    const { stdin, stdout } = child
    this.#pipes = [stdin, stdout] as unknown as Socket[]
    const lose = (why: string, isFatal = false): void => {
      this.#exited.resolve()
      events.onLost(why, isFatal && endsWhenFull)
    }
    child.on('error', () => lose('its process could not be started'))
    child.on('exit', (code, signal) =>
      lose(`its process ended with ${signal ?? `code ${code}`}`, fatalSignals.has(signal)),
    )
    // What is written to a process that has ended is lost with it.
    stdin.on('error', () => undefined)
    const reader = new FrameReader(
      (message) => events.onMessage(readWorkerMessage(message)),
      () => this.#limits,
    )
    stdout.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk)
      } catch {
        child.kill('SIGKILL')
      }
    })
    this.hold(false)
  }

  post(message: HostMessage): void {
    if (message.type === 'call') this.#limits = widen(this.#limits, message.limits)
    this.#child.stdin?.write(encodeFrame(message))
  }

  // A process shares no memory with this one: one that does not read its messages is killed after a while.
  setFlag(): void {}

  hold(isHeld: boolean): void {
    for (const handle of [this.#child, ...this.#pipes])
      if (isHeld) handle.ref()
      else handle.unref()
  }

  async kill(): Promise<void> {
    this.#child.ref()
    this.#child.kill('SIGKILL')
    await this.#exited.promise
  }
}

function widen({ maxBytes, maxHeadBytes }: FrameLimits, limits: CallLimits): FrameLimits {
  const { maxOutputBytes, maxArgumentBytes, maxLogBytes } = limits
  // A character of a text in the head may be written with six. Arguments are counted in characters of up to three bytes.
  const headBytes = 6 * maxLogBytes + maxFrameOverhead
  return {
    maxBytes: Math.max(maxBytes, headBytes + Math.max(maxOutputBytes, 12 * maxArgumentBytes)),
    maxHeadBytes: Math.max(maxHeadBytes, headBytes),
  }
}
