import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { FrameReader, encodeFrame } from './frame.ts'
import type { Lane, LaneEvents } from './lane.ts'
import type { HostMessage, WorkerMessage } from './protocol.ts'

/** How a child process is started. */
export interface ChildCommand {
  readonly file: string
  readonly args: readonly string[]
}

/** A lane in a child process, which is spoken to over two pipes. */
export class ProcessLane implements Lane {
  readonly #child: ChildProcess
  readonly #pipes: readonly Socket[]
  readonly #exited = Promise.withResolvers<void>()

  constructor({ file, args }: ChildCommand, events: LaneEvents) {
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
    const lose = (why: string): void => {
      this.#exited.resolve()
      events.onLost(why)
    }
    child.on('error', () => lose('its process could not be started'))
    child.on('exit', (code, signal) => lose(`its process ended with ${signal ?? `code ${code}`}`))
    // What is written to a process that has ended is lost with it.
    stdin.on('error', () => undefined)
    const reader = new FrameReader((message) => events.onMessage(message as WorkerMessage))
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
