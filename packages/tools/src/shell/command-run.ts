import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { maxTimeoutMs } from '@toolcrib/registry'
import { CommandOutput, type EncodedOutput } from './command-output.ts'
import type { Containment, Launch, ProcessTree, ProcessesLeft } from './containment/containment.ts'
import { startFailure } from './start-failure.ts'
import { startProcess } from './start-process.ts'

/** What a command may use up. */
interface CommandLimits {
  /** When everything has to be over, in milliseconds since the epoch. */
  readonly deadline: number
  /** How long it may take to end after SIGTERM. */
  readonly killAfterMs: number
  /** Over stdout and stderr together. */
  readonly maxOutputBytes: number
}

/** One command, ready to be started. */
export interface CommandStart {
  readonly containment: Containment
  readonly launch: Launch
  /** The program that was asked for, whatever launches it. */
  readonly command: string
  readonly stdin: Buffer | undefined
  /** `NAME=value` in the environment of the command. */
  readonly marker: string
  readonly limits: CommandLimits
  /** Somebody else ends the call at the deadline, by the signal. */
  readonly hasCaller: boolean
  readonly signal: AbortSignal
}

/** What came of a command. */
export interface CommandOutcome {
  readonly stdout: EncodedOutput
  readonly stderr: EncodedOutput
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly truncated: boolean
  readonly timedOut: boolean
  readonly processesLeft: ProcessesLeft
}

/** How long streams may stay open after the command has ended, in milliseconds: somebody else may hold them. */
const drainMs = 100
/** How long processes that were killed are waited for, in milliseconds. */
const endMs = 1_000
/** How long a call whose processes have ended waits for its caller to end it at the deadline, in milliseconds. */
const callerMs = 250
/** How long the event loop may be held up to see killed processes end, in milliseconds. */
const maxHoldUpMs = 20

const pauseCell: Int32Array = new Int32Array(new SharedArrayBuffer(4))

/**
 * Runs a command until it ends, gives too much, takes too long or is aborted. Whatever it started is ended too, before
 * this resolves.
 *
 * @throws {ToolError} COMMAND_FAILED_TO_START, COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE
 * @throws the reason of the signal.
 */
export async function runCommand(start: CommandStart): Promise<CommandOutcome> {
  let child: ChildProcess
  try {
    child = startProcess(start.launch, start.stdin !== undefined)
  } catch (error) {
    throw startFailure(start, error)
  }
  return await new CommandRun(start, child).promise
}

class CommandRun {
  readonly promise: Promise<CommandOutcome>
  readonly #start: CommandStart
  readonly #output: CommandOutput
  readonly #child: ChildProcess
  readonly #tree: ProcessTree
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #onAbort = (): void => this.#abort()
  #resolve!: (outcome: CommandOutcome) => void
  #reject!: (reason: unknown) => void
  #isSettled = false
  #isClosed = false
  #hasExited = false
  #exitCode: number | null = null
  #signal: NodeJS.Signals | null = null
  #isKilled = false
  #isTimedOut = false
  #isAborted = false

  constructor(start: CommandStart, child: ChildProcess) {
    this.#start = start
    this.#output = new CommandOutput(start.limits.maxOutputBytes)
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const { containment, marker, signal } = start
    this.#child = child
    this.#tree = containment.follow(this.#child.pid ?? 0, marker)
    this.#listen()
    if (this.#child.pid === undefined) return
    signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#setTimers()
  }

  #listen(): void {
    const child = this.#child
    child.once('error', (error) => this.#fail(startFailure(this.#start, error)))
    // Where descriptors ran out there are no streams at all, whatever their types say.
    if (child.pid === undefined) return
    this.#collect('stdout', child.stdout)
    this.#collect('stderr', child.stderr)
    const reports = this.#start.launch.reports === true ? child.stdio[3] : undefined
    if (reports !== undefined && reports !== null)
      reports
        .on('data', (text: Buffer) => this.#tree.report(text.toString('latin1')))
        .on('error', ignore)
    if (child.stdin !== null) {
      // A command need not read what it is given.
      child.stdin.on('error', ignore)
      child.stdin.end(this.#start.stdin)
    }
    child.once('exit', (code, signal) => this.#exited(code, signal))
    child.once('close', () => this.#closed())
  }

  #collect(name: 'stdout' | 'stderr', stream: Readable | null): void {
    stream?.on('error', ignore).on('data', (chunk: Buffer) => {
      if (!this.#output.isTruncated && !this.#output.add(name, chunk)) this.#kill()
    })
  }

  // A command is asked to end, and then ended, a little before the deadline: at the deadline the call has to be over.
  #setTimers(): void {
    const { deadline, killAfterMs } = this.#start.limits
    const remainingMs = deadline - Date.now()
    const shareMs = remainingMs / 10
    const killMs = remainingMs - Math.min(Math.max(shareMs, 15), 250, remainingMs / 2)
    const terminateMs = killMs - Math.min(shareMs, killAfterMs)
    this.#after(terminateMs, () => {
      if (this.#hasExited) return
      this.#isTimedOut = true
      this.#tree.terminate()
    })
    this.#after(killMs, () => {
      this.#isTimedOut = !this.#hasExited || this.#isTimedOut
      this.#kill()
    })
  }

  #after(milliseconds: number, work: () => void): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        work()
      },
      Math.min(Math.max(0, milliseconds), maxTimeoutMs),
    )
    this.#timers.add(timer)
  }

  #kill(): void {
    this.#isKilled = true
    this.#tree.kill()
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    this.#hasExited = true
    this.#exitCode = code
    this.#signal = signal
    if (this.#isClosed || this.#isSettled) return
    // Something that the command left behind holds its streams. It gets a moment to write what it has.
    this.#after(drainMs, () => {
      if (this.#isClosed) return
      this.#tree.kill()
      this.#after(drainMs, () => this.#closed())
    })
  }

  /** Nothing more will be read. */
  #closed(): void {
    if (this.#isClosed || this.#isSettled) return
    this.#isClosed = true
    this.#dropStreams()
    this.#tree.kill()
    this.#awaitEnd(performance.now() + endMs)
  }

  #awaitEnd(until: number): void {
    if (this.#isSettled || this.#isAborted) return
    const state = this.#tree.state()
    if (state === 'running' && performance.now() < until) {
      this.#tree.kill()
      this.#after(1, () => this.#awaitEnd(until))
      return
    }
    const processesLeft = state === 'ended' ? 'none' : 'unknown'
    if (!this.#isTimedOut || !this.#start.hasCaller) this.#finish(processesLeft)
    else {
      const { deadline } = this.#start.limits
      // The caller reports a timeout at the deadline, and is told by then that nothing runs on.
      this.#after(deadline - Date.now() + callerMs, () => this.#finish(processesLeft))
    }
  }

  #finish(processesLeft: ProcessesLeft): void {
    if (this.#isSettled || this.#isAborted) return
    const isCut = this.#isKilled || this.#output.isTruncated
    if (this.#tree.launchFailed && !isCut) {
      this.#fail(startFailure(this.#start, new Error(this.#output.encode('stderr', false).text)))
      return
    }
    this.#release()
    this.#resolve({
      stdout: this.#output.encode('stdout', isCut),
      stderr: this.#output.encode('stderr', isCut),
      exitCode: this.#isKilled ? null : this.#exitCode,
      signal: this.#isKilled ? 'SIGKILL' : this.#signal,
      truncated: this.#output.isTruncated,
      timedOut: this.#isTimedOut,
      processesLeft,
    })
  }

  #fail(reason: unknown): void {
    if (this.#isSettled) return
    this.#release()
    this.#dropStreams()
    this.#reject(reason)
  }

  /** The call is over for its caller, who must be answered at once to know that nothing runs on. */
  #abort(): void {
    if (this.#isSettled || this.#isAborted) return
    const { reason } = this.#start.signal as { reason: unknown }
    if (this.#isClosed && this.#tree.state() === 'ended') {
      this.#fail(reason)
      return
    }
    this.#isAborted = true
    this.#kill()
    if (this.#seesEnd()) this.#fail(reason)
    else this.#failLater(reason, performance.now() + endMs)
  }

  /** Waits for killed processes without giving way, since a caller takes a later answer for "may still be running". */
  #seesEnd(): boolean {
    const until = performance.now() + maxHoldUpMs
    for (;;) {
      const state = this.#tree.state()
      if (state !== 'running') return state === 'ended'
      if (performance.now() > until) return false
      Atomics.wait(pauseCell, 0, 0, 0.5)
    }
  }

  /** Nothing tells for sure that all have ended, and answering later is how that is said. */
  #failLater(reason: unknown, until: number): void {
    this.#after(1, () => {
      this.#tree.kill()
      if (this.#tree.state() !== 'running' || performance.now() > until) this.#fail(reason)
      else this.#failLater(reason, until)
    })
  }

  #release(): void {
    this.#isSettled = true
    this.#start.signal.removeEventListener('abort', this.#onAbort)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #dropStreams(): void {
    const streams = this.#child.stdio as ChildProcess['stdio'] | undefined
    for (const stream of streams ?? []) stream?.destroy()
  }
}

function ignore(): void {
  // A stream that breaks ends, and that is seen elsewhere.
}
